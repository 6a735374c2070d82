import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Code } from "../../src/base/errors.ts";
import { globsOf } from "../../src/text/glob/glob.ts";
import { createPattern } from "../../src/text/search/pattern.ts";
import type { FileHits, Query } from "../../src/workspace/search/search.ts";
import { openSearchStart } from "../../src/workspace/search/search-start.ts";
import type { Searcher, View, AccessCallbacks } from "../../src/workspace/view.ts";
import { layout } from "../layout.ts";
import { workFromNow } from "../work.ts";
import { EVIL } from "./evil-patterns.ts";
import { type SearchArguments, type Files, SEARCHES } from "./searches.ts";
import { codeOf } from "../../src/testing/picture.ts";

/** Searches, and returns the matches as "path:line:column text", sorted. */
export async function find(view: View, { path = ".", ...search }: SearchArguments): Promise<readonly string[]> {
  const query = await queryFor(search);
  const found: string[] = [];
  const counts = new Map<string, number>();
  await view.search(await openSearchStart(view, path), query, (each) => {
    if ("unsearched" in each) found.push(`${view.nameOf(each.place)} not searched`);
    else if (each.hits.length > 0) found.push(...linesOf(view, each));
    else {
      const name = `${view.nameOf(each.place)}${each.isBinary ? " binary" : ""}`;
      counts.set(name, (counts.get(name) ?? 0) + each.count);
    }
    return true;
  });
  return [...found, ...[...counts].map(([name, count]) => `${name} ${count}`)].toSorted();
}

/** Returns the numbers of the texts that may have a match. */
export async function candidates(
  view: View,
  texts: readonly string[],
  search: SearchArguments,
): Promise<readonly number[]> {
  const found: number[] = [];
  const buffers = texts.map((text) => Buffer.from(text));
  for await (const number of view.candidateTexts(buffers, await queryFor(search))) found.push(number);
  return found;
}

async function queryFor(search: SearchArguments): Promise<Query> {
  const {
    pattern = "needle",
    isLiteral = false,
    ignoresCase = false,
    isWord = false,
    globs = [],
    name: _,
    path: __,
    ...more
  } = search;
  const patternOptions = { pattern, isLiteral, ignoresCase, isWord };
  return {
    patternOptions,
    pattern: await createPattern(patternOptions),
    isConfidential: false,
    isMultiline: false,
    isInOrder: true,
    onlyFirst: false,
    lineChars: 100,
    globs: globs.flatMap((glob) => globsOf(glob, "glob")),
    exclude: [],
    includeIgnored: false,
    includeHidden: false,
    ms: Infinity,
    ...more,
  };
}

function linesOf(view: View, { place, count, hits }: FileHits): readonly string[] {
  expect(hits.length).toBe(count);
  return hits.map(({ line, column, text }) => `${view.nameOf(place)}:${line}:${column} ${text}`);
}

