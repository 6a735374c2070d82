import { closeSync, existsSync, ftruncateSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, vi } from "vitest";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import type { Tool } from "../../src/tools/tool.ts";
import { scratch, stateBeside, together } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { connect, ERAS, saying } from "./bin.ts";

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const TREE = { "a.txt": "one\ntwo\n", "sub/b.txt": "b", "dot.png": PNG };

const DESTRUCTIVE = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };

const call = (client: Client, name: string, input: Record<string, unknown> = {}) =>
  client.callTool({ name, arguments: input });

/** Lists what an agent gets by default: all but what runs commands. */
const SHOWN = BUILTIN_TOOLS.filter(({ catalogue }) => !["runtime", "archives"].includes(catalogue.group));

describe.each(ERAS)("$era", ({ era, options }) => {
  const client = together((atEnd) => connect(scratch(TREE, atEnd), options, atEnd));

  it("speaks this revision and says who it is", async () => {
    expect(client().getNegotiatedProtocolVersion()).toBe(era);
    expect(client().getServerVersion()).toEqual({ name: "holdfast", title: "Holdfast", version: expect.any(String) });
    expect(client().getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true },
      extensions: { "io.modelcontextprotocol/ui": {} },
      prompts: {},
      completions: {},
      logging: {},
    });
    expect(client().getInstructions()).toContain("relative to the roots");
  });

  it("lists the tools, each with a title, annotations and both schemas", async () => {
    const { tools } = await client().listTools();
    expect(tools.map(({ name, title, annotations }) => ({ name, title, annotations }))).toEqual(
      // What resumes the calls of other tools may do all that they do.
      SHOWN.map(({ name, title, annotations, resumesCalls }: Tool) => ({
        name,
        title,
        annotations: resumesCalls ? DESTRUCTIVE : annotations,
      })),
    );
    for (const { description, inputSchema, outputSchema } of tools) {
      expect(description).toMatch(/\.$/);
      expect(inputSchema).toMatchObject({ type: "object", properties: {} });
      expect(outputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
    }
  });

  it.each([
    { tool: "read", input: { path: "a.txt" }, text: "one\ntwo\n", data: { content: "one\ntwo\n", total_lines: 2 } },
    {
      tool: "read",
      input: { paths: ["a.txt", "none"] },
      text: /one\ntwo\n[^]*does not exist/,
      data: { files: [{}, {}] },
    },
    { tool: "ls", input: {}, text: /^a\.txt 8\n/, data: { total: 3, truncated: false } },
    { tool: "list", input: { path: "sub" }, text: "b.txt 1", data: { total: 1 } },
    { tool: "tree", input: {}, text: "./\n  sub/\n    b.txt\n  a.txt\n  dot.png", data: { total: 4, shown: 4 } },
    { tool: "find", input: { pattern: "*.txt" }, text: "a.txt\nsub/b.txt", data: { total_matches: 2 } },
    { tool: "glob", input: { pattern: ["*.png"] }, text: "dot.png", data: { total_matches: 1, truncated: false } },
    { tool: "grep", input: { pattern: "tw." }, text: "a.txt\n2:1 two", data: { total_matches: 1, truncated: false } },
    { tool: "stat", input: { path: "a.txt" }, text: /^a\.txt: file, 8 bytes/, data: { exists: true, type: "file" } },
    { tool: "stat", input: { path: "none" }, text: "none: does not exist", data: { exists: false } },
    {
      tool: "session",
      input: {},
      text: /pages of 51200 bytes\nhidden: compress, extract \(.*\)\nhidden: exec, process \(exec: commands are off.*\)$/,
      data: { profile: "files" },
    },
    {
      tool: "session_status",
      input: {},
      text: /read, write/,
      data: { hidden_tools: [{ tool: "compress" }, { tool: "exec" }, { tool: "extract" }, { tool: "process" }] },
    },
  ])("answers $tool $input in words and in data that fits its schema", async ({ tool, input, text, data }) => {
    await client().listTools();
    const { content, structuredContent, isError } = await call(client(), tool, input);
    const words = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    expect(words).toEqual(saying(text));
    expect(structuredContent).toMatchObject(data);
    expect(isError).toBeUndefined();
  });

  it("shows an image as it is", async () => {
    const { content, structuredContent } = await call(client(), "read", { path: "dot.png" });
    expect(content).toEqual([
      { type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
      { type: "text", text: `[image/png of 1x1 pixels, ${PNG.length} bytes]` },
    ]);
    expect(structuredContent).toMatchObject({ mime: "image/png", size: PNG.length, truncated: false });
  });

  it.each([
    { tool: "read", input: { path: "../up.txt" }, code: "outside_workspace" },
    { tool: "read", input: { path: "none.txt" }, code: "not_found" },
    { tool: "read", input: { path: "sub" }, code: "not_a_file" },
    { tool: "read", input: { paht: "a.txt" }, code: "invalid_input" },
    { tool: "reed", input: {}, code: "unknown_tool" },
  ])("answers $tool $input with $code, and goes on", async ({ tool, input, code }) => {
    await client().listTools();
    const { content, structuredContent, _meta: meta, isError } = await call(client(), tool, input);
    const error = { code, message: expect.stringMatching(/^Cannot /), hint: expect.stringMatching(/\w/) };
    expect([isError, structuredContent]).toEqual([true, undefined]);
    expect(meta).toMatchObject({ "holdfast/error": error });
    expect(content).toEqual([{ type: "text", text: expect.stringMatching(/^Cannot .*\n.+$/s) }]);
    expect(await call(client(), "read", { path: "a.txt" })).toMatchObject({ content: [{ text: "one\ntwo\n" }] });
  });

  it("tells how far a long scan is", async () => {
    const root = scratch();
    plantLong(root, 512 * MIB);
    const alone = await connect(root, options);
    const reports: { progress: number; total?: number | undefined }[] = [];
    const { structuredContent } = await alone.callTool(
      { name: "read", arguments: { path: "long.txt", offset: 1_000_000, limit: 1 } },
      { onprogress: (progress) => void reports.push(progress) },
    );
    expect(structuredContent).toMatchObject({ content: "", truncated: false });
    expect(reports.length).toBeGreaterThan(0);
    expect(reports.every(({ total }) => total === 512 * MIB)).toBe(true);
    expect(reports.map(({ progress }) => progress)).toEqual(
      reports.map(({ progress }) => progress).toSorted((a, b) => a - b),
    );
  });

  it("stops a call that the client gave up, and says so in the audit log", async () => {
    const root = scratch({ "a.txt": "a" });
    plantLong(root, 256 * 1024 * MIB);
    const alone = await connect(root, options);
    const controller = new AbortController();
    const given = alone.callTool(
      { name: "read", arguments: { path: "long.txt", offset: 1_000_000, limit: 1 } },
      { signal: controller.signal, onprogress: () => controller.abort("enough") },
    );
    await expect(given).rejects.toThrow(/enough|abort/i);
    expect(await call(alone, "read", { path: "a.txt" })).toMatchObject({ content: [{ text: "a" }] });
    await vi.waitUntil(() => auditOf(root).length === 2, WHILE_BUSY);
    expect(auditOf(root).toSorted()).toEqual(["cancelled", "ok"]);
  });

  it("answers 64 calls in flight, each with its own", async () => {
    const names = Array.from({ length: 64 }, (_, n) => `file-${n}.txt`);
    const alone = await connect(scratch(Object.fromEntries(names.map((name) => [name, name]))), options);
    const answers = await Promise.all(names.map((path) => call(alone, "read", { path })));
    expect(answers.map(({ structuredContent }) => structuredContent)).toMatchObject(
      names.map((name) => ({ path: name, content: name })),
    );
  });
});

it("a client that tries the new revision first gets it", async () => {
  const client = await connect(scratch(TREE), { versionNegotiation: { mode: "auto" } });
  expect([client.getProtocolEra(), client.getNegotiatedProtocolVersion()]).toEqual(["modern", "2026-07-28"]);
  expect(await call(client, "read", { path: "a.txt" })).toMatchObject({ content: [{ text: "one\ntwo\n" }] });
});

const MIB = 1024 ** 2;

/** One line of text, then NULs that the disk does not hold. */
function plantLong(root: string, size: number): void {
  const fd = openSync(join(root, "long.txt"), "w");
  ftruncateSync(fd, size);
  writeSync(fd, "a few words\n".repeat(10_000), 0);
  closeSync(fd);
}

/** Returns the outcome of each call so far, as the audit log records it. */
function auditOf(root: string): readonly string[] {
  if (!existsSync(stateBeside(root))) return [];
  const entries = readdirSync(stateBeside(root), { recursive: true, withFileTypes: true });
  const logs = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const lines = logs.flatMap((log) => readFileSync(log, "utf8").split("\n").filter(Boolean));
  return lines.map((line) => (JSON.parse(line) as { code: string }).code);
}
