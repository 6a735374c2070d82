import type { Answer, Intent } from "../tools/tool.ts";

/** What a performed call gives back to whoever asked. */
export type Performed = Omit<Answer, "kind">;

/** The only place where a call touches the world. Looking is done by then: an answer changes nothing. */
export async function perform(intent: Intent): Promise<Performed> {
  switch (intent.kind) {
    case "answer":
      return intent;
  }
}

/** What an approver sees: the same data that `perform` acts on. */
export function preview(intent: Intent): string {
  switch (intent.kind) {
    case "answer":
      return "answer";
  }
}
