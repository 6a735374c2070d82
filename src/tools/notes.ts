import * as z from "zod";

/** Hosts show a model the text of an answer or its data, seldom both. Notes stand in both: in the text in brackets. */
export const noted = {
  notes: z.array(z.string()).optional().describe("A cut and how to go on; what was left out or taken for granted"),
};
