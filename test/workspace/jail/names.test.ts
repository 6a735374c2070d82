import { mkdirSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { CallResult } from "../../../src/index.ts";
import { serve } from "../../contracts/serve.ts";
import { makeSpecialFile, promptly, SPECIAL } from "../../contracts/special-files.ts";
import { layout } from "../../layout.ts";

describe("special files", () => {
  it.each(SPECIAL)("a %s is refused at once, and the next call works", async (kind) => {
    const root = layout(["file", `link => ${kind}`]);
    await makeSpecialFile(kind, root);
    const holdfast = serve([root]);
    const codes = await promptly(async () => {
      const answers: readonly CallResult[] = [
        await holdfast.call("read", { path: kind }),
        await holdfast.call("read", { path: "link" }),
        await holdfast.call("read", { path: kind, encoding: "base64", checksum: true }),
        await holdfast.call("ls", { path: kind }),
        await holdfast.call("tree", { path: kind }),
        await holdfast.call("read", { path: "file" }),
        await holdfast.call("stat", { path: kind, checksum: true }),
        await holdfast.call("ls", {}),
      ];
      return answers.map(({ data }) => data["content"] ?? data["type"] ?? data["total"] ?? Object(data["error"]).code);
    });
    const refused = Array.from({ length: 5 }, () => "special_file");
    expect(codes).toEqual([...refused, "file", "other", 3]);
  });

  it("a directory is no file", async () => {
    const holdfast = serve([layout(["a/"])]);
    expect((await holdfast.call("read", { path: "a" })).data).toMatchObject({ error: { code: "not_a_file" } });
  });
});

const NAMES = [
  { name: "plain", shown: "plain" },
  { name: "two words", shown: "two words" },
  { name: " before", shown: '" before"' },
  { name: "after ", shown: '"after "' },
  { name: "fake\t1\t2020-01-01T00:00:00Z\nforged", shown: '"fake\\t1\\t2020-01-01T00:00:00Z\\nforged"' },
  { name: "carriage\rreturn", shown: '"carriage\\rreturn"' },
  { name: "\u001B[2Jclear", shown: '"\\u{1b}[2Jclear"' },
  { name: "\u001B]0;title\u0007", shown: '"\\u{1b}]0;title\\u{7}"' },
  { name: "c1\u009B31m", shown: '"c1\\u{9b}31m"' },
  { name: "next\u0085line", shown: '"next\\u{85}line"' },
  { name: "separator\u2028line", shown: '"separator\\u{2028}line"' },
  { name: "\u202Egpj.exe", shown: '"\\u{202e}gpj.exe"' },
  { name: "isolate\u2066x", shown: '"isolate\\u{2066}x"' },
  { name: "zero\u200Bwidth", shown: '"zero\\u{200b}width"' },
  { name: "bom\uFEFF", shown: '"bom\\u{feff}"' },
  { name: "no-break\u00A0space", shown: '"no-break\\u{a0}space"' },
  { name: 'quo"te', shown: '"quo\\"te"' },
  { name: "back\\slash", shown: '"back\\\\slash"' },
  { name: "caf\u00E9", shown: "caf\u00E9" },
];

const LIE = "nope\u202E\u2028\u009B\u001B\n/below";
const hiddenIn = (text: string) =>
  ["\u202E", "\u2028", "\u009B", "\u001B", "\n/below"].filter((each) => text.includes(each));

describe("misleading names", () => {
  it("are one line each in a listing", async () => {
    const { text } = await serve([layout(NAMES.map(({ name }) => name))]).call("ls", {});
    const inOrder = NAMES.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(text.split("\n").map((line) => line.replace(/ \d+$/, ""))).toEqual(inOrder.map(({ shown }) => shown));
  });

  it("are one line each in a tree", async () => {
    const { text } = await serve([layout(NAMES.map(({ name }) => name))]).call("tree", {});
    const inOrder = NAMES.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    expect(text.split("\n")).toEqual(["./", ...inOrder.map(({ shown }) => `  ${shown}`)]);
  });

  it.each(NAMES)("$shown is read and stated by its name", async ({ name, shown }) => {
    const holdfast = serve([layout([name])]);
    expect((await holdfast.call("read", { path: name })).data["content"]).toBe(name);
    const { text } = await holdfast.call("stat", { path: name });
    expect(text.startsWith(`${shown}: file, `) && !text.includes("\n")).toBe(true);
  });

  it.each(["read", "stat", "ls", "tree"])("are escaped in what %s says of a failure", async (tool) => {
    const { text } = await serve([layout([])]).call(tool, { path: LIE });
    expect({ isNamed: text.includes("nope"), hidden: hiddenIn(text) }).toEqual({ isNamed: true, hidden: [] });
  });

  it.each(["read", "stat"])("are escaped in what %s says of one failure among others", async (tool) => {
    const { text } = await serve([layout(["file"])]).call(tool, { paths: ["file", LIE, `file/${LIE}`] });
    expect({ isNamed: text.includes("nope"), hidden: hiddenIn(text) }).toEqual({ isNamed: true, hidden: [] });
  });
});

function serveRawNames() {
  const root = layout(["plain", "d\uFFFD/known"]);
  const raw = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, "latin1")]);
  for (const name of ["a\xFF", "a\xFE", "\xC0\xAE\xC0\xAE"]) writeFileSync(raw(name), "12345");
  mkdirSync(raw("d\xFF"));
  return serve([root]);
}

describe("names that are not UTF-8", () => {
  it("are listed, one line each, with what is known of them", async () => {
    const { text, data } = await serveRawNames().call("ls", {});
    expect(text.split("\n")).toEqual([
      "a\uFFFD 5",
      "a\uFFFD 5",
      "d\uFFFD/",
      "d\uFFFD/",
      "plain 5",
      "\uFFFD\uFFFD\uFFFD\uFFFD 5",
    ]);
    expect(data["total"]).toBe(6);
  });

  it.each(["read", "ls", "tree"])("are not found by %s under the name shown", async (tool) => {
    const { data } = await serveRawNames().call(tool, { path: "a\uFFFD" });
    expect(data).toMatchObject({ error: { code: "not_found", message: expect.stringContaining("a\uFFFD") } });
  });

  it("do not exist under the name shown", async () => {
    expect((await serveRawNames().call("stat", { path: "a\uFFFD" })).data).toEqual({
      path: "a\uFFFD",
      exists: false,
      nearest: "d\uFFFD",
    });
  });

  it("are not confused with a directory of a similar name", async () => {
    const { text } = await serveRawNames().call("tree", {});
    expect(text.split("\n").filter((line) => line.trim() === "known")).toHaveLength(1);
  });
});
