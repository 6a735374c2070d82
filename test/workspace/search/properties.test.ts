import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Searcher } from "../../../src/workspace/view.ts";
import { find, planted } from "../../contracts/searcher.ts";
import type { SearchArguments } from "../../contracts/searches.ts";
import { builtinSearcher } from "../../../src/workspace/search/builtin-searcher.ts";
import { ripgrepSearcher, searchingView } from "./searching.ts";

const ROUNDS = 60;

const piece = fc.constantFrom("a", "b", "c", "A", "_", "é", "日", "😀", " ", ".", "(", "[", "-", "1");
const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, feed, isEnded]) => lines.join(feed) + (isEnded && lines.length > 0 ? feed : ""));

/** Are pieces of patterns that mean the same in JavaScript. */
const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  "é",
  "日",
  "[ab]",
  "[^a]",
  ".",
  "\\.",
  "\\(",
  "[[(]",
  "[0-9]",
  "(?:ab|c)",
  "(a|é)",
);
const pattern = fc
  .tuple(
    fc.constantFrom("", "^"),
    fc.array(fc.tuple(atom, fc.constantFrom("", "", "+", "?", "*", "{1,2}")), { minLength: 1, maxLength: 4 }),
    fc.constantFrom("", "$"),
  )
  .map(([start, parts, end]) => start + parts.flat().join("") + end);

const literal = fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
const query = fc.oneof(
  fc.record({ pattern, isLiteral: fc.constant(false), ignoresCase: fc.boolean() }),
  fc.record({ pattern: literal, isLiteral: fc.constant(true), ignoresCase: fc.boolean() }),
);

/** Searches line by line with RegExp. */
function naively(
  files: Readonly<Record<string, string>>,
  { pattern: source = "", isLiteral, ignoresCase }: SearchArguments,
): readonly string[] {
  const regex = new RegExp(
    isLiteral ? source.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&") : source,
    `u${ignoresCase ? "i" : ""}`,
  );
  const found = Object.entries(files).flatMap(([name, content]) => {
    const lines = content.split(/\r?\n/);
    if (lines.at(-1) === "") lines.pop();
    return lines.flatMap((each, index) => {
      const match = regex.exec(each);
      return match ? [`${name}:${index + 1}:${Array.from(each.slice(0, match.index)).length + 1} ${each}`] : [];
    });
  });
  return found.toSorted();
}

describe.each<{ name: string; make: () => Searcher }>([
  { name: "ripgrep", make: ripgrepSearcher },
  { name: "built-in", make: () => builtinSearcher },
])("$name finds what a naive matcher finds", ({ make }) => {
  it("in any files", async () => {
    const root = planted({});
    const view = searchingView(root, make());
    let round = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom("a", "b/c", "b/d.ts"), text, { maxKeys: 3 }),
        query,
        async (files, asked) => {
          const path = `r${round++}`;
          mkdirSync(join(root, path, "b"), { recursive: true });
          for (const [name, content] of Object.entries(files)) writeFileSync(join(root, path, name), content);
          const expected = naively(
            Object.fromEntries(Object.entries(files).map(([name, content]) => [`${path}/${name}`, content])),
            asked,
          );
          expect(await find(view, { path, ...asked })).toEqual(expected);
        },
      ),
      { numRuns: ROUNDS },
    );
  });
});
