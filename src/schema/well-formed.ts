import { isRecord } from "../base/json.ts";
import type { JsonSchema } from "./listed.ts";
import { ANYTHING, everywhere, type Rewrite } from "./parts.ts";

/**
 * Leaves out keywords whose value is of the wrong kind, such as `properties: null`, which some generators write for
 * "none": no validator heeds them, and providers refuse them. What should be a schema and is none takes anything.
 */
export const wellFormed: Rewrite = everywhere((schema) =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (fits(key, value) ? [[key, withSchemas(key, value)]] : [])),
  ),
);

type Fits = (value: unknown) => boolean;

const isText: Fits = (value) => typeof value === "string";
const isSchema: Fits = (value) => isRecord(value) || typeof value === "boolean";
const isType: Fits = (value) => isText(value) || (Array.isArray(value) && value.every(isText));
const isItems: Fits = (value) => isSchema(value) || Array.isArray(value);

const KINDS: Readonly<Record<string, Fits>> = {
  ...of(isRecord, "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
  ...of(Array.isArray, "anyOf", "oneOf", "allOf", "prefixItems", "required", "enum"),
  ...of(isSchema, "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
  ...of(isSchema, "contains", "propertyNames", "not", "if", "then", "else"),
  ...of(isText, "title", "description", "format", "pattern", "$ref"),
  type: isType,
  items: isItems,
};

function of(fit: Fits, ...keys: readonly string[]): Readonly<Record<string, Fits>> {
  return Object.fromEntries(keys.map((key) => [key, fit]));
}

const fits = (key: string, value: unknown): boolean => !Object.hasOwn(KINDS, key) || KINDS[key]?.(value) === true;

const withSchemas = (key: string, value: unknown): unknown =>
  NAMED.includes(key)
    ? Object.fromEntries(
        Object.entries(value as JsonSchema).map(([name, each]) => [name, isSchema(each) ? each : ANYTHING]),
      )
    : value;

const NAMED = ["properties", "patternProperties"];
