import fc from "fast-check";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import type { ConfigEditor, EntryPath } from "../../../src/text/config-files/config-editor.ts";
import { jsoncEditor } from "../../../src/text/config-files/jsonc-editor.ts";
import { tomlEditor } from "../../../src/text/config-files/toml-editor.ts";
import { yamlEditor } from "../../../src/text/config-files/yaml-editor.ts";
import { parseJsonc } from "../../../src/text/jsonc.ts";

const ENTRY = { command: "node", args: ["h.cjs", "/p"] };
const BOM = "\uFEFF";

interface Row {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  /** The text after the entry is removed again; the text before if absent. */
  readonly removed?: string;
}

/** Puts the entry, finds it, puts it again, removes it. */
function putAndRemove(editor: ConfigEditor, path: EntryPath, before: string) {
  const after = editor.put(before, path, ENTRY);
  const found = editor.find(after, path);
  return { after, found, again: editor.put(after, path, ENTRY), removed: editor.remove(after, path) };
}

/** The same as it has to be. */
const expected = ({ before, after, removed = before }: Row) => ({ after, found: ENTRY, again: after, removed });

/** The entry as text of the JSON above. */
const inner = (indent: string, eol = "\n", unit = "  "): string =>
  [
    '"hf": {',
    `${unit}"command": "node",`,
    `${unit}"args": [`,
    `${unit}${unit}"h.cjs",`,
    `${unit}${unit}"/p"`,
    `${unit}]`,
    "}",
  ].join(eol + indent);

/** The same as YAML. */
const yamlEntry = (indent = "  ", eol = "\n"): string =>
  `${indent}hf:${eol}${indent}  command: "node"${eol}${indent}  args: ["h.cjs","/p"]${eol}`;

