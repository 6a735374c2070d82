import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { type AtEnd, scratch, stateBeside, together } from "../runtime/scratch.ts";
import { bareEnv, BIN, ERAS } from "./bin.ts";

/** A configuration of a client as the document of the reference server has it, */
const configOf = (directories: readonly string[]) => ({
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-filesystem", ...directories],
});

/** and what has to change in it: the name of the package, and the dialect. */
function changed({ args }: ReturnType<typeof configOf>) {
  const [, , ...directories] = args;
  return { command: process.execPath, args: [BIN, "--dialect", "mcp-filesystem", ...directories] };
}

async function started(options: object, atEnd: AtEnd) {
  const [one, other] = [scratch({ "a.txt": "one\ntwo\n", "d/b.txt": "b" }, atEnd), scratch({ "c.txt": "c" }, atEnd)];
  const client = new Client({ name: "drop-in", version: "1" }, options);
  atEnd(() => client.close());
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(one) });
  await client.connect(new StdioClientTransport({ ...changed(configOf([one, other])), env, stderr: "pipe" }));
  return { client, one, other };
}

/** The same text twice, as this server says it. */
const text = (content: string) => ({ content: [{ type: "text", text: content }], structuredContent: { content } });

const R = { readOnlyHint: true, openWorldHint: false };
const W = { readOnlyHint: false, openWorldHint: false };

/** The table of the document. */
const TOOLS = [
  ["read_file", "Read File (Deprecated)", R, ["path"]],
  ["read_text_file", "Read Text File", R, ["path"]],
  ["read_media_file", "Read Media File", R, ["path"]],
  ["read_multiple_files", "Read Multiple Files", R, ["paths"]],
  ["write_file", "Write File", { ...W, idempotentHint: true, destructiveHint: true }, ["path", "content"]],
  ["edit_file", "Edit File", { ...W, idempotentHint: false, destructiveHint: true }, ["path", "edits"]],
  ["create_directory", "Create Directory", { ...W, idempotentHint: true, destructiveHint: false }, ["path"]],
  ["list_directory", "List Directory", R, ["path"]],
  ["list_directory_with_sizes", "List Directory with Sizes", R, ["path"]],
  ["directory_tree", "Directory Tree", R, ["path"]],
  ["move_file", "Move File", { ...W, idempotentHint: false, destructiveHint: false }, ["source", "destination"]],
  ["search_files", "Search Files", R, ["path", "pattern"]],
  ["get_file_info", "Get File Info", R, ["path"]],
  ["list_allowed_directories", "List Allowed Directories", R, []],
];

describe.each(ERAS)("$era", ({ era, options }) => {
  const served = together((atEnd) => started(options, atEnd));

  it("lists the tools of the document", async () => {
    const { client } = served();
    expect(client.getNegotiatedProtocolVersion()).toBe(era);
    const { tools } = await client.listTools();
    const listed = tools.map(({ name, title, annotations, inputSchema }) => [
      name,
      title,
      annotations,
      inputSchema.required ?? [],
    ]);
    expect(listed).toEqual(TOOLS);
    for (const { outputSchema } of tools) expect(outputSchema).toMatchObject({ required: ["content"] });
  });

  it("answers as text and as data that fits its schema", async () => {
    const { client, one, other } = served();
    await client.listTools();
    const call = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input });
    expect(await call("list_allowed_directories", {})).toMatchObject(text(`Allowed directories:\n${one}\n${other}`));
    expect(await call("read_text_file", { path: join(other, "c.txt") })).toMatchObject(text("c"));
    expect(await call("search_files", { path: one, pattern: "**/*.txt" })).toMatchObject(
      text(`${join(one, "a.txt")}\n${join(one, "d/b.txt")}`),
    );
    const blob = { uri: `file://${one}/a.txt`, mimeType: "application/octet-stream", blob: "b25lCnR3bwo=" };
    const media = { content: [{ type: "resource", resource: blob }] };
    expect(await call("read_media_file", { path: join(one, "a.txt") })).toMatchObject({
      ...media,
      structuredContent: media,
    });
    const refused = await call("read_text_file", { path: "/etc/passwd" });
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^Access denied - /) }] });
    expect(refused.structuredContent).toBeUndefined();
  });

  it("loses none of many edits at once", async () => {
    const { client, one } = served();
    const path = join(one, "many.txt");
    const names = Array.from({ length: 20 }, (_, index) => `line ${index + 100}`);
    writeFileSync(path, `${names.join("\n")}\n`);
    const edit = (name: string) =>
      client.callTool({
        name: "edit_file",
        arguments: { path, edits: [{ oldText: name, newText: `${name} edited` }] },
      });
    await Promise.all(names.map(edit));
    expect(readFileSync(path, "utf8")).toBe(names.map((name) => `${name} edited\n`).join(""));
  });
});
