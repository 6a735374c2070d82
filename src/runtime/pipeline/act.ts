import { type Code, type Fault, hasCode } from "../../base/errors.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { EffectfulIntent } from "./effectful-intent.ts";
import type { CallContext } from "./call-context.ts";
import type { Decided } from "./decide.ts";
import { perform, type Performed } from "./perform.ts";
import type { Again } from "./rounds.ts";

/**
 * Counts an intent against its limits and performs it. Counting checks the limits once more, for other calls are
 * decided and counted meanwhile.
 */
export async function act(
  context: CallContext,
  intent: EffectfulIntent,
  decided: Decided,
  hasAsked: boolean,
): Promise<Performed | Again> {
  const { session, tool, request, view, access } = context;
  const isDryRun = intent.kind === "change" && intent.isDryRun;
  const uncount = isDryRun ? () => {} : access.count(decided.decision);
  if (!uncount) return { again: "limited" };
  try {
    const { checkpoint } = view;
    const { signal, progress } = request;
    const result = await perform(intent, { session, tool: tool.name, checkpoint, signal, progress, access });
    if (!isDryRun) recordPerformed(context, intent, decided, result);
    return result;
  } catch (error) {
    uncount();
    if (intent.kind !== "change" || !isOvertaken(error)) throw error;
    return { again: "overtaken", fault: error, hasAsked };
  }
}

function recordPerformed(
  { access, redactor }: CallContext,
  intent: EffectfulIntent,
  { needNotice, decision }: Decided,
  { record }: Performed,
): void {
  if (decision.verdict === "notify") access.recordPerformed(needNotice, decision.reasons);
  access.recordReplacedUnseen(unseenIn(record));
  if (intent.kind === "change") redactor.recordChanges(intent.changes);
}

const unseenIn = (record: ChangeRecord | undefined): readonly SafePath[] =>
  record?.effects.flatMap(({ isUnseen, path }) => (isUnseen ? [path] : [])) ?? [];

/** Recognises a commit that failed because something came between: planned again, it fits or says what is wrong. */
const isOvertaken = (error: unknown): error is Fault => hasCode(error, ...OVERTAKEN);

const OVERTAKEN: readonly Code[] = ["stale", "swapped", "exists", "not_found", "not_a_directory"];