describe("JSONC", () => {
  const path: EntryPath = ["servers", "hf"];
  const whole =
    '{\n  "servers": {\n    "hf": {\n      "command": "node",\n      "args": [\n        "h.cjs",\n        "/p"\n      ]\n    }\n  }\n}\n';
  it.each<Row>([
    { name: "an empty file", before: "", after: whole, removed: '{\n  "servers": {}\n}\n' },
    { name: "only a byte-order mark", before: BOM, after: BOM + whole, removed: `${BOM}{\n  "servers": {}\n}\n` },
    { name: "an empty object", before: "{}", after: whole.trimEnd(), removed: '{\n  "servers": {}\n}' },
    {
      name: "an empty object of servers",
      before: '{\n  "servers": {}\n}\n',
      after: whole,
    },
    {
      name: "no servers, other keys",
      before: '{\n  "a": 1\n}\n',
      after: `{\n  "a": 1,\n  "servers": {\n    ${inner("    ")}\n  }\n}\n`,
      removed: '{\n  "a": 1,\n  "servers": {}\n}\n',
    },
    {
      name: "another server",
      before: '{\n  "servers": {\n    "a": { "command": "x" }\n  },\n  "b": 2\n}\n',
      after: `{\n  "servers": {\n    "a": { "command": "x" },\n    ${inner("    ")}\n  },\n  "b": 2\n}\n`,
    },
    {
      name: "comments, a trailing comma",
      before: '// top\n{\n  "servers": {\n    "a": {}, // about a\n    // the end\n  }, /* b */\n}\n',
      after: `// top\n{\n  "servers": {\n    "a": {}, // about a\n    // the end\n    ${inner("    ")},\n  }, /* b */\n}\n`,
    },
    {
      name: "a comment without a trailing comma",
      before: '{\n  "servers": {\n    "a": {} // about, a\n  }\n}\n',
      after: `{\n  "servers": {\n    "a": {}, // about, a\n    ${inner("    ")}\n  }\n}\n`,
    },
    {
      name: "only a comment",
      before: '{\n  "servers": { // none yet\n  }\n}\n',
      after: `{\n  "servers": { // none yet\n    ${inner("    ")}\n  }\n}\n`,
    },
    {
      name: "tabs and CRLF",
      before: '{\r\n\t"servers": {\r\n\t\t"a": {}\r\n\t}\r\n}',
      after: `{\r\n\t"servers": {\r\n\t\t"a": {},\r\n\t\t${inner("\t\t", "\r\n", "\t")}\r\n\t}\r\n}`,
    },
    {
      name: "four spaces and a byte-order mark",
      before: `${BOM}{\n    "servers": {\n        "a": {}\n    }\n}`,
      after: `${BOM}{\n    "servers": {\n        "a": {},\n        ${inner("        ", "\n", "    ")}\n    }\n}`,
    },
    {
      name: "one line",
      before: '{"x":1,"servers":{"a":{}}}',
      after: '{"x":1,"servers":{"a":{}, "hf": {"command":"node","args":["h.cjs","/p"]}}}',
    },
    {
      name: "one line with an empty object",
      before: '{"servers":{},"x":1}',
      after: '{"servers":{"hf": {"command":"node","args":["h.cjs","/p"]}},"x":1}',
    },
  ])("$name", (row) => {
    expect(putAndRemove(jsoncEditor, path, row.before)).toEqual(expected(row));
  });

  it("removes the first and the middle of several", () => {
    const text = '{\n  "servers": {\n    "a": 1, // a\n    "b": 2, // b\n    "c": 3 // c\n  }\n}\n';
    expect(jsoncEditor.remove(text, ["servers", "a"])).toBe(text.replace('\n    "a": 1,', ""));
    expect(jsoncEditor.remove(text, ["servers", "b"])).toBe(text.replace('\n    "b": 2,', ""));
    expect(jsoncEditor.remove(text, ["servers", "c"])).toBe(text.replace("2,", "2").replace('\n    "c": 3', ""));
    expect(jsoncEditor.remove(text, ["servers", "d"])).toBe(text);
  });

  it("replaces a value in place", () => {
    const text = '{\n  "servers": {\n    "hf": { "command": "old" }, // mine\n    "b": {}\n  }\n}\n';
    const put = jsoncEditor.put(text, path, ENTRY);
    expect(put).toBe(text.replace('{ "command": "old" }', '{"command":"node","args":["h.cjs","/p"]}'));
  });

  it.each([
    { name: "broken", text: '{ "servers": { }', says: /line 1: the file ends too early/ },
    { name: "a list", text: "[]", says: /^it is not an object$/ },
    { name: "servers that are a list", text: '{ "servers": [] }', says: /^servers is not an object$/ },
    { name: "an entry that is a text", text: '{ "servers": { "hf": "x" } }', says: /^servers.hf is not an object$/ },
    {
      name: "a key twice",
      text: '{\n"servers": {},\n"servers": {} }',
      says: /line 3: the key "servers" is there twice/,
    },
    { name: "something behind", text: "{} {}", says: /line 1: nothing may follow/ },
  ])("refuses $name", ({ text, says }) => {
    expect(() => jsoncEditor.find(text, path)).toThrow(says);
    expect(() => jsoncEditor.put(text, [...path, "deeper"], ENTRY)).toThrow(says);
  });

  it("keeps all other values and is undone by removing, whatever the file holds", () => {
    const file = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    const servers = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 1 }));
    fc.assert(
      fc.property(
        file,
        servers,
        fc.constantFrom(0, 1, 2, 4, "\t"),
        fc.boolean(),
        (others, present, unit, isWindows) => {
          const { hf: _, ...neighbours } = present;
          const plain = JSON.stringify({ ...others, servers: { zz: 1, ...neighbours } }, undefined, unit);
          const value = JSON.parse(plain) as { readonly servers: object };
          const text = isWindows ? plain.replaceAll("\n", "\r\n") : plain;
          const put = jsoncEditor.put(text, path, ENTRY);
          expect(parseJsonc(put).value).toEqual({ ...value, servers: { ...value.servers, hf: ENTRY } });
          expect(jsoncEditor.remove(put, path)).toBe(text);
        },
      ),
    );
  });
});

