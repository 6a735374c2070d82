import * as z from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

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
      if (jsonSchema["listed"] !== undefined) replace(jsonSchema, jsonSchema["listed"] as JsonSchema);
      for (const bound of BOUNDS) delete jsonSchema[bound];
    },
  });
  return json;
}

/** The schema as it is, bounds and defaults included. */
export function exactSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, additionalProperties: __, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json;
}

/** `.meta({ listed })` says shortly what zod can only say at length. */
function replace(schema: Record<string, unknown>, shorter: JsonSchema): void {
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(schema, shorter);
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
