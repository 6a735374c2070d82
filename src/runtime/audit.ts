import { hash, randomBytes } from "node:crypto";
import { LIMITS } from "../base/limits.ts";
import type { ChangeRecord } from "../workspace/change.ts";
import type { GivenAnswer } from "./approval.ts";
import type { Decision } from "./rules.ts";

/** Where records go, and where earlier ones are. */
export interface AuditLog {
  /** Adds whole lines, in order. */
  append(lines: string): void;
  /** One file a day, oldest first. */
  files(): readonly AuditFile[];
  /** What the newest of them holds. */
  newest(): string;
}

export interface AuditFile {
  readonly name: string;
  readonly text: string;
}

/** One record per call. `flush` writes what still waits. */
export interface Audit {
  record(event: Readonly<Record<string, unknown>>): void;
  flush(): void;
  files(): readonly AuditFile[];
}

/**
 * Append-only, and chained per process: each line has a number in its chain and the hash of the one before; the first
 * has that of whatever was written last by anybody. Written shortly after the answer, not before.
 */
export function createAudit(
  { append, files, newest }: AuditLog,
  hidden: (line: string) => string = (line) => line,
): Audit {
  const chain = randomBytes(5).toString("hex");
  let waiting: Readonly<Record<string, unknown>>[] = [];
  let timer: NodeJS.Timeout | undefined;
  let n = 0;
  let previous: string | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    previous ??= hashOf(lastLine(newest));
    const lines = waiting.map((event) => {
      const line = hidden(lineOf(event, { chain, n: ++n, previous }));
      previous = hashOf(line);
      return `${line}\n`;
    });
    waiting = [];
    append(lines.join(""));
  };
  return {
    record(event) {
      waiting.push(event);
      timer ??= setTimeout(flush, LIMITS.auditFlushMs).unref();
    },
    flush,
    files,
  };
}

/** What a line says of the one before it; nothing is before the first. */
export const hashOf = (line: string): string => (line === "" ? "" : hash("sha256", line, "base64url"));

/** A log that cannot be read cannot be written either, and that is told. */
function lastLine(newest: AuditLog["newest"]): string {
  try {
    const text = newest().trimEnd();
    return text.slice(text.lastIndexOf("\n") + 1);
  } catch {
    return "";
  }
}

/** Why a call was let through, or not. */
export interface Ruling {
  /** Undefined where no rule was asked. */
  readonly decision: Decision | undefined;
  readonly answers: readonly GivenAnswer[];
}

/** What the rules decided and where they are written, and who was asked. What failed before any rule was asked was blocked by that. */
export function rulingOf({ decision, answers }: Ruling, code = "ok"): object {
  const { verdict, origins = [], reasons } = decision ?? (code === "ok" ? NOTHING_ASKED : failedBefore(code));
  return {
    decision: { verdict, rules: origins, ...(verdict !== "autonomous" && { reasons }) },
    ...(answers.length > 0 && {
      approvers: answers.map(({ by, who, decision: said }) => ({ channel: by, who, said })),
    }),
  };
}

const NOTHING_ASKED: Decision = { verdict: "autonomous", reasons: [] };

const failedBefore = (code: string): Decision => ({ verdict: "blocked", reasons: [code] });

/** What a call changed: the versions before and after. */
export const effectsOf = (record: ChangeRecord | undefined): object | undefined =>
  record && {
    change: record.id,
    effects: record.effects.map(({ action, path, from, before, after }) => ({
      action,
      path,
      from,
      before: before?.version,
      after: after?.version,
    })),
  };

/** What callers hand us may be huge, or have no JSON form at all: then the rest of the record is kept. */
function lineOf(event: Readonly<Record<string, unknown>>, link: object): string {
  const line = jsonOf({ ...event, ...link });
  if (line !== undefined && line.length <= LIMITS.auditChars) return line;
  const input = line === undefined ? "[not JSON]" : `[${line.length} characters]`;
  const tool = String(event["tool"]).slice(0, LIMITS.shownNameChars);
  const short = JSON.stringify({ ...event, tool, input, ...link });
  return short.length <= LIMITS.auditChars
    ? short
    : JSON.stringify({ ...event, tool, input, effects: "[many]", ...link });
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
