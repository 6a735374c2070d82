import type { LayerName, TemplateName } from "../base/verdicts.ts";
import type { RuleEntry } from "./rule.ts";

/** A rule with the place it was written at, such as "config.jsonc:12". */
export interface WrittenRule extends RuleEntry {
  readonly origin: string;
}

/** Rules of one origin. A template says what holds where none of the rules beside it speaks. */
export interface Layer {
  readonly name: LayerName;
  readonly rules: readonly WrittenRule[];
  readonly template?: { readonly name: TemplateName; readonly origin: string } | undefined;
  /** Where its relative patterns begin; at every root unless told. */
  readonly roots?: readonly string[];
  /** Why the file cannot be used. What it might have blocked is not known: nothing is changed while it is so. */
  readonly unusable?: { readonly reason: string; readonly file: string } | undefined;
}
