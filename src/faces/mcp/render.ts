import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { OfferedTool, Reply } from "../../runtime/surface.ts";
import { type ByteString, jsonBytesOf, saidInJson } from "../../text/utf8.ts";
import type { Block } from "../../tools/tool.ts";

/** What a call gave, on the wire. */
export const toCallToolResult = ({ isError, blocks, data, isSilent }: Reply): CallToolResult => ({
  content: blocks.map((block) => ({ ...toContent(block), ...(isSilent && FOR_THE_MODEL) })),
  ...(data && { structuredContent: data }),
  ...(isError && { isError }),
});

/** How the protocol says that a host need not show something. */
const FOR_THE_MODEL = { annotations: { audience: ["assistant" as const] } };

/** The same as JSON. A page or a tree stands in both forms of its answer: it is turned into JSON once. */
export function toCallToolJson(reply: Reply): ByteString {
  const { data: known, blocks: all } = reply;
  const [first] = all;
  const isPlain = !reply.isSilent && !reply.isError && known !== undefined && first?.kind === "text";
  if (!isPlain || !Object.values(known).includes(first.text)) return jsonBytesOf(toCallToolResult(reply));
  const page = saidInJson(first);
  let blocks = `{"type":"text","text":${page}}`;
  for (const block of all.slice(1)) blocks += `,${jsonBytesOf(toContent(block))}`;
  let data = "";
  for (const [name, value] of Object.entries(known)) {
    if (value === undefined) continue;
    data += `${data === "" ? "" : ","}${jsonBytesOf(name)}:${value === first.text ? page : jsonBytesOf(value)}`;
  }
  return `{"content":[${blocks}],"structuredContent":{${data}}}` as ByteString;
}

function toContent(block: Block): CallToolResult["content"][number] {
  switch (block.kind) {
    case "text":
      return { type: "text", text: block.text };
    case "resource":
      return { type: "resource", resource: { uri: block.uri, mimeType: block.mime, blob: block.data } };
    case "image":
    case "audio":
      return { type: block.kind, data: block.data, mimeType: block.mime };
  }
}

/** What a client is told of a tool. */
export const toListedTool = (tool: OfferedTool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  annotations: { ...tool.annotations },
  inputSchema: tool.inputSchema() as ListedTool["inputSchema"],
  ...(tool.outputSchema && { outputSchema: tool.outputSchema() }),
});
