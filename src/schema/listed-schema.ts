import * as z from "zod";

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Returns the schema of a tool's arguments for the model: names, types and meaning, without bounds and rare arguments.
 */
export function listedInput(input: z.ZodObject): JsonSchema {
  const listed = Object.entries(input.shape).filter(([, field]) => !(field as z.ZodType).meta()?.["unlisted"]);
  return jsonSchemaOf(z.object(Object.fromEntries(listed)));
}

/** Converts a zod schema for clients, without bounds and defaults. */
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

/** Converts a zod schema with bounds and defaults. */
export function exactSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _, additionalProperties: __, ...json } = z.toJSONSchema(schema, { io: "input" });
  return json;
}

/** Replaces a schema by the shorter one of `.meta({ listed })`. */
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
