import * as z from "zod";
import { answer, defineTool, type Intent, READ_ONLY, type Tool } from "../../src/tools/tool.ts";
import type { View } from "../../src/workspace/view.ts";

/** A tool that wants what it is told to want. */
export const wanting = (name: string, plan: (view: View) => unknown, more: Partial<Tool> = {}): Tool =>
  defineTool({
    ...more,
    name,
    title: name,
    description: `Does ${name}.`,
    annotations: more.annotations ?? READ_ONLY,
    input: z.strictObject({}),
    output: z.object({ said: z.string() }),
    plan: async (_, view) => (await plan(view)) as Intent,
  });

/** A tool that says one thing. */
export const saying = (name: string, said = name, more: Partial<Tool> = {}): Tool =>
  wanting(name, () => answer(said, { said }), more);
