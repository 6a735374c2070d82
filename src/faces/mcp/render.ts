import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { Outcome } from "../../runtime/call.ts";
import { jsonSchemaOf, listedInput } from "../../schema/listed.ts";
import type { Block, Tool } from "../../tools/tool.ts";

/** What a call gave, on the wire. */
export const toCallToolResult = ({ isError, blocks, data }: Outcome): CallToolResult => ({
  content: blocks.map(toContent),
  structuredContent: data,
  ...(isError && { isError }),
});

const toContent = (block: Block): CallToolResult["content"][number] =>
  block.kind === "text"
    ? { type: "text", text: block.text }
    : { type: block.kind, data: block.data, mimeType: block.mime };

/** What a client is told of a tool. */
export const toListedTool = ({ name, title, description, annotations, input, output }: Tool): ListedTool => ({
  name,
  title,
  description,
  annotations: { ...annotations },
  inputSchema: listedInput(input) as ListedTool["inputSchema"],
  outputSchema: jsonSchemaOf(output),
});
