import type { JsonSchema } from "./listed-schema.ts";
import { isSchema, type Rewrite, typesIn } from "./subschemas.ts";
import { choicesOf, joinedObjects, withoutAllOf } from "./unions.ts";

/**
 * Makes the root one object, as arguments must be: a choice between objects becomes one object that accepts them all.
 */
export const objectAtRoot: Rewrite = (schema) => {
  const objects = choicesOf(withoutAllOf(schema)).filter(mayBeObject);
  const [first] = objects;
  return objects.length === 1 && first ? asObject(first) : joinedObjects(objects);
};

function mayBeObject(schema: JsonSchema): boolean {
  const types = typesIn(schema);
  return types.length === 0 || types.includes("object");
}

const asObject = ({ properties, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  type: "object",
  properties: isSchema(properties) ? properties : {},
});
