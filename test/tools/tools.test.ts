import { readdirSync } from "node:fs";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { call } from "../../src/runtime/pipeline/call.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";
import { appOn, callerOn, scratch } from "../runtime/scratch.ts";

/** Every file directly in the folder of a group is a tool; what helps them lies in folders of its own. */
function toolFiles(): readonly string[] {
  const tools = join(import.meta.dirname, "../../src/tools");
  const groups = readdirSync(tools, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return groups.flatMap(({ name }) => readdirSync(join(tools, name)).filter((file) => file.endsWith(".ts")));
}

it("there is one file per tool, named as on the wire, and the list is in order", () => {
  expect(BUILTIN_TOOLS.map(({ name }) => `${name}.ts`)).toEqual(toolFiles().toSorted());
});

it.each(BUILTIN_TOOLS)("$name looks like the others", ({ title, description, annotations, input }) => {
  expect(title).toMatch(/^[A-Z][\w ]+$/);
  expect(description).toMatch(/^[A-Z].*\.$/);
  expect(Object.keys(annotations).toSorted()).toEqual([
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
    "readOnlyHint",
  ]);
  expect(input.safeParse({ surely_unknown: 1 }).success).toBe(false);
});

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function blocksOf(root: string, input: object) {
  const signal = new AbortController().signal;
  return (await call(appOn(root).session, { tool: "read", input, signal })).blocks;
}

describe("media", () => {
  it("come as blocks, beside text when there are several", async () => {
    const root = scratch({ "dot.png": PNG, "a.txt": "a" });
    const image = { kind: "image", mime: "image/png", data: PNG.toString("base64") };
    const note = { kind: "text", text: `[image/png of 1x1 pixels, ${PNG.length} bytes]` };
    expect(await blocksOf(root, { path: "dot.png" })).toEqual([image, note]);
    expect(await blocksOf(root, { paths: ["dot.png", "a.txt"] })).toEqual([
      { kind: "text", text: "dot.png:" },
      image,
      note,
      { kind: "text", text: "a.txt:" },
      { kind: "text", text: "a" },
    ]);
  });

  it("that are too large are refused with their type and size where the original is asked for", async () => {
    const size = LIMITS.mediaBytes + 1;
    const caller = callerOn(scratch({ "big.png": Buffer.concat([PNG, Buffer.alloc(size - PNG.length)]) }));
    expect((await caller("read", { path: "big.png", as: "source" })).data["error"]).toMatchObject({
      code: "too_large",
      message: `Cannot show image/png of ${size} bytes: the limit is ${LIMITS.mediaBytes}`,
      mime: "image/png",
      size,
    });
    expect((await caller("read", { path: "big.png", encoding: "base64" })).data["truncated"]).toBe(true);
  });
});

describe("versions", () => {
  it("are equal for equal content up to 1 MiB, wherever it lies", async () => {
    const caller = callerOn(scratch({ "a.txt": "same", "sub/b.txt": "same", "c.txt": "other" }));
    const versions = await Promise.all(
      ["a.txt", "sub/b.txt", "c.txt"].map(async (path) => (await caller("read", { path })).data["version"]),
    );
    expect(versions[0]).toBe(versions[1]);
    expect(versions[0]).not.toBe(versions[2]);
  });

  it("name the object above that, and stay while nothing changes", async () => {
    const text = "x".repeat(LIMITS.hashedBytes + 1);
    const caller = callerOn(scratch({ "a.txt": text, "b.txt": text }));
    const versionOf = async (path: string) => (await caller("read", { path, limit: 1 })).data["version"];
    expect(await versionOf("a.txt")).toBe(await versionOf("a.txt"));
    expect(await versionOf("a.txt")).not.toBe(await versionOf("b.txt"));
  });
});

describe("ls of many", () => {
  const names = Array.from({ length: 2500 }, (_, n) => `file-${String(n).padStart(4, "0")}`);
  const tree = Object.fromEntries(names.map((name) => [name, ""]));

  it("pages by three hundred, and the pages joined are all of it", async () => {
    const caller = callerOn(scratch(tree));
    const seen: string[] = [];
    const counts: number[] = [];
    for (let cursor: unknown, more = true; more;) {
      const { data } = await caller("ls", cursor === undefined ? {} : { cursor });
      const entries = data["entries"] as { name: string; size: number }[];
      expect(entries.every(({ size }) => size === 0)).toBe(true);
      seen.push(...entries.map(({ name }) => name));
      counts.push(entries.length);
      ({ cursor } = data);
      more = cursor !== undefined;
    }
    expect([seen, counts]).toEqual([names, [300, 300, 300, 300, 300, 300, 300, 300, 100]]);
  });

  it("comes without a look at each when more are wanted at once", async () => {
    const { data } = await callerOn(scratch(tree))("ls", { limit: 3000 });
    expect(data["entries"]).toEqual(names.map((name) => ({ name, type: "file" })));
    expect(data).toMatchObject({ total: 2500, truncated: false });
  });
});

it.each([
  { name: "by default", input: {}, fields: ["name", "type", "size"], line: /^a\.txt 1$/ },
  { name: "by size", input: { sort_by: "-size" }, fields: ["name", "type", "size"], line: /^a\.txt 1$/ },
  { name: "with times", input: { times: true }, fields: ["name", "type", "size", "modified"], line: /^a\.txt 1 \S+Z$/ },
  {
    name: "by time",
    input: { sort_by: "modified" },
    fields: ["name", "type", "size", "modified"],
    line: /^a\.txt 1 \S+Z$/,
  },
])("ls tells times only where they were asked for: $name", async ({ input, fields, line }) => {
  const { text, data } = await callerOn(scratch({ "a.txt": "a" }))("ls", input);
  expect((data["entries"] as object[]).map((entry) => Object.keys(entry))).toEqual([fields]);
  expect(text).toMatch(line);
});

it("a page of 300 entries of a long directory costs less than 2,500 tokens in text", async () => {
  const names = Array.from({ length: 5000 }, (_, n) => `module-${n}.ts`);
  const { text } = await callerOn(scratch(Object.fromEntries(names.map((name) => [name, ""]))))("ls");
  expect(countTokens(text)).toBeLessThan(2500);
});

it("read, stat and ls agree about a file that is written to while they look", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const caller = callerOn(root);
  const [read, stat, ls] = await Promise.all([
    caller("read", { path: "a.txt", checksum: true }),
    caller("stat", { path: "a.txt", checksum: true }),
    caller("ls", { times: true }),
  ]);
  const [entry] = ls.data["entries"] as { size: number; modified: string }[];
  expect([stat.data["size"], entry?.size]).toEqual([read.data["size"], read.data["size"]]);
  expect([stat.data["modified"], entry?.modified]).toEqual([read.data["modified"], read.data["modified"]]);
  expect(stat.data["sha256"]).toBe(read.data["sha256"]);
});
