import * as z from "zod";

/**
 * Hosts show a model either the text of an answer or its data, seldom both. So notes appear in both; the text has them
 * in brackets.
 */
export const noted = {
  notes: z.array(z.string()).optional().describe("A cut and how to go on; what was left out or taken for granted"),
};
