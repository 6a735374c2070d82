import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { OfferedTool, Reply } from "../../runtime/pipeline/surface.ts";
import { type ByteString, jsonBytesOf, asJsonString } from "../../text/encoding/utf8.ts";
import type { Block } from "../../tools/tool.ts";

/**
 * Converts a reply for the wire. A failure has no structured content, because older clients validate that against the
 * output schema and drop the whole answer when it does not match. Programs find the error in `_meta`, models in the
 * text.
 */
export const toCallToolResult = ({ isError, blocks, data, error, isSilent }: Reply): CallToolResult => ({
  ...(error && { _meta: { [ERROR_META_KEY]: error } }),
  content: blocks.map((block) => ({ ...toContent(block), ...(isSilent && FOR_THE_MODEL) })),
  ...(data && !isError && { structuredContent: data }),
  ...(isError && { isError }),
});

const ERROR_META_KEY = "holdfast/error";

/** Marks content that a host need not show to the user. */
const FOR_THE_MODEL = { annotations: { audience: ["assistant" as const] } };

/**
 * Serializes a reply as JSON, in parts that are written one after the other. A page or a tree is both text and
 * structured content, so it is serialized once and written twice.
 */
export function toCallToolJson(reply: Reply): readonly ByteString[] {
  const { data: known, blocks: all } = reply;
  const [first] = all;
  const isPlain = !reply.isSilent && !reply.error && known !== undefined && first?.kind === "text";
  if (!isPlain || !Object.values(known).includes(first.text)) return [jsonBytesOf(toCallToolResult(reply))];
  const page = asJsonString(first);
  const others = all.slice(1).map((block) => `,${jsonBytesOf(toContent(block))}`);
  const fields = Object.entries(known)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value], nth) => [
      `${nth === 0 ? "" : ","}${jsonBytesOf(name)}:`,
      value === first.text ? page : jsonBytesOf(value),
    ]);
  const parts = [
    `{"content":[{"type":"text","text":`,
    page,
    "}",
    ...others,
    `],"structuredContent":{`,
    ...fields,
    "}}",
  ];
  return parts as readonly string[] as readonly ByteString[];
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

/** Converts a tool for the list of tools. */
export const toListedTool = (tool: OfferedTool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  annotations: { ...tool.annotations },
  inputSchema: tool.inputSchema() as ListedTool["inputSchema"],
  ...(tool.outputSchema && { outputSchema: tool.outputSchema() }),
});
