import { isFault } from "../../../base/errors.ts";
import { type AgentTool, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

export interface OpenAIOptions {
  /** Models are held to the parameters to the letter, wherever a tool's parameters allow it. */
  readonly strict?: boolean;
}

/** For `client.chat.completions.runTools`, and as they are for `client.chat.completions.create`. */
export interface OpenAIChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly strict: boolean;
    parse(args: string): object;
    /** Never rejects for what goes wrong: the model reads of it. */
    function(args: object): Promise<string>;
  };
}

/** For `client.responses.create`. */
export interface OpenAIResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean;
}

/** The part of a response that asks for a tool, and the item that answers it. */
export interface OpenAIFunctionCall {
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

export interface OpenAIFunctionCallOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

/** Tools for chat completions by the SDK of OpenAI. */
export const toOpenAIChatTools = (tools: readonly AgentTool[], options: OpenAIOptions = {}): OpenAIChatTool[] =>
  forOpenAI(tools, options).map((tool) => ({
    type: "function",
    function: {
      ...definitionOf(tool),
      parse: parsed,
      function: (args) => answerOf(tool, "", () => args),
    },
  }));

/** Tools for responses by the SDK of OpenAI, and what answers the calls that a response has. */
export function toOpenAIResponsesTools(tools: readonly AgentTool[], options: OpenAIOptions = {}) {
  const ready = forOpenAI(tools, options);
  return {
    tools: ready.map((tool): OpenAIResponsesTool => ({ type: "function", ...definitionOf(tool) })),
    /** Never rejects for what goes wrong: the model reads of it. */
    async answer(call: OpenAIFunctionCall, signal?: AbortSignal): Promise<OpenAIFunctionCallOutput> {
      const tool = ready.find(({ name }) => name === call.name);
      const output = tool
        ? await answerOf(tool, call.call_id, () => parsed(call.arguments), signal)
        : `Error: there is no tool ${JSON.stringify(call.name)}; the tools are ${ready.map(({ name }) => name).join(", ")}`;
      return { type: "function_call_output", call_id: call.call_id, output };
    },
  };
}

const forOpenAI = (tools: readonly AgentTool[], { strict }: OpenAIOptions): readonly AgentTool[] =>
  tools.map((tool) => normalizeTool(tool, strict ? "openai-strict" : "openai"));

const definitionOf = ({ name, description, parameters, strict = false }: AgentTool) => ({
  name,
  description,
  parameters: parameters as Record<string, unknown>,
  strict,
});

/** A model may write what is no JSON. */
function parsed(args: string): object {
  try {
    return JSON.parse(args === "" ? "{}" : args) as object;
  } catch {
    throw new SyntaxError("the arguments are not JSON: write them again");
  }
}

async function answerOf(tool: AgentTool, id: string, read: () => object, signal?: AbortSignal): Promise<string> {
  try {
    return textIn(await tool.execute(id, read(), signal));
  } catch (error) {
    if (!isFault(error) && !(error instanceof SyntaxError)) throw error;
    return `Error: ${error.message}`;
  }
}
