import type { JsonSchema } from "../../../schema/listed-schema.ts";
import { type AgentTool, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** Fits `bindTools` and the tool nodes of LangChain. */
export interface LangChainTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema & { readonly type: "object" };
  /** Takes arguments, or a whole tool call. Rejects with an error whose message is for the model. */
  invoke(input: unknown, config?: LangChainConfig): Promise<string>;
}

interface LangChainConfig {
  readonly signal?: AbortSignal | undefined;
}

interface ToolCall {
  readonly type: "tool_call";
  readonly id?: string;
  readonly args: unknown;
}

/** Converts tools for LangChain and compatible libraries. Answers name media by MIME type instead of including them. */
export const toLangChainTools = (tools: readonly AgentTool[]): LangChainTool[] =>
  tools.map((tool) => {
    const { name, description, parameters, execute } = normalizeTool(tool, "generic");
    return {
      name,
      description,
      schema: { ...parameters, type: "object" },
      async invoke(input, config) {
        const { id = "", args } = isToolCall(input) ? input : { args: input };
        return textIn(await execute(id, args, config?.signal));
      },
    };
  });

const isToolCall = (input: unknown): input is ToolCall =>
  typeof input === "object" && input !== null && "type" in input && input.type === "tool_call" && "args" in input;
