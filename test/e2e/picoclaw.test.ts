import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, stateBeside, together } from "../runtime/scratch.ts";
import { connect, ERAS, run } from "./bin.ts";

const ARGS = ["--dialect", "picoclaw"];

describe.each(ERAS)("$era", ({ options }) => {
  const served = together(async (atEnd) => {
    const root = scratch({ "src/go.mod": "module x\n", "src/pkg": null }, atEnd);
    return { root, client: await connect(root, options, atEnd, ARGS) };
  });

  it("lists its tools, and nothing else", async () => {
    const { client } = served();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, inputSchema }) => [name, inputSchema.required ?? []])).toEqual([
      ["read_file", ["path"]],
      ["write_file", ["path", "content"]],
      ["list_dir", []],
      ["edit_file", ["path", "old_text", "new_text"]],
      ["append_file", ["path", "content"]],
    ]);
    expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    expect(client.getInstructions()).toBeUndefined();
  });

  it("writes silently, lists and reads", async () => {
    const { client, root } = served();
    await client.listTools();
    expect(await client.callTool({ name: "write_file", arguments: { path: "new/a", content: "x" } })).toMatchObject({
      content: [{ type: "text", text: "File written: new/a", annotations: { audience: ["assistant"] } }],
      structuredContent: { message: "File written: new/a" },
    });
    expect(readFileSync(join(root, "new/a"), "utf8")).toBe("x");
    expect(await client.callTool({ name: "list_dir", arguments: { path: "src" } })).toMatchObject({
      content: [{ type: "text", text: "FILE: go.mod\nDIR:  pkg\n" }],
    });
    expect(await client.callTool({ name: "read_file", arguments: { path: "src/go.mod" } })).toMatchObject({
      content: [{ type: "text", text: "module x\n" }],
      structuredContent: { content: "module x\n" },
    });
  });

  it("refuses in its own words", async () => {
    const { client } = served();
    expect(await client.callTool({ name: "read_file", arguments: { path: "../../etc/passwd" } })).toMatchObject({
      isError: true,
      content: [
        { text: "access denied: path is outside the workspace" },
        { text: expect.stringMatching(/^The workspace/) },
      ],
    });
  });
});

it.each([
  { umask: 0o002, file: 0o644, directory: 0o755 },
  { umask: 0o077, file: 0o600, directory: 0o700 },
])("gives what is new the modes of its document, less the umask $umask", async ({ umask, file, directory }) => {
  const root = scratch();
  const before = process.umask(umask);
  try {
    const input = JSON.stringify({ path: "d/a", content: "x" });
    const { code } = await run(["call", "write_file", input, "--root", root, "--state", stateBeside(root), ...ARGS]);
    expect(code).toBe(0);
  } finally {
    process.umask(before);
  }
  const modes = ["d/a", "d"].map((name) => lstatSync(join(root, name)).mode & 0o777);
  expect(modes).toEqual([file, directory]);
});
