import type { JsonSchema } from "./listed-schema.ts";
import { orNull } from "./draft-2020.ts";
import { rewriteAll, isSchema, namedIn, partsOf, requiredIn, type Rewrite, typesIn } from "./subschemas.ts";
import { choicesOf, isOpen, withoutAllOf } from "./unions.ts";

/** Makes all properties required, with null for absent ones. Objects with arbitrary names stay as they are. */
export const closeObjects: Rewrite = rewriteAll((schema) => {
  if (schema["type"] !== "object" || isOpen(schema)) return schema;
  const properties = Object.entries(namedIn(schema, "properties"));
  const needed = requiredIn(schema);
  return {
    ...schema,
    properties: Object.fromEntries(
      properties.map(([name, property]) => [name, needed.includes(name) ? property : orNull(property)]),
    ),
    required: properties.map(([name]) => name),
    additionalProperties: false,
  };
});

/** Returns true if a rewritten schema can be strict: every part has a type, and every object is closed. */
export const isStrict = (schema: JsonSchema): boolean =>
  partsOf(schema).every((part) => {
    const types = typesIn(part);
    if (types.includes("object")) return part["additionalProperties"] === false;
    if (types.includes("array")) return isSchema(part["items"]);
    return types.length > 0 || Array.isArray(part["anyOf"]);
  });

/** Removes nulls of optional properties, which strict mode uses for absent ones. */
export function withoutNulls(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(value)) {
    const { items } = schema;
    return isSchema(items) ? value.map((each) => withoutNulls(items, each)) : value;
  }
  if (!isSchema(value)) return value;
  const object = objectFor(schema, value);
  const properties = namedIn(object, "properties");
  const isLeftOut = (name: string, each: unknown): boolean =>
    each === null && Object.hasOwn(properties, name) && !requiredIn(object).includes(name);
  const kept = Object.entries(value).filter(([name, each]) => !isLeftOut(name, each));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutNulls(properties[name] ?? {}, each)]));
}

/** Returns the first choice that has all the names of the value. */
const objectFor = (schema: JsonSchema, value: JsonSchema): JsonSchema =>
  choicesOf(withoutAllOf(schema)).find((choice) =>
    Object.keys(value).every((name) => Object.hasOwn(namedIn(choice, "properties"), name)),
  ) ?? {};
