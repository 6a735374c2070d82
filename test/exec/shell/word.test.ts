import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readWord } from "../../../src/exec/shell/word.ts";
import { pick, randomBelow } from "./random.ts";

const HOME = "/home/u";

describe("readWord", () => {
  it.each([
    ["a\\ b", "a b"],
    ["'a b'/x", "a b/x"],
    ['"x$HOME"', "x/home/u"],
    ["~/x", "/home/u/x"],
    ["HEAD~1", "HEAD~1"],
    ["HEAD@{1}", "HEAD@{1}"],
    ["$'a\\tb'", "a\tb"],
    ['"foo$"', "foo$"],
    ["foo$", "foo$"],
    ["''", ""],
    ["[", "["],
  ])("reads %s", (source, value) => expect(readWord(source, HOME)).toMatchObject({ value, isPattern: false }));

  it.each([
    "~u",
    "a=~/x",
    "{a,b}",
    "a{'x',b}",
    "{1..3}",
    "$'\\x72'",
    "$(id)",
    '"$(id)"',
    "`id`",
    "${x}",
    "a\\\nb",
    "#a",
  ])("does not know %s", (source) => expect(readWord(source, HOME)).toHaveProperty("dynamic"));

  it("reads random words as bash does, and writes them so that bash reads them again", () => {
    const below = randomBelow(11);
    const words = Array.from({ length: 20_000 }, () =>
      Array.from({ length: 1 + below(6) }, () => pick(below, PIECES)).join(""),
    ).flatMap((source) => {
      const word = readWord(source, HOME);
      return "dynamic" in word || word.isPattern || word.hasStatus || source.startsWith("#")
        ? []
        : [{ source, ...word }];
    });
    expect(words.length).toBeGreaterThan(3000);
    expect(argvOf(words.map(({ source }) => source))).toEqual(words.map(({ value }) => value));
    expect(argvOf(words.map(({ script }) => script))).toEqual(words.map(({ value }) => value));
  });
});

const PIECES = [
  "a",
  "B",
  "1",
  "-",
  "/",
  ".",
  "=",
  ":",
  ",",
  "..",
  "~",
  "{",
  "}",
  "[",
  "]",
  "!",
  "^",
  "@",
  "%",
  "+",
  "#",
  "é",
]
  .concat(["'", "'x y'", '"', '"x y"', "\\ ", "\\'", '\\"', "\\$", "\\\\", "$", '"$"', '"a\\"b"', '"\\n"', '"\\$x"'])
  .concat(["$HOME", "${HOME}", "$'", "$'\\n'", "$'\\t'", "`", "*", "?", "'{'", "'$(id)'", "''"]);

/** Returns what bash passes for each word. */
function argvOf(words: readonly string[]): readonly string[] {
  const script = words.map((word) => `printf '%s\\0' x ${word}; echo -n`).join("\n");
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-s"], {
    input: script,
    encoding: "utf8",
    env: { HOME, PATH: process.env["PATH"], LC_ALL: "C.UTF-8" },
    maxBuffer: 1 << 28,
  });
  return stdout.slice(2, -1).split("\0x\0");
}
