import { Fault } from "../../base/errors.ts";
import { type Checkpoint, type Cancellation, watchCancellation } from "../../base/time-slicing.ts";
import type { Answer, ChangeIntent, EffectfulIntent, OutwardIntent, WatchIntent } from "../../tools/tool.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import { type AccessContext, createLivePathPolicy } from "./access-context.ts";
import type { Session } from "./session.ts";

/** What a performed call gives back to whoever asked. */
export interface Performed extends Omit<Answer, "kind"> {
  /** What was changed. */
  readonly record?: ChangeRecord;
}

/** On whose behalf an intent is performed. */
export interface PerformContext {
  readonly session: Session;
  readonly tool: string;
  readonly checkpoint: Checkpoint;
  readonly signal: Cancellation;
  readonly access: AccessContext;
}

/** The only place where a call touches the world. */
export function perform(intent: EffectfulIntent, acting: PerformContext): Promise<Performed> {
  if (intent.kind === "change") return performChange(intent, acting);
  return intent.kind === "watch" ? performWatch(intent, acting) : performOutward(intent, acting);
}

async function performChange(intent: ChangeIntent, { session, tool, checkpoint }: PerformContext): Promise<Performed> {
  const { writing } = session.workspace;
  if (intent.isDryRun) writing?.dryRun(intent);
  if (intent.isDryRun || intent.changes.length === 0) return intent.tell(null);
  if (!writing) throw new Fault("denied", "Cannot change anything: this session is read-only");
  session.audit.requireWritten();
  const author = { session: session.facts.id, principal: session.principal, tool };
  const made = (record: ChangeRecord): void => session.seen.changed(intent.changes, record, writing.prober.contentOf);
  const record = await writing.commit(intent, { author, checkpoint, onCommit: made });
  const { blocks, data } = intent.tell(record);
  return { blocks, data: { ...data, change_id: record.id }, record };
}

async function performWatch(intent: WatchIntent, { session, access, signal }: PerformContext): Promise<Performed> {
  const { watches, rules } = session;
  switch (intent.does) {
    case "begin": {
      const sight = createLivePathPolicy(rules, access, intent.filter.scope.target);
      return intent.tell(await watches.begin(intent.filter, sight, signal));
    }
    case "hear": {
      const { page, quietMs } = await watches.poll(intent, signal);
      return intent.tell(page, quietMs);
    }
    case "end":
      watches.end(intent.id);
      return intent.tell();
  }
}

/** A call that is cancelled ends, whether or not what it reached for heeds that. */
async function performOutward(intent: OutwardIntent, { session, checkpoint }: PerformContext): Promise<Performed> {
  session.audit.requireWritten();
  const stop = new AbortController();
  const cancelled = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(cancelledFault())),
  );
  const looking = watchCancellation(checkpoint, () => stop.abort());
  try {
    await looking.check();
    const { blocks, data } = await Promise.race([intent.run(stop.signal), cancelled]);
    return { blocks, data };
  } finally {
    looking.stop();
  }
}

const cancelledFault = (): Fault =>
  new Fault(
    "cancelled",
    "Cannot finish the call: it was cancelled; what it reached for may have happened all the same",
  );
