import type { LayerName, TemplateName } from "../base/verdicts.ts";
import type { RuleEntry } from "./rule.ts";

/** A rule with its origin, such as "config.jsonc:12". */
export interface RuleWithOrigin extends RuleEntry {
  readonly origin: string;
}

/** Holds the rules of one origin. A template decides where none of the layer's rules match. */
export interface Layer {
  readonly name: LayerName;
  readonly rules: readonly RuleWithOrigin[];
  readonly template?: { readonly name: TemplateName; readonly origin: string } | undefined;
  /** The directories that relative patterns start at. Defaults to every root. */
  readonly roots?: readonly string[];
  /** Is set if the file cannot be used. As it might have blocked something, all changes are refused meanwhile. */
  readonly unusable?: { readonly reason: string; readonly file: string } | undefined;
}
