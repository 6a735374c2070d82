import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, together } from "../runtime/scratch.ts";
import { connect, ERAS } from "./bin.ts";

interface Envelope {
  readonly success: boolean;
  readonly error?: { readonly code: string };
}

const PIXEL = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]);

describe.each(ERAS)("$era", ({ options }) => {
  const served = together(async (atEnd) => {
    const root = scratch({ "config.json": "{}", "data/pixel.png": PIXEL }, atEnd);
    const archive = scratch({ "old.txt": "old" }, atEnd);
    const args = ["--dialect", "fractary", "--source", `archive=${archive}`];
    const client = await connect(root, options, atEnd, args);
    const ask = async (tool: string, input: Record<string, unknown> = {}) => {
      const answer = await client.callTool({ name: `fractary_file_${tool}`, arguments: input });
      const [first, ...besides] = answer.content as readonly { readonly text: string }[];
      const envelope = JSON.parse(first?.text ?? "") as Envelope;
      // What succeeded is there twice: for clients that read text, and for those that read data.
      const notes = besides.map(({ text }) => text.slice(1, -1));
      const both = { ...envelope, ...(notes.length > 0 && { notes }) };
      expect(answer.structuredContent).toEqual(envelope.success ? both : undefined);
      expect(answer.isError ?? false).toBe(!envelope.success);
      return envelope;
    };
    return { root, archive, client, ask };
  });

  it("lists the documented tools with the documented parameters", async () => {
    const { tools } = await served().client.listTools();
    const shown = tools.map(({ name, inputSchema: { properties = {}, required = [] } }) => [
      name,
      Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`)),
    ]);
    expect(shown).toEqual([
      ["fractary_file_read", ["path", "encoding?", "source?", "offset?", "length?"]],
      ["fractary_file_write", ["path", "content", "encoding?", "overwrite?", "append?", "source?"]],
      ["fractary_file_list", ["path?", "pattern?", "recursive?", "source?"]],
      ["fractary_file_delete", ["path", "source?"]],
      ["fractary_file_exists", ["path", "source?"]],
      ["fractary_file_copy", ["source", "destination", "overwrite?", "sourceStorage?"]],
      ["fractary_file_move", ["source", "destination", "overwrite?", "sourceStorage?"]],
    ]);
  });

  it("reads, writes, copies, moves and deletes", async () => {
    const { ask, root, client } = served();
    // From here on the client judges every answer by the schema of its tool.
    await client.listTools();
    expect(await ask("read", { path: "config.json" })).toEqual({
      success: true,
      data: { path: "config.json", content: "{}", size: 2 },
    });
    expect(await ask("write", { path: "new/a", content: "x" })).toEqual({
      success: true,
      data: { path: "new/a", fullPath: join(root, "new/a"), size: 1 },
    });
    expect(await ask("copy", { source: "data/pixel.png", destination: "data/b.png" })).toMatchObject({ success: true });
    expect(readFileSync(join(root, "data/b.png"))).toEqual(PIXEL);
    expect(await ask("move", { source: "data/b.png", destination: "data/b.png" })).toMatchObject({ success: true });
    expect(await ask("move", { source: "data/b.png", destination: "data/c.png" })).toMatchObject({ success: true });
    expect(await ask("list", { path: "data", recursive: true })).toEqual({
      success: true,
      data: {
        files: ["data/c.png", "data/pixel.png"].map((path) => ({
          path,
          name: path.slice(5),
          size: PIXEL.length,
          isDirectory: false,
          modifiedAt: expect.any(String),
        })),
      },
    });
    expect(await ask("delete", { path: "data/c.png" })).toEqual({
      success: true,
      data: { path: "data/c.png", deleted: true },
    });
    expect(await ask("exists", { path: "data/c.png" })).toEqual({
      success: true,
      data: { path: "data/c.png", exists: false },
    });
  });

  it("uses a named source, and never local disk in place of one", async () => {
    const { ask, root, archive } = served();
    expect(await ask("read", { path: "old.txt", source: "archive" })).toMatchObject({ data: { content: "old" } });
    expect(await ask("write", { path: "b", content: "x", source: "archive" })).toMatchObject({ success: true });
    expect(await ask("write", { path: "b", content: "x", source: "s3" })).toEqual({
      success: false,
      error: { code: "INVALID_ARGUMENT", message: "Unknown source 's3': the sources are archive" },
    });
    expect([existsSync(join(root, "b")), existsSync(join(archive, "b"))]).toEqual([false, true]);
  });

  it("refuses with the documented codes", async () => {
    const { ask } = served();
    const code = async (tool: string, input: Record<string, unknown>) => (await ask(tool, input)).error?.code;
    expect([
      await code("read", { path: "missing.json" }),
      await code("read", { path: "../x" }),
      await code("write", { path: "config.json", content: "" }),
      await code("read", { path: "data" }),
      await code("list", { path: "config.json" }),
      await code("read", {}),
    ]).toEqual(["NOT_FOUND", "PATH_TRAVERSAL", "ALREADY_EXISTS", "IS_DIRECTORY", "IS_FILE", "INVALID_ARGUMENT"]);
  });
});