describe("TOML", () => {
  const path: EntryPath = ["mcp_servers", "hf"];
  const table = '[mcp_servers.hf]\ncommand = "node"\nargs = ["h.cjs", "/p"]\n';

  it.each<Row>([
    { name: "an empty file", before: "", after: table },
    { name: "only a byte-order mark", before: BOM, after: BOM + table },
    { name: "only a comment", before: "# mine\n", after: `# mine\n\n${table}` },
    { name: "no line break at the end", before: "a = 1", after: `a = 1\n\n${table}`, removed: "a = 1\n" },
    { name: "a blank line at the end", before: "a = 1\n\n", after: `a = 1\n\n${table}`, removed: "a = 1\n" },
    {
      name: "CRLF",
      before: '[a]\r\nb = "x"\r\n',
      after: `[a]\r\nb = "x"\r\n\r\n${table.replaceAll("\n", "\r\n")}`,
    },
    {
      name: "everything that TOML has",
      before: `${[
        'title = "a # no comment" # a comment',
        "'quoted key' = 'literal \\ text'",
        'long = """\n[mcp_servers.hf]\n\\""" still """',
        "raw = '''\n[x\n'''",
        'dotted."k.e.y" = 1979-05-27 07:32:00Z',
        "n = [ 1, 2.5e3, [ true ], # inside",
        "  { a = 1, b.c = { d = 'x' } },",
        "]",
        "inf = -inf",
        "t = 07:32:00.5",
        "[mcp_servers.other.env]",
        '\t"A" = "1"',
        "[[list]]",
        "[[list]]",
      ].join("\n")}\n`,
      after: "",
    },
  ])("$name", (row) => {
    const after = row.after === "" ? `${row.before}\n${table}` : row.after;
    expect(putAndRemove(tomlEditor, path, row.before)).toEqual(expected({ ...row, after }));
    const others = parseToml(row.before.replace(BOM, "")) as { mcp_servers?: object };
    const all = parseToml(after.replace(BOM, "")) as { mcp_servers?: object };
    expect(all).toEqual({ ...others, mcp_servers: { ...others.mcp_servers, hf: ENTRY } });
  });

  it("replaces and removes a table with what is below it, and nothing else", () => {
    const text = `[mcp_servers.a]\nx = 1\n\n[mcp_servers.hf] # mine\nurl = "u"\n[mcp_servers.hf.env]\nA = "1"\n\n# about b\n[mcp_servers.b]\ny = 2\n`;
    expect(Object.keys(tomlEditor.find(text, path) ?? {})).toEqual(["url", "env"]);
    expect(tomlEditor.put(text, path, ENTRY)).toBe(
      `[mcp_servers.a]\nx = 1\n\n${table}\n# about b\n[mcp_servers.b]\ny = 2\n`,
    );
    expect(tomlEditor.remove(text, path)).toBe("[mcp_servers.a]\nx = 1\n\n# about b\n[mcp_servers.b]\ny = 2\n");
  });

  it("writes tables inside an entry, and strings that need escapes", () => {
    const entry = { url: 'a"\\\u007F\n', http_headers: { "X Y": "é" } };
    const put = tomlEditor.put("", path, entry);
    expect(parseToml(put)).toEqual({ mcp_servers: { hf: entry } });
  });

  it.each([
    {
      name: "an inline table of servers",
      text: "mcp_servers = { a = 1 }\n",
      says: /mcp_servers is not written as tables/,
    },
    { name: "a list of servers", text: "[[mcp_servers]]\n", says: /mcp_servers is not written as tables/ },
    {
      name: "an inline entry",
      text: "[mcp_servers]\nhf = { a = 1 }\n",
      says: /mcp_servers.hf is not written as one table/,
    },
    { name: "a dotted entry", text: "[mcp_servers]\nhf.a = 1\n", says: /mcp_servers.hf is not written as one table/ },
    {
      name: "an entry in two places",
      text: "[mcp_servers.hf]\na = 1\n[x]\n[mcp_servers.hf.env]\nb = 1\n",
      says: /mcp_servers.hf is not written as one table/,
    },
    { name: "an entry twice", text: "[mcp_servers.hf]\n[mcp_servers.hf]\n", says: /is not written as one table/ },
    { name: "an open string", text: 'a = 1\nb = "x\n', says: /^line 2: a value is missing$/ },
    { name: "an open list", text: "a = [ 1,\n", says: /^line 2: a value is missing$/ },
    { name: "an open header", text: "[a\n", says: /^line 1: a \] is missing$/ },
    { name: "no value", text: "a\n", says: /^line 1: an = is missing$/ },
    { name: "two values", text: "a = 1 2\n", says: /^line 1: a line break is missing$/ },
    { name: "no key", text: "= 1\n", says: /^line 1: a key is missing$/ },
  ])("refuses $name", ({ text, says }) => {
    for (const run of [tomlEditor.find, tomlEditor.remove, (t: string, p: EntryPath) => tomlEditor.put(t, p, ENTRY)])
      expect(() => run(text, path)).toThrow(says);
  });
});

