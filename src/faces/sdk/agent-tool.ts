import { type Code, Fault, type FaultAnswer } from "../../base/errors.ts";
import type { OfferedTool, Reply, Surface } from "../../runtime/pipeline/surface.ts";
import type { JsonSchema } from "../../schema/listed.ts";
import { type Block, textOf } from "../../tools/tool.ts";
import { detailsOf } from "./details.ts";

/** A tool as agent loops take it: what a model is shown, and what to do when it asks. */
export interface AgentTool<Params = unknown, Details = Readonly<Record<string, unknown>>> {
  readonly name: string;
  /** For people. */
  readonly label: string;
  /** For the model. */
  readonly description: string;
  /** The JSON Schema of its arguments. */
  readonly parameters: JsonSchema;
  /** The parameters are such that a model can be held to them to the letter. */
  readonly strict?: boolean;
  /** Only for the person whom the agent belongs to. */
  readonly ownerOnly?: boolean;
  /** Rejects with a `Fault` whose message is for the model. `onUpdate` hears how far a long call has come. */
  execute(
    toolCallId: string,
    params: Params,
    signal?: AbortSignal,
    onUpdate?: (update: Progress) => void,
  ): Promise<AgentToolResult<Details>>;
}

export interface AgentToolResult<Details = Readonly<Record<string, unknown>>> {
  /** What the model reads. */
  readonly content: readonly ContentBlock[];
  /** The tool's structured output without what the content has already. Of a read also `truncation`. */
  readonly details: Details;
}

/** Media are base64. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio" | "resource"; readonly data: string; readonly mimeType: string };

export interface Progress {
  readonly done: number;
  readonly total?: number;
}

/** One of the tools of a session; `name` when it goes by another. */
export const agentToolOf = (tool: OfferedTool, call: Surface["call"], name = tool.name): AgentTool => ({
  name,
  label: tool.title,
  description: tool.description,
  parameters: tool.inputSchema(),
  ...(tool.ownerOnly && { ownerOnly: true }),
  async execute(_toolCallId, params, signal = new AbortController().signal, onUpdate) {
    const progress = onUpdate && ((done: number, total?: number) => onUpdate({ done, ...(total && { total }) }));
    const reply = await call({ tool: name, input: params, signal, progress });
    if (reply.isError) throw faultOf(reply);
    return { content: reply.blocks.map(contentOf), details: detailsOf(reply.data ?? {}) };
  },
});

/** The whole text that a model should read, as an error. */
function faultOf({ code, blocks, error }: Reply): Fault {
  const { code: _, message: __, hint: ___, ...details } = (error ?? {}) as Partial<FaultAnswer>;
  return new Fault(code as Code, textOf(blocks), details);
}

const contentOf = (block: Block): ContentBlock =>
  block.kind === "text"
    ? { type: "text", text: block.text }
    : { type: block.kind, data: block.data, mimeType: block.mime };

/** What of a result can be read as text; media are only named. */
export const textIn = ({ content }: AgentToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
