import type { JsonSchema } from "./listed-schema.ts";
import { rewriteAll, isSchema, onlyKeywords, type Rewrite, typesIn, withoutKeywords } from "./subschemas.ts";
import { ANNOTATIONS } from "./references.ts";
import { choicesOf, isAnything, valuesOf, withoutAllOf } from "./unions.ts";

/** Gives every schema exactly one type. Several types become an `anyOf`, one level deep. */
export const oneTypeEach: Rewrite = rewriteAll((schema) => {
  const whole = withoutAllOf(schema);
  const words = onlyKeywords(whole, ANNOTATIONS);
  const choices = choicesOf(withoutKeywords(whole, ANNOTATIONS)).flatMap(byType);
  const [first] = choices;
  if (choices.length === 1 && first) return { ...first, ...words };
  return choices.some(isAnything) ? words : { ...words, anyOf: choices };
});

/** Splits a schema with several types into one per type. */
function byType(schema: JsonSchema): readonly JsonSchema[] {
  const types = typesMeant(schema);
  if (types.length <= 1) return [{ ...schema, ...(types.length === 1 && { type: types[0] }) }];
  return types.map((type) => ofType(schema, type)).filter((each) => valuesOf(each)?.length !== 0);
}

/** Returns the types of `type`, or else of the values, or else the one that other keywords imply. */
function typesMeant(schema: JsonSchema): readonly string[] {
  const named = typesIn(schema);
  if (named.length > 0) return named;
  const values = valuesOf(schema);
  if (values) return [...new Set(values.map(typeOf))];
  if (isSchema(schema["properties"])) return ["object"];
  return schema["items"] === undefined && schema["prefixItems"] === undefined ? [] : ["array"];
}

function ofType(schema: JsonSchema, type: string): JsonSchema {
  const others = Object.entries(ONLY_FOR).flatMap(([owner, keywords]) => (owner === type ? [] : keywords));
  const kept = withoutKeywords(schema, [...others, ...ANNOTATIONS]);
  const values = valuesOf(kept);
  return {
    ...withoutKeywords(kept, ["enum", "const"]),
    ...(values && { enum: values.filter((value) => isOfType(value, type)) }),
    type,
  };
}

const isOfType = (value: unknown, type: string): boolean => {
  const actual = typeOf(value);
  return actual === type || (actual === "integer" && type === "number");
};

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const ONLY_FOR: Readonly<Record<string, readonly string[]>> = {
  object: ["properties", "patternProperties", "additionalProperties", "required"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"],
};
