import { Fault } from "../base/errors.ts";
import type { Breathe } from "../base/slices.ts";
import type { Answer, ChangeIntent, Intent } from "../tools/tool.ts";
import type { Session } from "./session.ts";

/** What a performed call gives back to whoever asked. */
export type Performed = Omit<Answer, "kind">;

/** On whose behalf an intent is performed. */
export interface Acting {
  readonly session: Session;
  readonly tool: string;
  readonly breathe: Breathe;
}

/** The only place where a call touches the world. */
export async function perform(intent: Intent, acting: Acting): Promise<Performed> {
  switch (intent.kind) {
    case "answer":
      return intent;
    case "change":
      return change(intent, acting);
  }
}

async function change(intent: ChangeIntent, { session, tool, breathe }: Acting): Promise<Performed> {
  if (intent.isDryRun || intent.changes.length === 0) return intent.tell(null);
  const { writing } = session.workspace;
  if (!writing) throw new Fault("denied", "Cannot change anything: this session is read-only");
  const author = { session: session.facts.id, principal: session.principal, tool };
  const record = await writing.commit(intent, { author, breathe });
  const { blocks, data } = intent.tell(record);
  return { blocks, data: { ...data, change_id: record.id } };
}

/** What an approver sees: the same data that `perform` acts on. */
export function preview(intent: Intent): string {
  switch (intent.kind) {
    case "answer":
      return "answer";
    case "change":
      return intent.preview;
  }
}
