import type { JsonSchema } from "../../../schema/listed.ts";
import { type AgentTool, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** What the AI SDK knows a JSON Schema by; its own `jsonSchema()` sets the same mark. */
const MARK = Symbol.for("vercel.ai.schema");

export interface VercelTool {
  readonly description: string;
  readonly inputSchema: VercelSchema;
  /** Rejects for what goes wrong, with words for the model. */
  execute(input: unknown, options: VercelCall): Promise<string>;
}

export interface VercelSchema {
  readonly jsonSchema: JsonSchema;
  readonly validate: undefined;
}

interface VercelCall {
  readonly toolCallId: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/** Tools for `generateText` and `streamText` of Vercel's AI SDK, by name. Media are only named in what they answer. */
export const toVercelTools = (tools: readonly AgentTool[]): Record<string, VercelTool> =>
  Object.fromEntries(
    tools.map((tool) => {
      const { name, description, parameters, execute } = normalizeTool(tool, "generic");
      const inputSchema = { [MARK]: true, jsonSchema: parameters, validate: undefined };
      return [
        name,
        {
          description,
          inputSchema,
          execute: async (input, { toolCallId, abortSignal }) => textIn(await execute(toolCallId, input, abortSignal)),
        } satisfies VercelTool,
      ];
    }),
  );