describe("YAML", () => {
  const path: EntryPath = ["extensions", "hf"];
  it.each<Row>([
    { name: "an empty file", before: "", after: `extensions:\n${yamlEntry()}`, removed: "extensions: {}\n" },
    {
      name: "only a comment",
      before: "# x\n",
      after: `# x\nextensions:\n${yamlEntry()}`,
      removed: "# x\nextensions: {}\n",
    },
    {
      name: "other keys, a byte-order mark",
      before: `${BOM}a: 1\n`,
      after: `${BOM}a: 1\nextensions:\n${yamlEntry()}`,
      removed: `${BOM}a: 1\nextensions: {}\n`,
    },
    {
      name: "no line break at the end",
      before: "a: 1",
      after: `a: 1\nextensions:\n${yamlEntry()}`,
      removed: "a: 1\nextensions: {}\n",
    },
    {
      name: "an empty flow mapping",
      before: "extensions: {} # none\nb: 1\n",
      after: `extensions: # none\n${yamlEntry()}b: 1\n`,
    },
    {
      name: "null",
      before: "extensions:\nb: 1\n",
      after: `extensions:\n${yamlEntry()}b: 1\n`,
      removed: "extensions: {}\nb: 1\n",
    },
    {
      name: "neighbours, comments, CRLF",
      before:
        "---\r\n# top\r\nextensions: # all\r\n    a: # about a\r\n        x: 1\r\n        # in a\r\n    # before b\r\n\r\nb:\r\n- 1\r\n",
      after: `---\r\n# top\r\nextensions: # all\r\n    a: # about a\r\n        x: 1\r\n        # in a\r\n${yamlEntry("    ", "\r\n")}    # before b\r\n\r\nb:\r\n- 1\r\n`,
    },
    {
      name: "texts over several lines",
      before:
        'extensions:\n  a:\n    t: |\n      # no comment\n\n      hf:\n    s: "x\n      y"\n    # the end\nz: >+\n  text\n\n',
      after: `extensions:\n  a:\n    t: |\n      # no comment\n\n      hf:\n    s: "x\n      y"\n    # the end\n${yamlEntry()}z: >+\n  text\n\n`,
    },
    {
      name: "mixed line breaks",
      before: "a: 1\r\nextensions:\n  b: {}\r\nc: 2\n",
      after: `a: 1\r\nextensions:\n  b: {}\r\n${yamlEntry("  ", "\r\n")}c: 2\n`,
    },
  ])("$name", (row) => {
    expect(putAndRemove(yamlEditor, path, row.before)).toEqual(expected(row));
    const others = (parseYaml(row.before) ?? {}) as { extensions?: object };
    expect(parseYaml(row.after)).toEqual({ ...others, extensions: { ...others.extensions, hf: ENTRY } });
  });

  it("replaces and removes an entry among others, with its comments", () => {
    const text =
      "extensions:\n  a:\n    x: 1\n  hf: # mine\n    cmd: holdfast\n    args:\n      - /p\n      - 'q'\n    # in it\n\n  # about b\n  b:\n    y: 2\n";
    expect(yamlEditor.find(text, path)).toEqual({ cmd: "holdfast", args: ["/p", "q"] });
    expect(yamlEditor.put(text, path, ENTRY)).toBe(
      `extensions:\n  a:\n    x: 1\n${yamlEntry()}\n  # about b\n  b:\n    y: 2\n`,
    );
    expect(yamlEditor.remove(text, path)).toBe("extensions:\n  a:\n    x: 1\n\n  # about b\n  b:\n    y: 2\n");
  });

  it.each([
    { name: "a flow mapping", text: "extensions: { a: 1 }\n", says: /line 1: extensions is not written as one entry/ },
    { name: "an anchor", text: "extensions: &x\n  a: 1\n", says: /line 1: extensions is not written as one entry/ },
    {
      name: "the key twice",
      text: "extensions:\n  a: 1\nextensions:\n",
      says: /line 3: the key extensions is there twice/,
    },
    { name: "a list", text: "extensions:\n  - a\n", says: /line 2: this is no plain entry/ },
    { name: "a merge", text: "extensions:\n  <<: *x\n", says: /line 2: this is no plain entry/ },
    { name: "less indentation", text: "extensions:\n    a: 1\n  b: 1\n", says: /line 3: this is no plain entry/ },
    { name: "two documents", text: "a: 1\n---\nb: 1\n", says: /line 2: this is no plain key/ },
    { name: "a flow document", text: "{ a: 1 }\n", says: /line 1: this is no plain key/ },
    { name: "tabs", text: "extensions:\n\ta: 1\n", says: /line 2: this is no plain key/ },
    { name: "a kept end", text: "extensions:\n  a: |+\n    x\n\nb: 1\n", says: /keeps its blank lines/ },
  ])("refuses $name", ({ text, says }) => {
    for (const run of [yamlEditor.find, yamlEditor.remove, (t: string, p: EntryPath) => yamlEditor.put(t, p, ENTRY)])
      expect(() => run(text, path)).toThrow(says);
  });
});
