import * as z from "zod";
import type { Annotations } from "../../tools/tool.ts";
import { type DialectAnswer, textAnswer } from "../dialect.ts";

/** The output schema of all tools but media: the text, repeated as data. */
export const TEXT_OUTPUT = z.object({ content: z.string() });
export const messageAnswer = (content: string): DialectAnswer => textAnswer(content, { content });

export const READ_ANNOTATIONS: Partial<Annotations> = { readOnlyHint: true, openWorldHint: false };
