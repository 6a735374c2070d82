import { isRecord } from "../base/json.ts";
import type { JsonSchema } from "./listed.ts";

/** A change of a schema after which at least the same values are valid. */
export type Rewrite = (schema: JsonSchema) => JsonSchema;

/** Every value is valid. */
export const ANYTHING: JsonSchema = {};

/** The same with every schema directly inside it rewritten. */
export const mapParts = (schema: JsonSchema, rewrite: Rewrite): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapValue(key, value, rewrite)]));

/** Rewrites a schema and all that is in it, the innermost first. */
export const everywhere = (rewrite: Rewrite): Rewrite => {
  const visit: Rewrite = (schema) => rewrite(mapParts(schema, visit));
  return visit;
};

/** All schemas in a schema, and itself. */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = [];
  everywhere((part) => {
    parts.push(part);
    return part;
  })(schema);
  return parts;
}

function mapValue(key: string, value: unknown, rewrite: Rewrite): unknown {
  if (NAMED.includes(key) && isSchema(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, mapOne(each, rewrite)]));
  }
  if (Array.isArray(value)) return LISTED.includes(key) ? value.map((each) => mapOne(each, rewrite)) : value;
  return SINGLE.includes(key) ? mapOne(value, rewrite) : value;
}

const mapOne = (value: unknown, rewrite: Rewrite): unknown => (isSchema(value) ? rewrite(value) : value);

/** Keywords that hold schemas: by name, in a list, or one. `items` was a list once. */
const NAMED = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
const LISTED = ["anyOf", "oneOf", "allOf", "prefixItems", "items"];
const SINGLE = [
  "items",
  "additionalItems",
  "additionalProperties",
  "unevaluatedItems",
  "unevaluatedProperties",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
];

/** A schema is an object; `true` and `false`, which are schemas as well, have no parts. */
export const isSchema: (value: unknown) => value is JsonSchema = isRecord;

/** The schemas that a keyword names. */
export const namedIn = (
  schema: JsonSchema,
  key: "properties" | "patternProperties",
): Readonly<Record<string, JsonSchema>> =>
  isSchema(schema[key])
    ? Object.fromEntries(Object.entries(schema[key]).map(([name, each]) => [name, isSchema(each) ? each : ANYTHING]))
    : {};

/** The schemas that a keyword lists. `true` takes anything, `false` nothing. */
export const listedIn = (schema: JsonSchema, key: "anyOf" | "oneOf" | "allOf"): readonly JsonSchema[] => {
  const list: unknown = schema[key];
  if (!Array.isArray(list)) return [];
  return list.filter((each) => each !== false).map((each: unknown) => (isSchema(each) ? each : ANYTHING));
};

export const requiredIn = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

/** The types that a schema names. */
export const typesIn = ({ type }: JsonSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string");

export function without(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

export function only(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)));
}
