import { isRecord } from "../base/json.ts";
import type { JsonSchema } from "./listed-schema.ts";

/** Rewrites a schema so that at least the same values are valid. */
export type Rewrite = (schema: JsonSchema) => JsonSchema;

/** Accepts every value. */
export const ANYTHING: JsonSchema = {};

/** Rewrites every direct subschema. */
export const mapParts = (schema: JsonSchema, rewrite: Rewrite): JsonSchema =>
  Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, mapValue(key, value, rewrite)]));

/** Rewrites a schema and all its subschemas, the innermost first. */
export const rewriteAll = (rewrite: Rewrite): Rewrite => {
  const visit: Rewrite = (schema) => rewrite(mapParts(schema, visit));
  return visit;
};

/** Returns a schema and all its subschemas. */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = [];
  rewriteAll((part) => {
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

/** List the keywords that hold schemas: by name, in a list, or one. `items` may be a list in older drafts. */
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

/** Accepts objects only. `true` and `false` are schemas as well, but have no subschemas. */
export const isSchema: (value: unknown) => value is JsonSchema = isRecord;

/** Returns the schemas of a keyword by name. */
export const namedIn = (
  schema: JsonSchema,
  key: "properties" | "patternProperties",
): Readonly<Record<string, JsonSchema>> =>
  isSchema(schema[key])
    ? Object.fromEntries(Object.entries(schema[key]).map(([name, each]) => [name, isSchema(each) ? each : ANYTHING]))
    : {};

/** Returns the schemas in the list of a keyword. `true` becomes `ANYTHING`, `false` is left out. */
export const listedIn = (schema: JsonSchema, key: "anyOf" | "oneOf" | "allOf"): readonly JsonSchema[] => {
  const list: unknown = schema[key];
  if (!Array.isArray(list)) return [];
  return list.filter((each) => each !== false).map((each: unknown) => (isSchema(each) ? each : ANYTHING));
};

export const requiredIn = ({ required }: JsonSchema): readonly string[] =>
  Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];

/** Returns the types in `type`. */
export const typesIn = ({ type }: JsonSchema): readonly string[] =>
  (Array.isArray(type) ? type : [type]).filter((each) => typeof each === "string");

export function withoutKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keywords.includes(key)));
}

export function onlyKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keywords.includes(key)));
}
