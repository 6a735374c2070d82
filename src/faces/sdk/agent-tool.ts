import { type Code, Fault, type FaultAnswer } from "../../base/errors.ts";
import type { OfferedTool, Reply, Surface } from "../../runtime/pipeline/surface.ts";
import type { JsonSchema } from "../../schema/listed-schema.ts";
import { type Block, textOf } from "../../tools/tool.ts";
import { detailsOf } from "./tool-details.ts";

/** A tool for an agent's loop: its description for the model, and the function to run when the model calls it. */
export interface AgentTool<Params = unknown, Details = Readonly<Record<string, unknown>>> {
  readonly name: string;
  /** The title for people. */
  readonly label: string;
  /** The description for the model. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonSchema;
  /** Is true if the provider can enforce the schema exactly (strict mode). */
  readonly strict?: boolean;
  /** Is true if only the owner of the agent may use the tool. */
  readonly ownerOnly?: boolean;
  /**
   * Runs the tool. Rejects with a `Fault` whose message is for the model. `onUpdate` receives progress of long calls.
   */
  execute(
    toolCallId: string,
    params: Params,
    signal?: AbortSignal,
    onUpdate?: (update: Progress) => void,
  ): Promise<AgentToolResult<Details>>;
}

export interface AgentToolResult<Details = Readonly<Record<string, unknown>>> {
  /** The content for the model. */
  readonly content: readonly ContentBlock[];
  /** The tool's structured output without what the content has already. A read adds `truncation`. */
  readonly details: Details;
}

/** Holds text, or media as base64. */
export type ContentBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio" | "resource"; readonly data: string; readonly mimeType: string };

export interface Progress {
  readonly done: number;
  readonly total?: number;
}

/** Passes progress on as one value. */
export const progressTo = (receive: ((progress: Progress) => void) | undefined) =>
  receive && ((done: number, total?: number) => receive({ done, ...(total && { total }) }));

/** Wraps a tool of a session. `name` renames it. */
export const agentToolOf = (tool: OfferedTool, call: Surface["call"], name = tool.name): AgentTool => ({
  name,
  label: tool.title,
  description: tool.description,
  parameters: tool.inputSchema(),
  ...(tool.ownerOnly && { ownerOnly: true }),
  async execute(_toolCallId, params, signal = new AbortController().signal, onUpdate) {
    const reply = await call({ tool: name, input: params, signal, progress: progressTo(onUpdate) });
    if (reply.isError) throw faultOf(reply);
    return { content: reply.blocks.map(contentOf), details: detailsOf(reply.data ?? {}) };
  },
});

/** Converts a failed reply into a fault whose message is the whole text for the model. */
function faultOf({ code, blocks, error }: Reply): Fault {
  const { code: _, message: __, hint: ___, ...details } = (error ?? {}) as Partial<FaultAnswer>;
  return new Fault(code as Code, textOf(blocks), details);
}

const contentOf = (block: Block): ContentBlock =>
  block.kind === "text"
    ? { type: "text", text: block.text }
    : { type: block.kind, data: block.data, mimeType: block.mime };

/** Returns a result as text. Media are replaced by their MIME type. */
export const textIn = ({ content }: AgentToolResult): string =>
  content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
