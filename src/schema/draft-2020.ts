import type { JsonSchema } from "./listed-schema.ts";
import { rewriteAll, type Rewrite, typesIn, withoutKeywords } from "./subschemas.ts";
import { isAnything, valuesOf } from "./unions.ts";

/** Converts keywords of older drafts and of OpenAPI to draft 2020-12. */
export const toDraft2020: Rewrite = rewriteAll((schema) =>
  modernItems(
    withNull(
      withoutKeywords(
        schema,
        Object.keys(schema).filter((key) => isObsolete(key, schema[key])),
      ),
    ),
  ),
);

/** Returns true for keywords that were removed, or whose values had another type. */
function isObsolete(key: string, value: unknown): boolean {
  if (key === "exclusiveMinimum" || key === "exclusiveMaximum") return typeof value === "boolean";
  if (key === "required") return !Array.isArray(value);
  return key === "dependencies" || key === "id" || key === "divisibleBy" || key === "extends";
}

/** Converts a list in `items` to `prefixItems`, and `additionalItems` to `items`. */
function modernItems(schema: JsonSchema): JsonSchema {
  const { items, additionalItems, ...rest } = schema;
  if (!Array.isArray(items)) return withoutKeywords(schema, ["additionalItems"]);
  return {
    ...rest,
    ...(items.length > 0 && { prefixItems: items }),
    ...(additionalItems !== undefined && { items: additionalItems }),
  };
}

/** Converts OpenAPI's `nullable`. */
function withNull(schema: JsonSchema): JsonSchema {
  const { nullable, ...rest } = schema;
  return nullable === true && !isAnything(rest) ? orNull(rest) : rest;
}

/** Returns the schema with null allowed as well. */
export function orNull(schema: JsonSchema): JsonSchema {
  const types = typesIn(schema);
  const { anyOf, enum: values } = schema;
  if (types.includes("null")) return schema;
  if (Array.isArray(anyOf) && types.length === 0 && valuesOf(schema) === undefined) {
    return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  }
  if (types.length === 0 || anyOf !== undefined || "const" in schema) return { anyOf: [schema, { type: "null" }] };
  return { ...schema, type: [...types, "null"], ...(Array.isArray(values) && { enum: [...values, null] }) };
}
