import type { JsonSchema } from "../../../schema/listed-schema.ts";
import { type AgentTool, type AgentToolResult, textIn } from "../agent-tool.ts";
import { normalizeTool } from "../normalize-tool.ts";

/** Fits `client.beta.messages.toolRunner` and `client.messages.create`. */
export interface AnthropicTool {
  readonly type: "custom";
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonSchema & { readonly type: "object" };
  parse(content: unknown): unknown;
  /** Rejects with an error whose message is for the model. */
  run(input: unknown, context?: AnthropicContext): Promise<AnthropicContent[]>;
}

interface AnthropicContext {
  readonly toolUse?: { readonly id: string };
  readonly signal?: AbortSignal | null | undefined;
}

export type AnthropicContent =
  | { type: "text"; text: string }
  | { type: "image"; source: { type: "base64"; media_type: AnthropicImage; data: string } };

type AnthropicImage = (typeof IMAGES)[number];

const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** Converts tools for the SDK of Anthropic. */
export const toAnthropicTools = (tools: readonly AgentTool[]): AnthropicTool[] =>
  tools.map((tool) => {
    const { name, description, parameters, execute } = normalizeTool(tool, "anthropic");
    return {
      type: "custom",
      name,
      description,
      input_schema: { ...parameters, type: "object" },
      parse: (content) => content,
      run: async (input, context) =>
        contentOf(await execute(context?.toolUse?.id ?? "", input, context?.signal ?? undefined)),
    };
  });

const contentOf = ({ content, details }: AgentToolResult): AnthropicContent[] =>
  content.map((block) => {
    const media_type = IMAGES.find((each) => block.type === "image" && each === block.mimeType);
    if (block.type === "text" || media_type === undefined)
      return { type: "text", text: textIn({ content: [block], details }) };
    return { type: "image", source: { type: "base64", media_type, data: block.data } };
  });
