import { hash } from "node:crypto";
import type { EffectPart } from "./effect-part.ts";

/** Describes completely what a call would do, for the person who has to approve it. Nothing is cut. */
export interface CallEffect {
  /** Describes it in the words of the tool. */
  readonly summary: string;
  /** The command that made the changes, where one did. */
  readonly command?: string | undefined;
  readonly parts: readonly EffectPart[];
  /** Is true where undo or restore can bring back what is lost. A read can never be taken back. */
  readonly recoverable: boolean;
}

/** Identifies exactly one effect of one tool. */
export const digestOf = (tool: string, effect: CallEffect): string =>
  hash("sha256", JSON.stringify([tool, effect]), "hex");
