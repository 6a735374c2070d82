import { hash } from "node:crypto";
import type { SafePath } from "../../storage/storage.ts";
import type { EffectfulIntent, OutwardIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import { type EffectPart, effectPartOf } from "./effect-part.ts";

/** Describes completely what a call would do, for the person who has to approve it. Nothing is cut. */
export interface CallEffect {
  /** Describes it in the words of the tool. */
  readonly summary: string;
  readonly parts: readonly EffectPart[];
  /** Is true where undo or restore can bring back what is lost. A read can never be taken back. */
  readonly recoverable: boolean;
}

/** Identifies exactly one effect of one tool. */
export const digestOf = (tool: string, effect: CallEffect): string =>
  hash("sha256", JSON.stringify([tool, effect]), "hex");

/** Describes the effect of opening these places. */
export const readEffect = (places: readonly SafePath[]): CallEffect => ({
  summary: `read ${places.join(", ")}`,
  parts: places.map((path) => ({ action: "read", path })),
  recoverable: false,
});

const outwardEffect = ({ target, sends }: OutwardIntent): CallEffect => ({
  summary: target,
  parts: [{ action: "call", path: target, sends }],
  recoverable: false,
});

/** Describes what an intent would do. The view must be unrestricted: the person asked has to see everything. */
export async function effectOf(intent: EffectfulIntent, view: View): Promise<CallEffect> {
  if (intent.kind === "watch") return readEffect(intent.does === "begin" ? [intent.filter.scope.target] : []);
  if (intent.kind === "outward") return outwardEffect(intent);
  const { changes, preview } = intent;
  const parts: EffectPart[] = [];
  for (const change of changes) {
    await view.checkpoint();
    parts.push(await effectPartOf(change, view));
  }
  return { summary: preview, parts, recoverable: !parts.some(({ action }) => action === "erase") };
}
