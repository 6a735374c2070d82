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

/** The same as JSON. A page of a file stands in both forms of its answer: it is turned into JSON once. */
export function toCallToolJson(outcome: Outcome): string {
  const { content } = outcome.data;
  const [first] = outcome.blocks;
  if (typeof content !== "string" || first?.kind !== "text" || first.text !== content) {
    return JSON.stringify(toCallToolResult(outcome));
  }
  const page = JSON.stringify(content);
  let blocks = `{"type":"text","text":${page}}`;
  for (const block of outcome.blocks.slice(1)) blocks += `,${JSON.stringify(toContent(block))}`;
  let data = "";
  for (const [name, value] of Object.entries(outcome.data)) {
    if (value === undefined) continue;
    data += `${data === "" ? "" : ","}"${name}":${value === content ? page : JSON.stringify(value)}`;
  }
  return `{"content":[${blocks}],"structuredContent":{${data}}}`;
}

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
