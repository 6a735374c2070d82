import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CODES } from "../../src/base/errors.ts";
import { LIMITS } from "../../src/base/limits.ts";
import { parse } from "../../src/runtime/pipeline/parse.ts";
import { answer, defineTool, READ_ONLY } from "../../src/tools/tool.ts";
import { callerOn, scratch } from "./scratch.ts";
import { BUILTIN_TOOLS } from "../../src/tools/index.ts";

const LONG = "x".repeat(LIMITS.pathBytes + 1);

/** Invalid arguments, and the error for each: it names the argument and the fix. */
const REFUSED: readonly { name: string; tool: string; input: unknown; says: string; argument?: string }[] = [
  {
    name: "an unknown argument, nearly right",
    tool: "read",
    input: { path: "a.txt", ofset: 1 },
    says: 'Cannot call "read": there is no argument "ofset"; did you mean "offset"?',
    argument: "ofset",
  },
  {
    name: "an unknown argument, nearly one that is given",
    tool: "mkdir",
    input: { path: "a", hash: true },
    says: 'Cannot call "mkdir": there is no argument "hash"; it takes path, dry_run',
    argument: "hash",
  },
  {
    name: "an unknown argument, far off",
    tool: "ls",
    input: { recursive_descent: true },
    says: 'Cannot call "ls": there is no argument "recursive_descent"; it takes path, sort_by, times, include_hidden, limit, cursor',
    argument: "recursive_descent",
  },
  {
    name: "an argument that it does not take",
    tool: "session",
    input: { id: 1 },
    says: 'Cannot call "session": there is no argument "id"; it takes approval',
    argument: "id",
  },
  {
    name: "an argument with an endless name",
    tool: "session",
    input: { [LONG]: 1 },
    says: `Cannot call "session": there is no argument "${"x".repeat(64)}"; it takes approval`,
    argument: "x".repeat(64),
  },
  {
    name: "a number for text",
    tool: "ls",
    input: { path: 5 },
    says: 'Cannot call "ls": "path" must be text, not a number',
    argument: "path",
  },
  {
    name: "text for a number",
    tool: "read",
    input: { path: "a.txt", limit: "10" },
    says: 'Cannot call "read": "limit" must be a number, not text',
    argument: "limit",
  },
  {
    name: "a fraction for a whole number",
    tool: "read",
    input: { path: "a.txt", limit: 1.5 },
    says: 'Cannot call "read": "limit" must be a whole number',
    argument: "limit",
  },
  {
    name: "null for a number",
    tool: "read",
    input: { path: "a.txt", offset: null },
    says: 'Cannot call "read": "offset" must be a number, not null',
    argument: "offset",
  },
  {
    name: "text for a switch",
    tool: "read",
    input: { path: "a.txt", line_numbers: "yes" },
    says: 'Cannot call "read": "line_numbers" must be true or false, not text',
    argument: "line_numbers",
  },
  {
    name: "an object for a list",
    tool: "read",
    input: { paths: {} },
    says: 'Cannot call "read": "paths" must be a list, not an object',
    argument: "paths",
  },
  {
    name: "a number in a list of text",
    tool: "tree",
    input: { exclude: ["a", 5] },
    says: 'Cannot call "tree": "exclude" item 2 must be text, not a number',
    argument: "exclude.1",
  },
  {
    name: "a word that is no choice",
    tool: "read",
    input: { path: "a.txt", unit: "words" },
    says: 'Cannot call "read": "unit" must be one of lines, bytes',
    argument: "unit",
  },
  {
    name: "a mistyped choice in a list",
    tool: "watch",
    input: { path: ".", event_types: ["create", "modfy"] },
    says: 'Cannot call "watch": "event_types" item 2 must be one of create, modify, delete, rename; did you mean "modify"?',
    argument: "event_types.1",
  },
  {
    name: "a number that is too small",
    tool: "tree",
    input: { depth: 0 },
    says: 'Cannot call "tree": "depth" must be at least 1',
    argument: "depth",
  },
  {
    name: "a number that is too large",
    tool: "read",
    input: { path: "a.txt", max_bytes: LIMITS.pageBytesMost + 1 },
    says: `Cannot call "read": "max_bytes" must be at most ${LIMITS.pageBytesMost}`,
    argument: "max_bytes",
  },
  {
    name: "an oversized path",
    tool: "stat",
    input: { path: LONG },
    says: `Cannot call "stat": "path" must have at most ${LIMITS.pathBytes} characters`,
    argument: "path",
  },
  {
    name: "too many paths",
    tool: "stat",
    input: { paths: Array.from({ length: LIMITS.pathsPerCall + 1 }, () => "a.txt") },
    says: `Cannot call "stat": "paths" must have at most ${LIMITS.pathsPerCall} items`,
    argument: "paths",
  },
  {
    name: "no paths",
    tool: "read",
    input: { paths: [] },
    says: 'Cannot call "read": "paths" must not be empty',
    argument: "paths",
  },
  {
    name: "neither path nor paths",
    tool: "read",
    input: {},
    says: 'Cannot use the arguments: give either "path" or "paths"',
    argument: "path",
  },
  {
    name: "an empty path",
    tool: "read",
    input: { path: "" },
    says: 'Cannot use an empty path: use "." for the root itself',
  },
  {
    name: "a NUL in a path",
    tool: "read",
    input: { path: "a\0b" },
    says: "Cannot use the path: it holds a NUL character",
  },
  { name: "a list of arguments", tool: "ls", input: [], says: 'Cannot call "ls": the arguments must be a JSON object' },
  { name: "text as arguments", tool: "ls", input: "{}", says: 'Cannot call "ls": the arguments must be a JSON object' },
  {
    name: "a number as arguments",
    tool: "ls",
    input: 7,
    says: 'Cannot call "ls": the arguments must be a JSON object',
  },
  {
    name: "the key __proto__",
    tool: "ls",
    input: JSON.parse('{"__proto__": {"path": "/etc"}}'),
    says: 'Cannot call "ls": there is no argument "__proto__"; it takes path, sort_by, times, include_hidden, limit, cursor',
    argument: "__proto__",
  },
  {
    name: "the key constructor",
    tool: "ls",
    input: { constructor: 1 },
    says: 'Cannot call "ls": there is no argument "constructor"; it takes path, sort_by, times, include_hidden, limit, cursor',
    argument: "constructor",
  },
  {
    name: "an alias beside the name",
    tool: "read",
    input: { path: "a.txt", file_path: "b.txt" },
    says: 'Cannot call "read": "path" is given twice',
    argument: "path",
  },
  {
    name: "both casings",
    tool: "read",
    input: { path: "a.txt", line_numbers: true, lineNumbers: false },
    says: 'Cannot call "read": "line_numbers" is given twice',
    argument: "line_numbers",
  },
  {
    name: "an alias of an argument that the tool does not have",
    tool: "tree",
    input: { old_string: "a" },
    says: 'Cannot call "tree": there is no argument "old_string"; it takes path, depth, limit, exclude, include_ignored, include_hidden',
    argument: "old_string",
  },
];

