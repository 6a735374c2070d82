import * as z from "zod";

type JsonSchema = Readonly<Record<string, unknown>>;

/** What a model is shown of a tool's arguments: names, types and meaning. Bounds and rare arguments still hold. */
export function listedInput(input: z.ZodObject): JsonSchema {
  const listed = Object.entries(input.shape).filter(([, field]) => !(field as z.ZodType).meta()?.["unlisted"]);
  return jsonSchemaOf(z.object(Object.fromEntries(listed)));
}

/** A schema for clients, without what they need not know. */
export function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  const {
    $schema: _,
    additionalProperties: __,
    ...json
  } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const bound of BOUNDS) delete jsonSchema[bound];
    },
  });
  return json;
}

const BOUNDS = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "default",
  "unlisted",
  "additionalProperties",
] as const;
