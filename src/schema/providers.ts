import { flattenUnions, listsOfOneKind, onlyKnownRequired, onlyStringValues } from "./gemini.ts";
import { toDraft2020 } from "./draft-2020.ts";
import { rewriteAll, onlyKeywords, type Rewrite, withoutKeywords } from "./subschemas.ts";
import { inlineReferences } from "./references.ts";
import { objectAtRoot } from "./object-root.ts";
import { closeObjects } from "./strict.ts";
import { oneTypeEach } from "./one-type-each.ts";
import { wellFormed } from "./well-formed.ts";

/**
 * Makes a schema that every provider accepts: no references, no malformed keywords, draft 2020-12, an object as root.
 */
const COMMON: readonly Rewrite[] = [inlineReferences, wellFormed, toDraft2020, objectAtRoot];

/** Lists the keywords about the shape of values. */
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

/** Maps each provider to the rewrites that it needs. Sources and dates: docs/decisions/020. */
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
  return rewriteAll((schema) => onlyKeywords(schema, keywords));
}

function dropping(...keywords: readonly string[]): Rewrite {
  return rewriteAll((schema) => withoutKeywords(schema, keywords));
}