it.each(REFUSED)("refuses $name, and the session goes on", async ({ tool, input, says, argument }) => {
  const caller = callerOn(scratch({ "a.txt": "a" }));
  const { hint } = CODES.invalid_input;
  const error = { code: "invalid_input", message: says, hint, ...(argument !== undefined && { argument }) };
  expect(await caller(tool, input)).toEqual({
    isError: true,
    code: "invalid_input",
    text: `${says}\n${hint}`,
    data: { error },
  });
  expect(await caller("read", { path: "a.txt" })).toMatchObject({ isError: false, text: "a" });
});

const ACCEPTED: readonly { name: string; tool: string; input: unknown; same: unknown }[] = [
  { name: "file_path", tool: "read", input: { file_path: "a.txt" }, same: { path: "a.txt" } },
  { name: "filePath", tool: "read", input: { filePath: "a.txt" }, same: { path: "a.txt" } },
  { name: "max_results", tool: "ls", input: { max_results: 1 }, same: { limit: 1 } },
  {
    name: "max_results of find",
    tool: "find",
    input: { pattern: "*", max_results: 1 },
    same: { pattern: "*", limit: 1 },
  },
  { name: "maxResults", tool: "tree", input: { maxResults: 1 }, same: { limit: 1 } },
  {
    name: "lineNumbers",
    tool: "read",
    input: { path: "a.txt", lineNumbers: true },
    same: { path: "a.txt", line_numbers: true },
  },
  { name: "sortBy", tool: "ls", input: { sortBy: "-name" }, same: { sort_by: "-name" } },
  { name: "INCLUDE_HIDDEN", tool: "ls", input: { INCLUDE_HIDDEN: false }, same: { include_hidden: false } },
  { name: "maxBytes", tool: "read", input: { path: "a.txt", maxBytes: 64 }, same: { path: "a.txt", max_bytes: 64 } },
  { name: "no arguments", tool: "ls", input: undefined, same: {} },
  { name: "null as arguments", tool: "ls", input: null, same: {} },
];

