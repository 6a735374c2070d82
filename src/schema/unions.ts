import type { JsonSchema } from "./listed.ts";
import { ANYTHING, isSchema, listedIn, namedIn, only, requiredIn, without } from "./parts.ts";
import { ANNOTATIONS } from "./references.ts";

/** Without `allOf`: what its parts say stands beside the rest. */
export const withoutAllOf = (schema: JsonSchema): JsonSchema =>
  listedIn(schema, "allOf").reduce(both, without(schema, ["allOf"]));

/** What a schema leaves to choose from, each choice with all that holds for it; itself where there is no choice. */
export function choicesOf(schema: JsonSchema): readonly JsonSchema[] {
  const rest = without(schema, ["anyOf", "oneOf"]);
  const choices = [...listedIn(schema, "anyOf"), ...("anyOf" in schema ? [] : listedIn(schema, "oneOf"))];
  if (choices.length === 0) return [rest];
  return choices.flatMap((choice) => choicesOf(withoutAllOf(both(choice, rest))));
}

/** Takes at least what both take. */
function both(first: JsonSchema, other: JsonSchema): JsonSchema {
  const second = without(other, TOGETHER.filter((group) => group.some((key) => key in first)).flat());
  const required = [...new Set([...requiredIn(first), ...requiredIn(second)])];
  return without(
    {
      ...second,
      ...first,
      ...mergedNames("properties", first, second),
      ...mergedNames("patternProperties", first, second),
      ...(required.length > 0 && { required }),
      ...(("additionalProperties" in first || "additionalProperties" in second) && {
        additionalProperties: stricter(first["additionalProperties"], second["additionalProperties"]),
      }),
    },
    ["unevaluatedProperties", "unevaluatedItems"],
  );
}

/** Keywords that mean something only together: taken from one side. */
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
    return [name, mine ? both(mine, each) : each];
  });
  return { [key]: { ...ours, ...Object.fromEntries(merged) } };
}

const stricter = (first: unknown, second: unknown): unknown =>
  first === false || second === false ? false : (first ?? second);

/** One object that takes what any of these objects takes: all their names, needed only where all need them. */
export function joinedObjects(objects: readonly JsonSchema[]): JsonSchema {
  const named = namesOf(objects);
  const [first, ...others] = objects.map((object) => new Set(requiredIn(object)));
  const required = [...(first ?? [])].filter((name) => named.has(name) && others.every((needed) => needed.has(name)));
  return {
    ...wordsOf(objects),
    type: "object",
    properties: Object.fromEntries([...named].map(([name, schemas]) => [name, either(schemas)])),
    ...(required.length > 0 && { required }),
    ...(objects.some(isOpen)
      ? { additionalProperties: true }
      : objects.every(isClosed) && { additionalProperties: false }),
  };
}

/** All that the objects take under each name. Who takes any name takes anything under those he does not know. */
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

/** Takes more than it names. Who names properties and says no more means no others. */
export function isOpen(object: JsonSchema): boolean {
  const { additionalProperties: extra, patternProperties: patterns } = object;
  if (isSchema(patterns)) return true;
  return extra === undefined ? !isSchema(object["properties"]) : extra !== false;
}

const isClosed = (object: JsonSchema): boolean => object["additionalProperties"] === false;

/** Takes what any of these takes, in as few words as possible. */
export function either(schemas: readonly JsonSchema[]): JsonSchema {
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

/** A schema that is nothing but a choice stands for its choices. */
const bareChoices = (schema: JsonSchema): readonly JsonSchema[] =>
  Object.keys(without(schema, ANNOTATIONS)).join(" ") === "anyOf" ? listedIn(schema, "anyOf") : [schema];

const keyOf = (schema: JsonSchema): string => JSON.stringify(without(schema, ANNOTATIONS));

export const isAnything = (schema: JsonSchema): boolean => Object.keys(without(schema, ANNOTATIONS)).length === 0;

/** The values of `enum` or `const`. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  if ("const" in schema) return [schema["const"]];
  const values: unknown = schema["enum"];
  return Array.isArray(values) ? values : undefined;
}

/** All of the values of schemas of one type. */
export function oneOfTheseValues(schemas: readonly JsonSchema[]): JsonSchema {
  const type = schemas[0]?.["type"];
  const values = schemas.flatMap((schema) => valuesOf(schema) ?? []);
  return {
    ...wordsOf(schemas),
    ...(type !== undefined && { type }),
    enum: [...new Map(values.map((value) => [JSON.stringify(value), value])).values()],
  };
}

/** The words of the first that has any. */
export const wordsOf = (schemas: readonly JsonSchema[]): JsonSchema =>
  schemas.toReversed().reduce<JsonSchema>((words, schema) => ({ ...words, ...only(schema, ANNOTATIONS) }), {});
