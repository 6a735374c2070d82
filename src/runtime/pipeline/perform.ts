import { Fault } from "../../base/errors.ts";
import { type Checkpoint, type Cancellation, watchCancellation } from "../../base/time-slicing.ts";
import type { ChangeIntent, OutwardIntent, WatchIntent } from "../../tools/tool.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { CommitOptions } from "../../workspace/changes/commit.ts";
import type { CommandAnswer, CommandIntent } from "../commands/command-intent.ts";
import type { EffectfulIntent } from "./effectful-intent.ts";
import type { AccessContext } from "./access-context.ts";
import { createLivePathPolicy } from "../sessions/live-path-policy.ts";
import type { Request } from "./request.ts";
import type { Session } from "../sessions/session.ts";

/** Holds the answer of a performed intent. */
export interface Performed extends CommandAnswer {
  /** Records what was changed. */
  readonly record?: ChangeRecord;
}

/** Holds what performing an intent needs of its call. */
export interface PerformContext {
  readonly session: Session;
  readonly tool: string;
  readonly checkpoint: Checkpoint;
  readonly signal: Cancellation;
  readonly progress: Request["progress"];
  readonly access: AccessContext;
}

/** Performs an intent. No other function lets a call change files, watch them or reach beyond them. */
export function perform(intent: EffectfulIntent, context: PerformContext): Promise<Performed> {
  if (intent.kind === "change") return performChange(intent, context);
  if (intent.kind === "command") return performCommand(intent, context);
  return intent.kind === "watch" ? performWatch(intent, context) : performOutward(intent, context);
}

async function performChange(intent: ChangeIntent, context: PerformContext): Promise<Performed> {
  const { session, tool, signal } = context;
  const checkpoint = countedCheckpoint(context);
  const { writing } = session.workspace;
  if (intent.isDryRun) await writing?.dryRun(intent);
  if (intent.isDryRun || intent.changes.length === 0) {
    await intent.afterwards?.();
    return intent.answerFor(null);
  }
  if (!writing) throw new Fault("denied", "Cannot change anything: this session is read-only");
  session.audit.requireWritten();
  const made = intent.command === undefined ? { tool } : { tool: "exec", command: intent.command };
  const author = { session: session.facts.id, principal: session.principal, ...made };
  const onCommit: CommitOptions["onCommit"] = (record, contentOf) =>
    session.seen.changed(intent.changes, record, contentOf);
  const record = await writing.commit(intent, { author, checkpoint, signal, onCommit });
  await intent.afterwards?.();
  const { blocks, data } = intent.answerFor(record);
  return { blocks, data: { ...data, change_id: record.id }, record };
}

/** Reports each entry that is copied or backed up: the engine reaches a checkpoint at each. */
function countedCheckpoint({ checkpoint, progress }: PerformContext): Checkpoint {
  if (!progress) return checkpoint;
  let done = 0;
  return () => {
    progress(++done);
    return checkpoint();
  };
}

async function performWatch(intent: WatchIntent, { session, access, signal }: PerformContext): Promise<Performed> {
  const { watches, rules } = session;
  switch (intent.does) {
    case "begin": {
      const policy = createLivePathPolicy(rules, access, intent.filter.scope.target);
      return intent.answerFor(await watches.begin(intent.filter, policy, signal));
    }
    case "poll": {
      const { page, quietMs } = await watches.poll(intent, signal);
      return intent.answerFor(page, quietMs);
    }
    case "end":
      watches.end(intent.id);
      return intent.answerFor();
  }
}

async function performCommand(intent: CommandIntent, context: PerformContext): Promise<Performed> {
  const { session, signal, progress = () => {} } = context;
  session.audit.requireWritten();
  return intent.run({ signal, progress });
}

/** Ends a cancelled call at once, even if what it called ignores the signal. */
async function performOutward(intent: OutwardIntent, { session, checkpoint }: PerformContext): Promise<Performed> {
  session.audit.requireWritten();
  const stop = new AbortController();
  const cancelled = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(cancelledFault())),
  );
  const watcher = watchCancellation(checkpoint, () => stop.abort());
  try {
    await watcher.check();
    const { blocks, data } = await Promise.race([intent.run(stop.signal), cancelled]);
    return { blocks, data };
  } finally {
    watcher.stop();
  }
}

const cancelledFault = (): Fault =>
  new Fault(
    "cancelled",
    "Cannot finish the call: it was cancelled; what it reached for may have happened all the same",
  );
