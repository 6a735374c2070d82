import { describe, expect, it } from "vitest";
import { parseJsonc } from "../../src/text/jsonc.ts";

describe("what is understood", () => {
  it.each([
    {
      name: "plain JSON",
      text: '{"a":[1,-2.5e3,true,false,null,"x"]}',
      value: { a: [1, -2500, true, false, null, "x"] },
    },
    { name: "a value alone", text: " 5 ", value: 5 },
    { name: "comments", text: '// one\n{ /* two\nlines */ "a": 1 // three\n}', value: { a: 1 } },
    { name: "commas at the end", text: '{"a": [1, 2,], "b": {"c": 3,},}', value: { a: [1, 2], b: { c: 3 } } },
    { name: "what looks like a comment in text", text: '{"a": "// no /* no */"}', value: { a: "// no /* no */" } },
    { name: "escapes", text: '{"\\u0061": "\\n\\"\\\\"}', value: { a: '\n"\\' } },
    { name: "a byte order mark", text: "\ufeff[]", value: [] },
    { name: "nothing in it", text: "{}", value: {} },
  ])("$name", ({ text, value }) => {
    expect(parseJsonc(text).value).toEqual(value);
  });

  it("keeps a key that objects are born with as one's own", () => {
    const value = parseJsonc('{"__proto__": {"polluted": true}}').value as Record<string, unknown>;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(value["polluted"]).toBeUndefined();
  });

  it("knows the line of every key and element", () => {
    const { lineOf } = parseJsonc('{\n  // a comment\n  "a": {\n    "b": [\n      1,\n      { "c": 2 }\n    ]\n  }\n}');
    const lines = [[], ["a"], ["a", "b"], ["a", "b", 0], ["a", "b", 1], ["a", "b", 1, "c"], ["x"]].map(lineOf);
    expect(lines).toEqual([1, 3, 4, 5, 6, 6, undefined]);
  });
});

describe("what is wrong names its line", () => {
  it.each([
    { text: "", says: "line 1: the file ends too early" },
    { text: '{\n"a" 1}', says: 'line 2: a ":" is missing before "1"' },
    { text: '{"a": 1\n"b": 2}', says: 'line 2: a comma is missing before "\\"b\\""' },
    { text: "[1\n2]", says: 'line 2: a comma is missing before "2"' },
    { text: "{a: 1}", says: 'line 1: this is neither a value nor a key in double quotes: "a"' },
    { text: '{"a": 1,\n\n"a": 2}', says: 'line 3: the key "a" is there twice' },
    { text: "{} {}", says: 'line 1: nothing may follow the value, but there is "{"' },
    { text: "\n/* never", says: 'line 2: this comment is never closed: "/* never"' },
    { text: "[nope]", says: 'line 1: this is neither a value nor a key in double quotes: "nope"' },
    { text: "[01]", says: 'line 1: a comma is missing before "1"' },
    { text: "['a']", says: `line 1: this is neither a value nor a key in double quotes: "'a'"` },
    { text: '["a\nb"]', says: 'line 1: this is no JSON value: "\\"a"' },
    { text: "[1,,2]", says: 'line 1: a value is missing before ","' },
    { text: '{"a": 1,,}', says: 'line 1: a key in double quotes is missing before ","' },
    { text: '{"a": [1,\n2', says: "line 2: the file ends too early" },
    { text: "[".repeat(100), says: "line 1: it is nested too deep" },
    { text: '{"a":'.repeat(100_000), says: "line 1: it is nested too deep" },
  ])("$text", ({ text, says }) => {
    expect(() => parseJsonc(text)).toThrow(says);
  });
});