it.each(ACCEPTED)("takes $name", async ({ tool, input, same }) => {
  const root = scratch({ "a.txt": "a\n", "b.txt": "b\n", ".hidden": "" });
  const wanted = await callerOn(root)(tool, same);
  expect(wanted.isError).toBe(false);
  expect(await callerOn(root)(tool, input)).toEqual(wanted);
});

describe("a tool that needs arguments", () => {
  const replace = defineTool({
    name: "replace",
    title: "Replace",
    description: "",
    annotations: READ_ONLY,
    input: z.strictObject({ path: z.string(), oldText: z.string(), count: z.int().optional() }),
    output: z.object({}),
    plan: async () => answer("", {}),
  });

  it.each([
    { given: {}, says: 'Cannot call "replace": "path" is missing: give text' },
    { given: { path: "a" }, says: 'Cannot call "replace": "oldText" is missing: give text' },
    {
      given: { path: "a", oldText: null },
      says: 'Cannot call "replace": "oldText" must be text, not null',
    },
  ])("$given: $says", ({ given, says }) => {
    expect(() => parse(replace, given)).toThrow(says);
  });

  it.each([
    { path: "a", oldText: "b" },
    { file_path: "a", old_text: "b" },
    { filePath: "a", old_string: "b" },
    { PATH: "a", oldString: "b" },
  ])("takes %o", (given) => {
    expect(parse(replace, given)).toEqual({ path: "a", oldText: "b" });
  });
});

describe("tools by name", () => {
  const SHOWN = BUILTIN_TOOLS.filter(({ catalogue }) => !["runtime", "archives"].includes(catalogue.group));
  const NAMES = SHOWN.map(({ name }) => name).join(", ");

  it.each([
    { name: "raed", help: 'did you mean "read"?' },
    { name: "Tree", help: 'did you mean "tree"?' },
    { name: "list_directory", help: `the tools are ${NAMES}` },
    { name: "", help: `the tools are ${NAMES}` },
    { name: "nope", help: `the tools are ${NAMES}` },
    { name: "__proto__", help: `the tools are ${NAMES}` },
    { name: "constructor", help: `the tools are ${NAMES}` },
    { name: "x".repeat(500), shown: "x".repeat(64), help: `the tools are ${NAMES}` },
  ])("there is no $name", async ({ name, shown = name, help }) => {
    const caller = callerOn(scratch({ "a.txt": "a" }));
    const message = `Cannot call ${JSON.stringify(shown)}: there is no such tool; ${help}`;
    const { hint } = CODES.unknown_tool;
    expect(await caller(name)).toEqual({
      isError: true,
      code: "unknown_tool",
      text: `${message}\n${hint}`,
      data: { error: { code: "unknown_tool", message, hint, tools: NAMES.split(", ") } },
    });
    expect((await caller("ls")).isError).toBe(false);
  });

  it.each([
    ["list", "ls"],
    ["session_status", "session"],
  ])("%s is another name of %s", async (other, name) => {
    const caller = callerOn(scratch({ "a.txt": "a" }));
    expect((await caller(other)).text).toBe((await caller(name)).text);
  });
});

const block = (text: string) => ({ type: "text", text });

describe("text in blocks", () => {
  it.each([
    { name: "one", value: [block("new")] },
    { name: "several", value: [block("n"), block("ew")] },
    { name: "strings among them", value: ["n", block("ew")] },
    { name: "nested", value: { content: [{ parts: [block("new")] }] } },
  ])("is text: $name", async ({ value }) => {
    const root = scratch({ a: "old" });
    const caller = callerOn(root);
    await caller("edit", { path: "a", oldText: [block("old")], newText: value });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("new");
    await caller("edit", { path: "a", edits: [{ oldText: value, newText: [block("newer")] }] });
    expect(readFileSync(join(root, "a"), "utf8")).toBe("newer");
    await caller("write", { path: "b", content: value });
    expect(readFileSync(join(root, "b"), "utf8")).toBe("new");
  });

  it("is nothing else", async () => {
    const caller = callerOn(scratch());
    for (const content of [[], [{ type: "image", data: "x" }], [block("a"), 1], { a: 1 }])
      expect((await caller("write", { path: "b", content })).code).toBe("invalid_input");
  });
});
