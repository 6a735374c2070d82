import type { SafePath } from "../../storage/storage.ts";
import type { OutwardIntent } from "../../tools/tool.ts";
import type { View } from "../../workspace/view.ts";
import type { EffectfulIntent } from "../pipeline/effectful-intent.ts";
import type { CallEffect } from "./call-effect.ts";
import { type EffectPart, effectPartOf } from "./effect-part.ts";

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
  if (intent.kind === "command") return intent.effect;
  const { changes, preview, command } = intent;
  const parts: EffectPart[] = [];
  for (const change of changes) {
    await view.checkpoint();
    parts.push(await effectPartOf(change, view));
  }
  const recoverable = !parts.some(({ action }) => action === "erase");
  return { summary: preview, ...(command !== undefined && { command }), parts, recoverable };
}
