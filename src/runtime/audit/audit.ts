import { hash, randomBytes } from "node:crypto";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { ChangeRecord, Principal } from "../../workspace/changes/change.ts";
import type { RecordedAnswer } from "../approvals/approval.ts";
import type { Decision } from "../rules/decision.ts";

/** Stores the records of all processes of the user, and returns earlier ones. */
export interface AuditLog {
  /** Appends whole lines. */
  append(lines: string): void;
  /** Returns one file a day, oldest first, without a line that is still being written. */
  files(): readonly AuditFile[];
  /** Returns the last whole line of the newest file. */
  lastLine(): string;
}

export interface AuditFile {
  readonly name: string;
  readonly text: string;
}

/** Writes one record per call. */
export interface Audit {
  record(event: Event): void;
  /** Writes pending records. Keeps them and warns the operator if that fails. */
  flush(): void;
  /** Throws while records cannot be written and the log is required for changes. */
  requireWritten(): void;
  files(): readonly AuditFile[];
}

type Event = Readonly<Record<string, unknown>>;

export interface AuditParts {
  readonly log: AuditLog;
  /** Lists the real paths of the roots, which every record names, since paths in arguments may be relative to them. */
  readonly roots: readonly string[];
  /** Removes secrets from a line. */
  readonly redact?: (line: string) => string;
  /** Refuses changes while the log cannot be written. */
  readonly isRequired?: boolean;
  readonly warn?: (message: string) => void;
}

/**
 * Appends records in a hash chain per process: each line has its number and the hash of the line before; the first has
 * the hash of the last line in the log, of whichever process. Records are written shortly after the answer, in batches.
 */
export function createAudit(parts: AuditParts): Audit {
  const { log, roots, redact = (line) => line, isRequired = true, warn = () => {} } = parts;
  const chain = randomBytes(5).toString("hex");
  const pending = createPendingRecords();
  let timer: NodeJS.Timeout | undefined;
  let last: { readonly n: number; readonly previous: string } | undefined;
  let failure: unknown;
  const write = (events: readonly Event[]): void => {
    let { n, previous } = last ?? { n: 0, previous: hashOf(lastLine(log)) };
    const lines = events.map((event) => {
      const line = redact(auditLineOf({ roots, ...event }, { chain, n: ++n, previous }));
      previous = hashOf(line);
      return `${line}\n`;
    });
    log.append(lines.join(""));
    last = { n, previous };
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending.isEmpty()) return;
    try {
      write(pending.all());
      pending.clear();
      failure = undefined;
    } catch (error) {
      if (failure === undefined) warn(`Cannot write the audit log: ${reasonOf(error)}`);
      failure = error;
    }
  };
  return {
    record(event) {
      pending.add(event, failure === undefined ? Infinity : LIMITS.auditQueue);
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

/** Returns the same log for a session with fewer roots. */
export const auditWithin = (audit: Audit, roots: readonly string[]): Audit => ({
  ...audit,
  record: (event) => audit.record({ roots, ...event }),
});

/**
 * Queues records. While the disk is full the queue is bounded: the oldest are dropped, and their number is recorded.
 */
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

/** Prefers the cause, with the path of our file, since only the operator sees it. */
const reasonOf = (error: unknown): string => String(isFault(error) ? (error.cause ?? error) : error);

const unwrittenFault = (failure: unknown): Fault =>
  new Fault(
    isFault(failure) ? failure.code : "io",
    "Cannot change anything: the audit log cannot be written; reading goes on",
    { hint: "Ask the user to free space or mend the state directory, or to set audit.required to false" },
    failure,
  );

/** Returns the hash of a line; "" for no line. */
export const hashOf = (line: string): string => (line === "" ? "" : hash("sha256", line, "base64url"));

/** Ignores a log that cannot be read: writing fails as well then, and that is reported. */
function lastLine(log: AuditLog): string {
  try {
    return log.lastLine();
  } catch {
    return "";
  }
}

/** Names the principal unless it is an agent, which is the default in records. */
export const principalField = ({ principal }: { readonly principal: Principal }): { readonly principal?: Principal } =>
  principal === "agent" ? {} : { principal };

/** Names the agent of a session unless the operator named none, which is the default in records. */
export const agentField = ({ agent }: { readonly agent: string }): { readonly agent?: string } =>
  agent === MAIN_AGENT ? {} : { agent };

/** The name of an agent that the operator gave no other. */
export const MAIN_AGENT = "main";

/** Says why a call was allowed or refused. */
export interface Ruling {
  /** Is undefined where no rule was asked. */
  readonly decision: Decision | undefined;
  readonly answers: readonly RecordedAnswer[];
}

/** The ruling of a call for which no rule was asked. */
export const NO_RULING: Ruling = { decision: undefined, answers: [] };

/**
 * Returns the decision with the origins of its rules, and who approved. A call that failed before any rule was asked
 * has the verdict "none".
 */
export function writtenRulingOf({ decision, answers }: Ruling, code = "ok"): WrittenRuling {
  const { verdict, origins = [], reasons } = decision ?? (code === "ok" ? NO_DECISION : failedBeforeRules(code));
  const approvers = answers.map(({ by, who, decision: said }) => ({ channel: by, who, said }));
  return {
    decision: { verdict, rules: origins, reasons: verdict === "autonomous" ? undefined : reasons },
    approvers: approvers.length > 0 ? approvers : undefined,
  };
}

/** A ruling in the form of a record, where undefined keys are left out. */
interface WrittenRuling {
  readonly decision: object;
  readonly approvers: readonly object[] | undefined;
}

const NO_DECISION: Decision = { verdict: "autonomous", reasons: [] };

const failedBeforeRules = (code: string) => ({ verdict: "none", origins: [], reasons: [code] });

/** Returns what a call changed, with the versions before and after. */
export const effectsOf = ({ effects }: ChangeRecord): readonly object[] =>
  effects.map(({ action, path, from, before, after, isUnseen }) => ({
    action,
    path,
    from,
    before: before?.version,
    after: after?.version,
    replaced_unseen: isUnseen,
  }));

/** Leaves out input that is huge or has no JSON form, and keeps the rest of the record. */
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
