import { expect, it } from "vitest";
import { toCallToolJson, toCallToolResult } from "../../src/faces/mcp/render.ts";
import type { Reply } from "../../src/runtime/pipeline/surface.ts";

const page = 'caf\u00e9 \u2039secret:A#1\u203a "quoted"\n';
const text = { kind: "text" as const, text: page };
const ok = { isError: false, code: "ok" };
const error = { code: "denied" as const, message: page, hint: "Ask." };

const REPLIES: readonly (Reply & { readonly name: string })[] = [
  { name: "a page that is also data", ...ok, blocks: [text], data: { path: "a", content: page, total: undefined } },
  { name: "a page that is data twice", ...ok, blocks: [text], data: { [page]: 1, content: page, old: page } },
  { name: "a page and an equal note", ...ok, blocks: [text, text], data: { content: page, notes: [page] } },
  { name: "a text without data", ...ok, blocks: [text] },
  { name: "an empty text", ...ok, blocks: [{ kind: "text", text: "" }], data: { content: "", next: "" } },
  { name: "a text for the model only", ...ok, blocks: [text], data: { content: page }, isSilent: true },
  { name: "a fault", isError: true, code: "denied", blocks: [text], data: { content: page }, error },
  { name: "a picture", ...ok, blocks: [{ kind: "image", data: "AA==", mime: "image/png" }], data: { size: 1 } },
  { name: "no block", ...ok, blocks: [], data: {} },
];

it.each(REPLIES)("serializes $name as JSON.stringify does", (reply) => {
  const sent = Buffer.from(toCallToolJson(reply), "latin1").toString();
  expect(sent).toBe(JSON.stringify(toCallToolResult(reply)));
});
