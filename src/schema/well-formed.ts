import { isRecord } from "../base/json.ts";
import type { JsonSchema } from "./listed-schema.ts";
import { ANYTHING, rewriteAll, type Rewrite } from "./subschemas.ts";

/**
 * Removes keywords with values of the wrong type, such as `properties: null`, which some generators write for "none".
 * Validators ignore them, and providers reject them. A subschema that is not a schema becomes `ANYTHING`.
 */
export const wellFormed: Rewrite = rewriteAll((schema) =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) =>
      isValidValue(key, value) ? [[key, withSchemas(key, value)]] : [],
    ),
  ),
);

type ValueTest = (value: unknown) => boolean;

const isText: ValueTest = (value) => typeof value === "string";
const isSchema: ValueTest = (value) => isRecord(value) || typeof value === "boolean";
const isType: ValueTest = (value) => isText(value) || (Array.isArray(value) && value.every(isText));
const isItems: ValueTest = (value) => isSchema(value) || Array.isArray(value);

const VALUE_TESTS: Readonly<Record<string, ValueTest>> = {
  ...testEach(isRecord, "properties", "patternProperties", "dependentSchemas", "$defs", "definitions"),
  ...testEach(Array.isArray, "anyOf", "oneOf", "allOf", "prefixItems", "required", "enum"),
  ...testEach(isSchema, "additionalItems", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"),
  ...testEach(isSchema, "contains", "propertyNames", "not", "if", "then", "else"),
  ...testEach(isText, "title", "description", "format", "pattern", "$ref"),
  type: isType,
  items: isItems,
};

function testEach(test: ValueTest, ...keys: readonly string[]): Readonly<Record<string, ValueTest>> {
  return Object.fromEntries(keys.map((key) => [key, test]));
}

const isValidValue = (key: string, value: unknown): boolean =>
  !Object.hasOwn(VALUE_TESTS, key) || VALUE_TESTS[key]?.(value) === true;

const withSchemas = (key: string, value: unknown): unknown =>
  NAMED.includes(key)
    ? Object.fromEntries(
        Object.entries(value as JsonSchema).map(([name, each]) => [name, isSchema(each) ? each : ANYTHING]),
      )
    : value;

const NAMED = ["properties", "patternProperties"];
