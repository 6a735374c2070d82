import { hash, randomBytes } from "node:crypto";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { ChangeRecord, Principal } from "../../workspace/changes/change.ts";
import type { GivenAnswer } from "../approvals/approval.ts";
import type { Decision } from "../rules/rules.ts";

/** Where records go, and where earlier ones are. */
export interface AuditLog {
  /** Adds whole lines, in order. */
  append(lines: string): void;
  /** One file a day, oldest first. */
  files(): readonly AuditFile[];
  /** The newest record, as it stands in the newest of them. */
  lastLine(): string;
}

export interface AuditFile {
  readonly name: string;
  readonly text: string;
}

/** One record per call. */
export interface Audit {
  record(event: Event): void;
  /** Writes what still waits. What cannot be written waits on, and the operator is told. */
  flush(): void;
  /** Throws while records cannot be written, where nothing may be changed without one. */
  requireWritten(): void;
  files(): readonly AuditFile[];
}

type Event = Readonly<Record<string, unknown>>;

export interface AuditParts {
  readonly log: AuditLog;
  /** Takes out of a line what must not stand there. */
  readonly redact?: (line: string) => string;
  /** Whether changes stop while it cannot be written. */
  readonly isRequired?: boolean;
  readonly warn?: (message: string) => void;
}

/**
 * Append-only, and chained per process: each line has a number in its chain and the hash of the one before; the first
 * has that of whatever was written last by anybody. Written shortly after the answer, not before.
 */
export function createAudit({ log, redact = (line) => line, isRequired = true, warn = () => {} }: AuditParts): Audit {
  const chain = randomBytes(5).toString("hex");
  const waiting = createPendingRecords();
  let timer: NodeJS.Timeout | undefined;
  let last: { readonly n: number; readonly previous: string } | undefined;
  let failure: unknown;
  const write = (events: readonly Event[]): void => {
    let { n, previous } = last ?? { n: 0, previous: hashOf(lastLine(log)) };
    const lines = events.map((event) => {
      const line = redact(auditLineOf(event, { chain, n: ++n, previous }));
      previous = hashOf(line);
      return `${line}\n`;
    });
    log.append(lines.join(""));
    last = { n, previous };
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.isEmpty()) return;
    try {
      write(waiting.all());
      waiting.clear();
      failure = undefined;
    } catch (error) {
      if (failure === undefined) warn(`Cannot write the audit log: ${reasonOf(error)}`);
      failure = error;
    }
  };
  return {
    record(event) {
      waiting.add(event, failure === undefined ? Infinity : LIMITS.auditQueue);
      timer ??= setTimeout(flush, LIMITS.auditFlushMs).unref();
    },
    flush,
    requireWritten() {
      if (failure === undefined || !isRequired) return;
      flush();
      if (failure !== undefined) throw unwrittenFault(failure);
    },
    files: log.files,
  };
}

/** What waits to be written. It must not fill the memory while the disk is full: how much was let go is written instead. */
function createPendingRecords() {
  let events: Event[] = [];
  let lost = 0;
  return {
    isEmpty: () => events.length === 0,
    all: (): readonly Event[] =>
      lost === 0 ? events : [{ time: Date.now(), tool: "audit", code: "lost", records: lost, ms: 0 }, ...events],
    add(event: Event, most: number) {
      if (events.length >= most) lost += events.splice(0, 1).length;
      events.push(event);
    },
    clear() {
      events = [];
      lost = 0;
    },
  };
}

/** The operator may know where our files are. */
const reasonOf = (error: unknown): string => String(isFault(error) ? (error.cause ?? error) : error);

const unwrittenFault = (failure: unknown): Fault =>
  new Fault(
    isFault(failure) ? failure.code : "io",
    "Cannot change anything: the audit log cannot be written; reading goes on",
    { hint: "Ask the user to free space or mend the state directory, or to set audit.required to false" },
    failure,
  );

/** What a line says of the one before it; nothing is before the first. */
export const hashOf = (line: string): string => (line === "" ? "" : hash("sha256", line, "base64url"));

/** A log that cannot be read cannot be written either, and that is told. */
function lastLine(log: AuditLog): string {
  try {
    return log.lastLine();
  } catch {
    return "";
  }
}

/** Marks what a person asked for by himself; what has no mark came from an agent. */
export const principalField = ({ principal }: { readonly principal: Principal }): { readonly principal?: Principal } =>
  principal === "agent" ? {} : { principal };

/** Why a call was let through, or not. */
export interface Ruling {
  /** Undefined where no rule was asked. */
  readonly decision: Decision | undefined;
  readonly answers: readonly GivenAnswer[];
}

/** No rule was asked. */
export const NO_RULING: Ruling = { decision: undefined, answers: [] };

/** What the rules decided and where they are written, and who was asked. What fails before any rule is asked has no verdict. */
export function writtenRulingOf({ decision, answers }: Ruling, code = "ok"): WrittenRuling {
  const { verdict, origins = [], reasons } = decision ?? (code === "ok" ? NO_DECISION : failedBeforeRules(code));
  const approvers = answers.map(({ by, who, decision: said }) => ({ channel: by, who, said }));
  return {
    decision: { verdict, rules: origins, reasons: verdict === "autonomous" ? undefined : reasons },
    approvers: approvers.length > 0 ? approvers : undefined,
  };
}

/** A ruling as a record has it; what is undefined is not in it. */
interface WrittenRuling {
  readonly decision: object;
  readonly approvers: readonly object[] | undefined;
}

const NO_DECISION: Decision = { verdict: "autonomous", reasons: [] };

const failedBeforeRules = (code: string) => ({ verdict: "none", origins: [], reasons: [code] });

/** What a call changed: the versions before and after. */
export const effectsOf = ({ effects }: ChangeRecord): readonly object[] =>
  effects.map(({ action, path, from, before, after, isUnseen }) => ({
    action,
    path,
    from,
    before: before?.version,
    after: after?.version,
    replaced_unseen: isUnseen,
  }));

/** What callers hand us may be huge, or have no JSON form at all: then the rest of the record is kept. */
function auditLineOf(event: Readonly<Record<string, unknown>>, link: object): string {
  const line = jsonOf({ ...event, ...link });
  if (line !== undefined && line.length <= LIMITS.auditChars) return line;
  const input = line === undefined ? "[not JSON]" : `[${line.length} characters]`;
  const tool = String(event["tool"]).slice(0, LIMITS.quotedNameChars);
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
