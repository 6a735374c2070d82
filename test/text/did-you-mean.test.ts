import { expect, it } from "vitest";
import { mostSimilar } from "../../src/text/did-you-mean.ts";

const TOOLS = ["ls", "read", "session", "stat", "tree"];

it.each([
  { word: "raed", among: TOOLS, meant: "read" },
  { word: "READ", among: TOOLS, meant: "read" },
  { word: "stats", among: TOOLS, meant: "stat" },
  { word: "sesion", among: TOOLS, meant: "session" },
  { word: "threee", among: TOOLS, meant: "tree" },
  { word: "sl", among: TOOLS, meant: "ls" },
  { word: "ads", among: ["add"], meant: "add" },
  { word: "nope", among: ["copy", "move"], meant: undefined },
  { word: "x", among: ["ls"], meant: undefined },
  { word: "delete_everything", among: TOOLS, meant: undefined },
  { word: "include_hiden", among: ["include_hidden", "include_ignored"], meant: "include_hidden" },
  { word: "maxbytes", among: ["max_bytes", "offset"], meant: "max_bytes" },
  { word: "x".repeat(1_000_000), among: TOOLS, meant: undefined },
  { word: "read", among: [], meant: undefined },
  { word: "b.txt", among: ["a.txt", "c.txt"], meant: undefined },
  { word: "nb.txt", among: ["a.txt", "ob.txt"], meant: "ob.txt" },
  { word: "caf\u00E9", among: ["cave", "cafe\u0301"], meant: "cafe\u0301" },
  {
    word: "\uD55C\uAE00",
    among: ["\u1112\u1161\u11AB\u1100\u1173\u11AF"],
    meant: "\u1112\u1161\u11AB\u1100\u1173\u11AF",
  },
  { word: "a b", among: ["a\u202Fb", "a-b"], meant: "a\u202Fb" },
  { word: "it's", among: ["it\u2019s"], meant: "it\u2019s" },
])("$word among $among means $meant", ({ word, among, meant }) => {
  expect(mostSimilar(word, among)).toBe(meant);
});
