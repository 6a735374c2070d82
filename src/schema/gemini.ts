import type { JsonSchema } from "./listed-schema.ts";
import {
  ANYTHING,
  rewriteAll,
  isSchema,
  listedIn,
  mapParts,
  namedIn,
  onlyKeywords,
  requiredIn,
  type Rewrite,
} from "./subschemas.ts";
import { ANNOTATIONS } from "./references.ts";
import { unionOf, joinedObjects, oneOfTheseValues, valuesOf, wordsOf } from "./unions.ts";

/** Gives every array one `items` schema, as Gemini requires. */
export const listsOfOneKind: Rewrite = rewriteAll((schema) => {
  if (schema["type"] !== "array") return schema;
  const { prefixItems, items, ...rest } = schema;
  return {
    ...rest,
    items: unionOf([...schemasIn(prefixItems), ...(items === false ? [] : schemasIn([items ?? true]))]),
  };
});

const schemasIn = (list: unknown): readonly JsonSchema[] =>
  Array.isArray(list) ? list.map((each) => (isSchema(each) ? each : ANYTHING)) : [];

/**
 * Leaves at most one choice per type: objects are merged, enums united, and null becomes `nullable`. Works from the
 * outside in, because merging creates new choices inside. Expects the output of `oneTypeEach`.
 */
export const flattenUnions: Rewrite = (schema) => mapParts(flattenChoices(schema), flattenUnions);

function flattenChoices(schema: JsonSchema): JsonSchema {
  const choices = listedIn(schema, "anyOf");
  const [first, ...others] = kindsOf(choices).map(joinChoices);
  if (!first) return choices.length > 0 ? { ...onlyKeywords(schema, ANNOTATIONS), type: "null" } : schema;
  const marked = {
    ...first,
    ...onlyKeywords(schema, ANNOTATIONS),
    ...(choices.some(({ type }) => type === "null") && { nullable: true }),
  };
  // Annotations go into the first choice, because Gemini allows nothing beside anyOf.
  return others.length === 0 ? marked : { anyOf: [marked, ...others] };
}

/** Groups choices by type. "integer" joins "number" if both occur. */
function kindsOf(choices: readonly JsonSchema[]): readonly (readonly JsonSchema[])[] {
  const hasFractions = choices.some(({ type }) => type === "number");
  const kindOf = ({ type }: JsonSchema): unknown => (type === "integer" && hasFractions ? "number" : type);
  const kinds = new Set(choices.map(kindOf).filter((kind) => kind !== "null"));
  return [...kinds].map((kind) =>
    choices.filter((choice) => kindOf(choice) === kind).map((choice) => ({ ...choice, type: kind })),
  );
}

function joinChoices(choices: readonly JsonSchema[]): JsonSchema {
  const [first] = choices;
  if (choices.length === 1 && first) return first;
  const type = first?.["type"];
  if (type === "object") return joinedObjects(choices);
  if (type === "array")
    return { ...wordsOf(choices), type, items: unionOf(choices.flatMap(({ items }) => schemasIn([items]))) };
  return choices.every(valuesOf) ? oneOfTheseValues(choices) : { ...wordsOf(choices), type };
}

/** Keeps an enum only if all values are non-empty strings. */
export const onlyStringValues: Rewrite = rewriteAll((schema) => {
  const { enum: _, const: __, ...rest } = schema;
  const values = valuesOf(schema);
  if (!values) return schema;
  return values.every((value) => typeof value === "string" && value !== "") ? { ...rest, enum: values } : rest;
});

/** Removes names from `required` that have no property schema. */
export const onlyKnownRequired: Rewrite = rewriteAll((schema) => {
  const { required: _, ...rest } = schema;
  const known = requiredIn(schema).filter((name) => Object.hasOwn(namedIn(schema, "properties"), name));
  return known.length > 0 ? { ...rest, required: known } : rest;
});
