import { randomUUID } from "node:crypto";
import type { CallToolResult, Tool as ListedTool } from "@modelcontextprotocol/server";
import type { OfferedTool, Reply } from "../../runtime/pipeline/surface.ts";
import { type ByteString, jsonBytesOf, asJsonString } from "../../text/encoding/utf8.ts";
import type { Block } from "../../tools/tool.ts";
import { viewMetaOf } from "./apps.ts";

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
 * Serializes a reply as JSON. A page or a tree is both text and structured content, so it is serialized once: a mark
 * stands for it while the rest is serialized (docs/decisions/028).
 */
export function toCallToolJson(reply: Reply): ByteString {
  const [page] = reply.blocks;
  if (page?.kind !== "text") return jsonBytesOf(toCallToolResult(reply));
  const parts = jsonBytesOf(toCallToolResult(withMark(reply, page))).split(MARK_JSON);
  return parts.join(asJsonString(page)) as ByteString;
}

/** Puts the mark in place of the first block's text, there and in the data. */
function withMark(reply: Reply, page: Extract<Block, { kind: "text" }>): Reply {
  const fields = reply.data && Object.entries(reply.data);
  const data = fields && Object.fromEntries(fields.map(([name, value]) => [name, value === page.text ? MARK : value]));
  return { ...reply, blocks: [{ ...page, text: MARK }, ...reply.blocks.slice(1)], data };
}

/** Is random, so that no name or content can be mistaken for it. */
const MARK = randomUUID();
const MARK_JSON = JSON.stringify(MARK);

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

/** Converts a tool for the list of tools, with its view for a client that shows views. */
export const toListedTool = (tool: OfferedTool, showsViews: boolean): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  annotations: { ...tool.annotations },
  inputSchema: tool.inputSchema() as ListedTool["inputSchema"],
  ...(tool.outputSchema && { outputSchema: tool.outputSchema() }),
  ...(showsViews && viewMetaOf(tool.name)),
});
