import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { type DialectAnswer, textAnswer } from "../dialect.ts";

/** Wraps an answer in the documented envelope, as text and as data. */
export function successEnvelope(data: Readonly<Record<string, unknown>>): DialectAnswer {
  const envelope = { success: true, data };
  return textAnswer(JSON.stringify(envelope), envelope);
}

export const envelopeSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ success: z.literal(true), data: z.object(shape) });

export const filePath = z.string().max(LIMITS.pathBytes);
export const encoding = z
  .string()
  .max(LIMITS.quotedNameChars)
  .default("utf-8")
  .describe('File encoding; "base64" for bytes');
export const overwrite = z.boolean().default(false).describe("Whether to overwrite if the file exists");
/** Is not in the documentation, but fractary's program takes it. */
export const source = z.string().max(LIMITS.quotedNameChars).optional().describe("Named storage; default: the base");
