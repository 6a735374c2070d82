import type { JsonSchema } from "./listed-schema.ts";
import { ANYTHING, isSchema, listedIn, namedIn, onlyKeywords, requiredIn, withoutKeywords } from "./subschemas.ts";
import { ANNOTATIONS } from "./references.ts";

/** Merges the parts of `allOf` into the schema. */
export const withoutAllOf = (schema: JsonSchema): JsonSchema =>
  listedIn(schema, "allOf").reduce(mergeSchemas, withoutKeywords(schema, ["allOf"]));

/**
 * Returns the choices of `anyOf` or `oneOf`, each merged with the rest of the schema. Without any, returns the schema.
 */
export function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  const rest = withoutKeywords(schema, ["anyOf", "oneOf"]);
  const choices = [...listedIn(schema, "anyOf"), ...("anyOf" in schema ? [] : listedIn(schema, "oneOf"))];
  if (choices.length === 0) return [rest];
  return choices.flatMap((choice) => choicesOf(withoutAllOf(mergeSchemas(choice, rest))));
}

/** Merges two schemas. The result accepts at least the values that both accept. */
function mergeSchemas(first: JsonSchema, other: JsonSchema): JsonSchema {
  const second = withoutKeywords(other, TOGETHER.filter((group) => group.some((key) => key in first)).flat());
  const required = [...new Set([...requiredIn(first), ...requiredIn(second)])];
  return withoutKeywords(
    {
      ...second,
      ...first,
      ...mergedNames("properties", first, second),
      ...mergedNames("patternProperties", first, second),
      ...(required.length > 0 && { required }),
      ...(("additionalProperties" in first || "additionalProperties" in second) && {
        additionalProperties: stricterBound(first["additionalProperties"], second["additionalProperties"]),
      }),
    },
    ["unevaluatedProperties", "unevaluatedItems"],
  );
}

/** Groups keywords that depend on each other, and must be taken from the same side. */
const TOGETHER = [
  ["if", "then", "else"],
  ["contains", "minContains", "maxContains"],
  ["prefixItems", "items"],
];

function mergedNames(key: "properties" | "patternProperties", first: JsonSchema, second: JsonSchema): JsonSchema {
  if (!isSchema(first[key]) && !isSchema(second[key])) return {};
  const [ours, theirs] = [namedIn(first, key), namedIn(second, key)];
  const merged = Object.entries(theirs).map(([name, each]): [string, JsonSchema] => {
    const mine = Object.hasOwn(ours, name) ? ours[name] : undefined;
    return [name, mine ? mergeSchemas(mine, each) : each];
  });
  return { [key]: { ...ours, ...Object.fromEntries(merged) } };
}

const stricterBound = (first: unknown, second: unknown): unknown =>
  first === false || second === false ? false : (first ?? second);

/**
 * Returns one object that accepts what any of these accepts: all their properties, required only where all require it.
 */
export function joinedObjects(objects: readonly JsonSchema[]): JsonSchema {
  const named = namesOf(objects);
  const [first, ...others] = objects.map((object) => new Set(requiredIn(object)));
  const required = [...(first ?? [])].filter((name) => named.has(name) && others.every((needed) => needed.has(name)));
  return {
    ...wordsOf(objects),
    type: "object",
    properties: Object.fromEntries([...named].map(([name, schemas]) => [name, unionOf(schemas)])),
    ...(required.length > 0 && { required }),
    ...(objects.some(isOpen)
      ? { additionalProperties: true }
      : objects.every(isClosed) && { additionalProperties: false }),
  };
}

/** Collects the schemas of each name. An open object accepts anything for names that it does not list. */
function namesOf(objects: readonly JsonSchema[]): ReadonlyMap<string, readonly JsonSchema[]> {
  const named = new Map<string, JsonSchema[]>();
  for (const [name, schema] of objects.flatMap((object) => Object.entries(namedIn(object, "properties")))) {
    const schemas = named.get(name);
    if (schemas) schemas.push(schema);
    else named.set(name, [schema]);
  }
  const open = objects.filter(isOpen).map((object) => namedIn(object, "properties"));
  for (const [name, schemas] of named) if (open.some((known) => !Object.hasOwn(known, name))) schemas.push(ANYTHING);
  return named;
}

/** Returns true if an object accepts other names. One with `properties` and nothing else is treated as closed. */
export function isOpen(object: JsonSchema): boolean {
  const { additionalProperties: extra, patternProperties: patterns } = object;
  if (isSchema(patterns)) return true;
  return extra === undefined ? !isSchema(object["properties"]) : extra !== false;
}

const isClosed = (object: JsonSchema): boolean => object["additionalProperties"] === false;

/** Returns a short schema that accepts what any of these accepts. */
export function unionOf(schemas: readonly JsonSchema[]): JsonSchema {
  const choices = schemas.flatMap(bareChoices);
  if (choices.some(isAnything)) return wordsOf(schemas);
  const different = [...new Map(choices.map((choice) => [keyOf(choice), choice])).values()];
  const [first] = different;
  if (different.length === 1 && first) return { ...first, ...wordsOf(schemas) };
  const isOneList = different.every(valuesOf) && new Set(different.map(({ type }) => JSON.stringify(type))).size === 1;
  return isOneList
    ? { ...oneOfTheseValues(different), ...wordsOf(schemas) }
    : { ...wordsOf(schemas), anyOf: different };
}

/** Replaces a schema that is only an `anyOf` by its choices. */
const bareChoices = (schema: JsonSchema): readonly JsonSchema[] =>
  Object.keys(withoutKeywords(schema, ANNOTATIONS)).join(" ") === "anyOf" ? listedIn(schema, "anyOf") : [schema];

const keyOf = (schema: JsonSchema): string => JSON.stringify(withoutKeywords(schema, ANNOTATIONS));

export const isAnything = (schema: JsonSchema): boolean =>
  Object.keys(withoutKeywords(schema, ANNOTATIONS)).length === 0;

/** Returns the values of `enum` or `const`. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  const values: unknown = schema["enum"];
  return Array.isArray(values) ? values : undefined;
}

/** Unites the values of schemas of one type. */
export function oneOfTheseValues(schemas: readonly JsonSchema[]): JsonSchema {
  const type = schemas[0]?.["type"];
  const values = schemas.flatMap((schema) => valuesOf(schema) ?? []);
  return {
    ...wordsOf(schemas),
    ...(type !== undefined && { type }),
    enum: [...new Map(values.map((value) => [JSON.stringify(value), value])).values()],
  };
}

/** Returns title and description, each from the first schema that has it. */
export const wordsOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.toReversed().reduce<JsonSchema>((words, schema) => ({ ...words, ...onlyKeywords(schema, ANNOTATIONS) }), {});
