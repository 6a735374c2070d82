import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { loadDialect } from "../../src/dialects/load.ts";
import { exactSchemaOf } from "../../src/schema/listed-schema.ts";
import { layout } from "../layout.ts";

const SECRET = "API_TOKEN=kT9vQ2mX7bLr4ZpW8nYc3HdF\n";
const LATIN = Buffer.from("Z\xfcrich, K\xf6ln und M\xfcnchen\n", "latin1");
const PLACEHOLDERS = /^Secrets are shown as placeholders: \S+\. Write a placeholder where its value is meant$/;
const ENCODING = /^Encoding of \S*latin\.txt: windows-1252$/;
const BREAKS = /\\n/;

interface Case {
  readonly dialect: string;
  readonly call: readonly [tool: string, input: object];
  /** Notes that both halves of the answer carry. */
  readonly notes: readonly RegExp[];
}

const CASES: readonly Case[] = [
  { dialect: "mcp-filesystem", call: ["read_text_file", { path: ".env" }], notes: [PLACEHOLDERS] },
  { dialect: "mcp-filesystem", call: ["read_file", { path: ".env", head: 1 }], notes: [PLACEHOLDERS] },
  { dialect: "mcp-filesystem", call: ["read_text_file", { path: "latin.txt" }], notes: [ENCODING] },
  {
    dialect: "mcp-filesystem",
    call: ["read_multiple_files", { paths: ["plain.txt", "latin.txt", ".env"] }],
    notes: [ENCODING, PLACEHOLDERS],
  },
  {
    dialect: "mcp-filesystem",
    call: ["edit_file", { path: "plain.txt", edits: [{ oldText: "one", newText: "a\\nb" }] }],
    notes: [BREAKS],
  },
  { dialect: "mcp-filesystem", call: ["write_file", { path: "new.txt", content: "a\\nb\\nc" }], notes: [BREAKS] },
  { dialect: "mcp-filesystem", call: ["read_text_file", { path: "plain.txt" }], notes: [] },
  { dialect: "picoclaw", call: ["read_file", { path: ".env" }], notes: [PLACEHOLDERS] },
  { dialect: "picoclaw", call: ["read_file", { path: "latin.txt" }], notes: [ENCODING] },
  {
    dialect: "picoclaw",
    call: ["edit_file", { path: "plain.txt", old_text: "one", new_text: "a\\nb" }],
    notes: [BREAKS],
  },
  { dialect: "picoclaw", call: ["read_file", { path: "plain.txt" }], notes: [] },
  { dialect: "fractary", call: ["fractary_file_read", { path: ".env" }], notes: [PLACEHOLDERS] },
  { dialect: "fractary", call: ["fractary_file_write", { path: "new.txt", content: "a\\nb\\nc" }], notes: [BREAKS] },
  { dialect: "fractary", call: ["fractary_file_read", { path: "latin.txt", encoding: "windows-1252" }], notes: [] },
  { dialect: "capabilities", call: ["filesystem__read", { path: ".env" }], notes: [PLACEHOLDERS] },
  { dialect: "capabilities", call: ["filesystem__write", { path: "new.txt", content: "a\\nb\\nc" }], notes: [BREAKS] },
  { dialect: "capabilities", call: ["filesystem__read", { path: "plain.txt" }], notes: [] },
];

it.each(CASES)("$dialect: $call tells notes in both halves", async ({ dialect: name, call: [tool, input], notes }) => {
  const root = layout(["plain.txt = one"]);
  writeFileSync(join(root, ".env"), SECRET);
  writeFileSync(join(root, "latin.txt"), LATIN);
  const dialect = await loadDialect(name);
  const app = createApp({ roots: [root], stateDirectory: join(dirname(root), "state"), dialect });
  onTestFinished(() => app.close());
  const { isError, blocks, data = {} } = await app.surface.call({ tool, input, signal: { aborted: false } });
  expect({ isError, blocks }).toMatchObject({ isError: false });
  const expected = notes.map((note) => expect.stringMatching(note));
  const { notes: inData = [], ...asked } = data as { readonly notes?: readonly string[] };
  expect(inData).toEqual(expected);
  expect(blocks.slice(1)).toEqual(inData.map((note) => ({ kind: "text", text: `[${note}]` })));
  // What was asked for is exact in both halves.
  const [first] = blocks;
  const text = first?.kind === "text" ? first.text : "";
  const values = Object.values(asked);
  expect(values.includes(text) || text === JSON.stringify(asked)).toBe(true);
  const output = dialect.tools.find((each) => each.name === tool)?.output;
  expect(output && exactSchemaOf(output)).not.toHaveProperty("additionalProperties");
});
