import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDialect } from "../../../src/dialects/load.ts";
import { appOn, callerOf, callerOn, scratch, type Caller, type Tree } from "../scratch.ts";

const TOKEN = "t0ps3cr3t-value";
const ENV = `DB_PASSWORD=hunter2\nAPI_TOKEN="${TOKEN}"\n`;
const PLACEHOLDER = "‹secret:API_TOKEN#1›";
const SHORT = "‹secret:DB_PASSWORD#1›";

async function knowing(tree: Tree): Promise<{ root: string; caller: Caller }> {
  const root = scratch({ ".env": ENV, ...tree });
  const caller = callerOn(root, { loopDetection: false, approver: async () => ({ decision: "once" }) });
  await caller("read", { path: ".env" });
  return { root, caller };
}

/** All that the pages of a file say, as bytes. */
async function bytesOf(caller: Caller, path: string, limit: number): Promise<Buffer> {
  const pages: Buffer[] = [];
  for (let offset: unknown = 0; offset !== undefined;) {
    const { data } = await caller("read", { path, encoding: "base64", offset, limit });
    pages.push(Buffer.from(String(data["content"]), "base64"));
    offset = data["next_offset"];
  }
  return Buffer.concat(pages);
}

describe("a value that is known, in a file that nobody takes for one with secrets", () => {
  const text = `the token is ${TOKEN}, keep it\n`;

  it.each([1, 4, 100])("is a placeholder in base64, in pieces of %d bytes", async (limit) => {
    const { caller } = await knowing({ "notes.txt": text });
    expect(String(await bytesOf(caller, "notes.txt", limit))).toBe(`the token is ${PLACEHOLDER}, keep it\n`);
  });

  it("is said to be one", async () => {
    const { caller } = await knowing({ "notes.txt": text });
    const { data, text: said } = await caller("read", { path: "notes.txt", encoding: "base64" });
    expect(data["masked_secrets"]).toEqual([PLACEHOLDER]);
    expect(said).toContain(`[Secrets are shown as placeholders: ${PLACEHOLDER}`);
  });

  it("is a placeholder in text as before, and in ranges of it", async () => {
    const { caller } = await knowing({ "notes.txt": text });
    const shown = `the token is ${PLACEHOLDER}, keep it\n`;
    expect((await caller("read", { path: "notes.txt" })).data["content"]).toBe(shown);
    const range = await caller("read", { path: "notes.txt", unit: "bytes", offset: 15, limit: 6 });
    expect(range.data["content"]).toBe("‹sec");
  });

  it.each(["utf-16le", "utf-16be", "shift_jis"])("is not there read as %s", async (encoding) => {
    const { caller } = await knowing({ "notes.txt": `${text}\n`.slice(0, 44) });
    const { data } = await caller("read", { path: "notes.txt", encoding });
    const bytes = Buffer.from(String(data["content"]), "utf16le");
    for (const each of [bytes, Buffer.from(bytes).swap16()]) expect(each.toString("latin1")).not.toContain("t0ps");
  });

  it.each([
    { name: "UTF-8", value: Buffer.from(TOKEN) },
    { name: "UTF-16", value: Buffer.from(TOKEN, "utf16le") },
    { name: "UTF-16, the other way round", value: Buffer.from(TOKEN, "utf16le").swap16() },
  ])("is blanked out among bytes that are not text: $name", async ({ value }) => {
    const noise = Buffer.from([0, 1, 2, 255, 254, 0, 0, 7]);
    const { caller } = await knowing({ "a.bin": Buffer.concat([noise, value, noise]) });
    const shown = await bytesOf(caller, "a.bin", 5);
    expect(shown.length).toBe(value.length + 16);
    expect(shown.subarray(8, -8).equals(Buffer.alloc(value.length, "*"))).toBe(true);
    const read = await caller("read", { path: "a.bin", encoding: "windows-1252" });
    expect(JSON.stringify(read.data)).not.toMatch(/t(\\u0000)?0(\\u0000)?p/);
  });

  it("is blanked out in a part of a large file", async () => {
    const filler = "x".repeat(2 ** 20);
    const { caller } = await knowing({ "big.log": `${filler}\n${TOKEN}\n${filler}` });
    for (const offset of [2 ** 20, 2 ** 20 + 5, 2 ** 20 - 3]) {
      const { data } = await caller("read", { path: "big.log", encoding: "base64", offset, limit: 12 });
      expect(Buffer.from(String(data["content"]), "base64").toString()).toMatch(/^x*\n?\*+\n?x*$/);
    }
  });
});

