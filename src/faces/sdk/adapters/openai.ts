import { isFault } from "../../../base/errors.ts";
import { type AgentTool, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

export interface OpenAIOptions {
  /** Uses strict mode for every tool whose schema allows it. */
  readonly strict?: boolean;
}

/** Fits `client.chat.completions.runTools` and `client.chat.completions.create`. */
export interface OpenAIChatTool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    readonly strict: boolean;
    parse(args: string): object;
    /** Does not reject when the tool fails: the model gets the error as text. */
    function(args: object): Promise<string>;
  };
}

/** Fits `client.responses.create`. */
export interface OpenAIResponsesTool {
  readonly type: "function";
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly strict: boolean;
}

/** The part of a response that calls a tool. */
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

/** Converts tools for chat completions of the SDK of OpenAI. */
export const toOpenAIChatTools = (tools: readonly AgentTool[], options: OpenAIOptions = {}): OpenAIChatTool[] =>
  forOpenAI(tools, options).map((tool) => ({
    type: "function",
    function: {
      ...definitionOf(tool),
      parse: parseArguments,
      function: (args) => answerOf(tool, "", () => args),
    },
  }));

/** Converts tools for the Responses API of the SDK of OpenAI, with a function that answers the calls of a response. */
export function toOpenAIResponsesTools(tools: readonly AgentTool[], options: OpenAIOptions = {}) {
  const ready = forOpenAI(tools, options);
  return {
    tools: ready.map((tool): OpenAIResponsesTool => ({ type: "function", ...definitionOf(tool) })),
    /** Does not reject when the tool fails: the model gets the error as text. */
    async answer(call: OpenAIFunctionCall, signal?: AbortSignal): Promise<OpenAIFunctionCallOutput> {
      const tool = ready.find(({ name }) => name === call.name);
      const output = tool
        ? await answerOf(tool, call.call_id, () => parseArguments(call.arguments), signal)
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

/** Throws a `SyntaxError` with a message for the model when its arguments are not JSON. */
function parseArguments(args: string): object {
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
