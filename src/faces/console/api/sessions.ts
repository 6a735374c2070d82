import type { App } from "../../../app/app.ts";
import { LIMITS } from "../../../base/limits.ts";
import { MAIN_AGENT } from "../../../runtime/audit/audit.ts";
import { auditLines, type AuditPosition, isEarlier } from "./audit-lines.ts";
import { type AuditRecord, auditRecordIn } from "./audit-record.ts";

/** A session that made calls lately. */
export interface SeenSession {
  readonly id: string;
  /** The name that the operator gave the agent, or else the one that the client gave itself. */
  readonly agent: string;
  readonly roots: readonly string[];
  readonly lastMs: number;
  readonly changes: number;
}

/** Knows the sessions of agents that the end of the audit log names. */
export interface Sessions {
  /** Returns them, the one that was seen last first. */
  list(): readonly SeenSession[];
  agentOf(session: string): string;
}

/** Remembers what it has read: each look reads only what was written since the last one. */
export function createSessions({ stateDirectory, approvals }: App): Sessions {
  const seen = new Map<string, SeenSession>();
  let last: AuditPosition | undefined;
  const look = (): void => {
    let [bytes, newest] = [0, last];
    for (const { text, at } of auditLines(stateDirectory)) {
      bytes += text.length;
      if ((last && !isEarlier(last, at)) || bytes > LIMITS.consoleScanBytes) break;
      if (!newest || isEarlier(newest, at)) newest = at;
      const record = auditRecordIn(text);
      if (record && isOfAgent(record)) seen.set(record.session, joined(seen.get(record.session), record));
    }
    last = newest;
  };
  const list = (): readonly SeenSession[] => {
    look();
    return [...seen.values()].toSorted((one, other) => other.lastMs - one.lastMs);
  };
  return {
    list,
    agentOf(session) {
      if (!seen.has(session)) look();
      const asking = approvals.list().find((request) => request.session === session);
      return seen.get(session)?.agent ?? nameIn(asking ?? {}) ?? MAIN_AGENT;
    },
  };
}

/** Prefers a name that the operator gave. */
const nameIn = ({ agent, client }: { readonly agent?: string | undefined; readonly client?: string | undefined }) =>
  agent === MAIN_AGENT ? client : (agent ?? client);

const isOfAgent = ({ session, principal }: AuditRecord): boolean => session !== "" && principal === "agent";

function joined(known: SeenSession | undefined, record: AuditRecord): SeenSession {
  const { session: id, roots, time, change } = record;
  const isNewer = time >= (known?.lastMs ?? 0);
  return {
    id,
    agent: nameIn(record) ?? known?.agent ?? MAIN_AGENT,
    roots: isNewer ? roots : (known?.roots ?? roots),
    lastMs: Math.max(time, known?.lastMs ?? 0),
    changes: (known?.changes ?? 0) + (change === undefined ? 0 : 1),
  };
}
