import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { spawnProgram } from "../../src/exec/spawn.ts";
import { isBlockedAtPipe } from "../../src/storage/local/blocked-at-pipe.ts";
import { createRipgrepSearcher } from "../../src/workspace/search/ripgrep/ripgrep.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import { find, planted } from "../contracts/searcher.ts";
import { needs } from "../programs.ts";
import { layout } from "../layout.ts";
import { packagedRipgrep, ripgrepSearcher, searchingView } from "../workspace/search/searching.ts";

const FILES = { a: "needle one\nneedle two", "b/c": "needle three", "d/e": "nothing" };
const ALL = ["a:1:1 needle one", "a:2:1 needle two", "b/c:1:1 needle three"];
function mkfifo(...path: string[]): void {
  needs("mkfifo");
  execFileSync("mkfifo", [join(...path)]);
}

/** Runs the real ripgrep with one more path: a file that has become a FIFO after the walk. */
async function ripgrepAt(fifo: string, root: string): Promise<string> {
  const program = join(layout([]), "rg");
  writeFileSync(program, `#!/bin/sh\nexec ${await packagedRipgrep()} "$@" ./${fifo}\n`);
  chmodSync(program, 0o755);
  mkfifo(root, fifo);
  return program;
}

it.each([{ isInOrder: true }, { isInOrder: false }, { isInOrder: true, isMultiline: true }])(
  "a file that becomes a FIFO while ripgrep walks does not end the search: the rest is searched, once (%j)",
  async (how) => {
    const root = planted(FILES);
    const searcher = ripgrepSearcher(builtinSearcher, () => ripgrepAt("swapped", root));
    expect(await find(searchingView(root, searcher), how)).toEqual(ALL);
  },
);

it("a file that becomes a FIFO does not end a count", async () => {
  const root = planted(FILES);
  const searcher = ripgrepSearcher(builtinSearcher, () => ripgrepAt("swapped", root));
  expect(await find(searchingView(root, searcher), { lineChars: 0 })).toEqual(["a 2", "b/c 1"]);
});

it.each([".gitignore", ".ignore", ".rgignore"])("a FIFO named %s does not block a search", async (name) => {
  const root = planted(FILES);
  mkfifo(root, "b", name);
  expect(await find(searchingView(root, ripgrepSearcher()), {})).toEqual(ALL);
});

it.each([{}, { isMultiline: true }, { onlyFirst: true }, { lineChars: 0 }])(
  "a single file that becomes a FIFO before ripgrep starts is searched as it was (%j)",
  async (how) => {
    const root = planted(FILES);
    const searcher = createRipgrepSearcher({
      spawn(start) {
        rmSync(join(root, "a"));
        mkfifo(root, "a");
        return spawnProgram(start);
      },
      find: packagedRipgrep,
      isBlockedOnPipe: isBlockedAtPipe,
      smallBytes: 0,
      fallback: builtinSearcher,
    });
    const found = await find(searchingView(root, searcher), { path: "a", ...how });
    const lines = "onlyFirst" in how ? ALL.slice(0, 1) : ALL.slice(0, 2);
    expect(found).toEqual("lineChars" in how ? ["a 2"] : lines);
  },
);
