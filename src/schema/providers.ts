import { flattenUnions, listsOfOneKind, onlyKnownRequired, onlyStringValues } from "./gemini.ts";
import { toDraft2020 } from "./modern.ts";
import { everywhere, only, type Rewrite, without } from "./parts.ts";
import { inlineReferences } from "./references.ts";
import { objectAtRoot } from "./root.ts";
import { closeObjects } from "./strict.ts";
import { oneTypeEach } from "./typed.ts";
import { wellFormed } from "./well-formed.ts";

/** What every provider takes: no references, no malformed keywords, the current draft, one object at the root. */
const COMMON: readonly Rewrite[] = [inlineReferences, wellFormed, toDraft2020, objectAtRoot];

/** What remains of a schema that may only say which shape values have. */
const SHAPE = [
  "type",
  "title",
  "description",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "allOf",
  "items",
  "prefixItems",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
];

const BOUNDS = [
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
  "contains",
  "minContains",
  "maxContains",
];

const CONDITIONS = ["not", "if", "then", "else", "dependentRequired", "dependentSchemas"];

/** What has to be done to a schema before a provider takes it. Sources and dates: docs/decisions/020. */
export const PROVIDERS = {
  anthropic: COMMON,
  openai: COMMON,
  "openai-strict": [
    ...COMMON,
    keeping(...SHAPE, "minItems", "maxItems", "minimum", "maximum", "multipleOf"),
    oneTypeEach,
    closeObjects,
  ],
  gemini: [
    ...COMMON,
    keeping(...SHAPE),
    oneTypeEach,
    listsOfOneKind,
    flattenUnions,
    onlyStringValues,
    onlyKnownRequired,
    keeping("type", "title", "description", "enum", "nullable", "anyOf", "items", "properties", "required"),
  ],
  xai: [...COMMON, dropping(...BOUNDS, ...CONDITIONS), oneTypeEach],
  generic: COMMON,
} as const satisfies Readonly<Record<string, readonly Rewrite[]>>;

export type Provider = keyof typeof PROVIDERS;

function keeping(...keywords: readonly string[]): Rewrite {
  return everywhere((schema) => only(schema, keywords));
}

function dropping(...keywords: readonly string[]): Rewrite {
  return everywhere((schema) => without(schema, keywords));
}