describe("a placeholder in content that is decoded", () => {
  it.each([
    { name: "as it is", content: PLACEHOLDER },
    { name: "among base64", content: `YWJj${PLACEHOLDER}` },
    { name: "encoded", content: Buffer.from(`a=${PLACEHOLDER}\n`).toString("base64") },
  ])("is refused: $name", async ({ content }) => {
    const { root, caller } = await knowing({ f: "before" });
    for (const more of [{}, { append: true }, { dry_run: true }]) {
      const answer = await caller("write", { path: "f", content, encoding: "base64", ...more });
      expect([answer.code, answer.text.split("\n")[0]]).toEqual([
        "invalid_input",
        "Cannot decode the content: it contains the placeholder of a secret",
      ]);
    }
    expect(readFileSync(join(root, "f"), "utf8")).toBe("before");
  });

  it("other bytes are written as they are", async () => {
    const { root, caller } = await knowing({});
    await caller("write", { path: "f", content: "AAEC", encoding: "base64" });
    expect(readFileSync(join(root, "f"))).toEqual(Buffer.from([0, 1, 2]));
  });
});

describe("a short value that was written by its placeholder", () => {
  it("is known again where it was written, however it is read, and where that goes", async () => {
    const { root, caller } = await knowing({});
    await caller("write", { path: "d/notes.txt", content: `pass ${SHORT} word\n` });
    expect(readFileSync(join(root, "d/notes.txt"), "utf8")).toBe("pass hunter2 word\n");
    const shown = `pass ${SHORT} word\n`;
    expect((await caller("read", { path: "d/notes.txt" })).data["content"]).toBe(shown);
    expect(String(await bytesOf(caller, "d/notes.txt", 3))).toBe(shown);
    expect((await caller("grep", { pattern: "pass", path: "d" })).text).not.toContain("hunter2");
    await caller("move", { source: "d", destination: "e" });
    expect((await caller("read", { path: "e/notes.txt" })).data["content"]).toBe(shown);
    expect((await caller("undo", { dry_run: true })).text).not.toContain("hunter2");
    expect((await caller("edit", { path: "e/notes.txt", oldText: SHORT, newText: "x" })).text).not.toContain("hunter2");
  });

  it("is any word elsewhere while it was not", async () => {
    const { caller } = await knowing({ "a.txt": "hunter2 is a meme\n" });
    await caller("edit", { path: ".env", oldText: `DB_PASSWORD=${SHORT}`, newText: `PASSWORD=${SHORT}` });
    expect((await caller("read", { path: "a.txt" })).data["content"]).toBe("hunter2 is a meme\n");
  });
});

describe("in the words of other systems", () => {
  const tree = {
    ".env": ENV,
    "notes.txt": `the token is ${TOKEN}\n`,
    "a.png": Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\r\0\x01\x02${TOKEN}\0\xff`, "latin1"),
  };
  const masked = Buffer.from(`the token is ${PLACEHOLDER}\n`);

  async function answer(name: string, tool: string, input: object): Promise<string> {
    const app = appOn(scratch(tree), { dialect: await loadDialect(name) });
    await callerOf(app)("read", { path: ".env" });
    return JSON.stringify(await app.surface.call({ tool, input, signal: { aborted: false } }));
  }

  it.each([
    ["fractary", "fractary_file_read", { path: "notes.txt" }, `the token is ${PLACEHOLDER}`],
    ["fractary", "fractary_file_read", { path: "notes.txt", encoding: "base64" }, masked.toString("base64")],
    ["fractary", "fractary_file_read", { path: "notes.txt", encoding: "latin1", offset: 15, length: 4 }, "¹sec"],
    ["capabilities", "filesystem__read", { path: "notes.txt", encoding: "binary" }, masked.toString("base64")],
    ["mcp-filesystem", "read_media_file", { path: "notes.txt" }, masked.toString("base64")],
    [
      "mcp-filesystem",
      "read_media_file",
      { path: "a.png" },
      Buffer.alloc(TOKEN.length, "*").toString("base64").slice(4, 12),
    ],
  ])("%s, %s %o", async (name, tool, input, has) => {
    const reply = await answer(name, tool, input);
    expect(reply).toContain(has);
    for (const spelled of [TOKEN, Buffer.from(TOKEN).toString("base64").slice(0, 12)])
      expect(reply).not.toContain(spelled);
  });

  it.each([
    ["fractary", "fractary_file_write", { path: "x", content: PLACEHOLDER, encoding: "base64" }],
    ["capabilities", "filesystem__write", { path: "x", content: PLACEHOLDER, encoding: "binary" }],
  ])("%s, %s refuses a placeholder in what is decoded", async (name, tool, input) => {
    expect(await answer(name, tool, input)).toContain("it contains the placeholder of a secret");
  });
});