/** Tests what every Searcher promises on a local disk. */
export function searcherContract(
  name: string,
  viewOf: (root: string, searcher: Searcher, access?: Partial<AccessCallbacks>) => View,
  make: () => Searcher,
): void {
  const on = (files: Files): View => viewOf(planted(files), make());
  describe(`Searcher contract: ${name}`, () => {
    it.each(SEARCHES)("$name", async ({ files, gives, ...search }) => {
      expect(await find(on(files), search)).toEqual(gives);
    });

    it.each<{ path: string; gives: Code }>([
      { path: "nope", gives: "not_found" },
      { path: "a/below", gives: "not_a_directory" },
      { path: "../outside", gives: "outside_workspace" },
      { path: "out", gives: "outside_workspace" },
    ])("refuses $path", async ({ path, gives }) => {
      const view = on({ a: "needle", "../outside/b": "needle", out: "→../outside" });
      await expect(
        find(view, { path }).catch((error: unknown) => Promise.reject(new Error(codeOf(error)))),
      ).rejects.toThrow(gives);
    });

    it.each(EVIL)("%s ends soon", async (pattern) => {
      const lines = await find(on({ a: `${"a".repeat(20_000)}!\nneedle\n` }), { pattern, lineChars: 10 });
      expect(lines.length).toBeLessThanOrEqual(2);
    });

    it("reports when it took too long, and where it ended", async () => {
      const view = on(Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`d${n}/f`, "needle"])));
      expect(await find(view, { ms: 0 })).toEqual([expect.stringMatching(/ not searched$/)]);
    });

    it("goes on beside a name that is not UTF-8", async () => {
      const root = planted({ a: "needle" });
      writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0x61])]), "needle");
      expect(await find(viewOf(root, make()), {})).toEqual(["a:1:1 needle"]);
    });

    it("does less than 100 ms of work once it is cancelled", { retry: 3 }, async () => {
      const root = planted(
        Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, "needle\n".repeat(9000)])),
      );
      const controller = new AbortController();
      const search = find(viewOf(root, make(), { signal: controller.signal }), {}).catch(codeOf);
      await setTimeout(30);
      controller.abort();
      const spent = workFromNow();
      expect([await search, spent() < 100]).toEqual(["cancelled", true]);
    });

    it.each<SearchArguments & { readonly gives: readonly number[] }>([
      { name: "a word", pattern: "needle", gives: [1, 3, 4] },
      { name: "the start of a text", pattern: "^needle", gives: [3, 4] },
      { name: "the end of a text", pattern: "needle$", gives: [1, 4] },
      { name: "a word across lines", pattern: "needle\\nlast", isMultiline: true, gives: [4] },
      { name: "nothing across two texts", pattern: "needle\\n\ufeffneedle", isMultiline: true, gives: [] },
      { name: "a pattern that is a secret", pattern: "needle", isConfidential: true, gives: [1, 3, 4] },
      { name: "no text", pattern: "nowhere", gives: [] },
    ])("names the texts that may match $name", async ({ gives, ...search }) => {
      const texts = ["none\n", "a\u0000b\nin a needle\n", "", "needles\n", "\ufeffneedle\nneedle\nlast\n", "none\n"];
      expect(await candidates(on({}), texts, search)).toEqual(gives);
    });

    it("names texts among many, and ends early", async () => {
      const texts = Array.from(
        { length: 500 },
        (_, n) => `${"filler ".repeat(5000)}\n${n % 2 === 0 ? "needle\n" : ""}`,
      );
      const even = texts.flatMap((_, n) => (n % 2 === 0 ? [n] : []));
      const view = on({});
      expect(await candidates(view, texts, {})).toEqual(even);
      for await (const number of view.candidateTexts(
        texts.map((text) => Buffer.from(text)),
        await queryFor({}),
      )) {
        expect(number).toBe(0);
        break;
      }
      expect(await candidates(view, texts.slice(0, 3), {})).toEqual([0, 2]);
    });

    it("stops when the callback returns false", async () => {
      const view = on(Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`f${n}`, "needle\n".repeat(3000)])));
      const patternOptions = { pattern: "needle", isLiteral: true, ignoresCase: false, isWord: false };
      const scope = { globs: [], exclude: [], includeIgnored: false, includeHidden: false };
      const format = { isConfidential: false, isMultiline: false, isInOrder: false, onlyFirst: false };
      const rest = { ...format, lineChars: 10, ms: Infinity };
      let reported = 0;
      await view.search(
        await openSearchStart(view, "."),
        { patternOptions, pattern: await createPattern(patternOptions), ...scope, ...rest },
        () => ++reported < 2,
      );
      expect(reported).toBe(2);
    });
  });
}

/** Makes a root with these files in it. */
export function planted(files: Files): string {
  const root = layout([]);
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name);
    mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string" && content.startsWith("→")) symlinkSync(content.slice(1), path);
    else writeFileSync(path, content);
  }
  return root;
}
