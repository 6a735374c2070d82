import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ProgramCommand } from "../../src/base/program.ts";
import { spawnProgram } from "../../src/exec/spawn.ts";
import type { OpenFile } from "../../src/storage/storage.ts";
import { isBlockedAtPipe } from "../../src/storage/local/blocked-at-pipe.ts";
import { createRipgrepSearcher } from "../../src/workspace/search/ripgrep/ripgrep.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import type { Searcher } from "../../src/workspace/view.ts";
import { find, planted } from "../contracts/searcher.ts";
import { impostor, packagedRipgrep, ripgrepSearcher, searchingView } from "../workspace/search/searching.ts";

const FILES = { a: "needle one\nneedle two\nneedle three\n" };
const ALL = ["a:1:1 needle one", "a:2:1 needle two", "a:3:1 needle three"].toSorted();

/** Runs the real ripgrep, and calls `onStart` before each start. */
const observedRipgrep = (onStart: (start: ProgramCommand) => void, smallBytes = 0): Searcher =>
  createRipgrepSearcher({
    spawn(start) {
      onStart(start);
      return spawnProgram(start);
    },
    find: packagedRipgrep,
    isBlockedOnPipe: isBlockedAtPipe,
    smallBytes,
    fallback: builtinSearcher,
  });

it.each([
  { how: {}, gives: ALL },
  { how: { isMultiline: true }, gives: ALL },
  { how: { lineChars: 0 }, gives: ["a 3"] },
])("ripgrep inherits the file itself, even if its name leads elsewhere by then ($how)", async ({ how, gives }) => {
  const root = planted({ ...FILES, "../outside/s": "needle secret\n" });
  const inputs: unknown[] = [];
  const searcher = observedRipgrep(({ input }) => {
    inputs.push(typeof input);
    rmSync(join(root, "a"));
    symlinkSync("../outside/s", join(root, "a"));
  });
  expect(await find(searchingView(root, searcher), { path: "a", ...how })).toEqual(gives);
  expect(inputs).toEqual(["number"]);
});

it.each([
  { how: {}, gives: ["a:2:1 needle two"] },
  { how: { isMultiline: true }, gives: ["a:2:1 needle two"] },
  { how: { lineChars: 0 }, gives: ["a 1"] },
])("a file whose shown content differs from its bytes is piped to ripgrep ($how)", async ({ how, gives }) => {
  const bytes = Buffer.from("****** one\nneedle two\n****** three\n");
  const shown = async ({ facts }: OpenFile): Promise<OpenFile> => ({
    facts: { ...facts, size: bytes.length },
    read: (into, position) => bytes.copy(into, 0, position),
  });
  const inputs: unknown[] = [];
  const searcher = observedRipgrep(({ input }) => inputs.push(typeof input));
  expect(await find(searchingView(planted(FILES), searcher, { redactedFile: shown }), { path: "a", ...how })).toEqual(
    gives,
  );
  expect(inputs).toEqual(["object"]);
});

it.each([
  { name: "is killed because the file was truncated", script: "printf '1:1:0:needle one\\n'; kill -BUS $$" },
  { name: "cannot open the file", script: "exit 2" },
])("when ripgrep $name, the built-in search reports the rest, once", async ({ script }) => {
  const root = planted(FILES);
  const searcher = ripgrepSearcher(builtinSearcher, impostor(root, script));
  expect(await find(searchingView(root, searcher), { path: "a" })).toEqual(ALL);
  expect(await find(searchingView(root, searcher), { path: "a", lineChars: 0 })).toEqual(["a 3"]);
});

it("a file that is truncated while ripgrep starts is searched as it is", async () => {
  const root = planted({ a: "needle one\n".repeat(100_000) });
  const searcher = observedRipgrep(() => writeFileSync(join(root, "a"), "needle one\n"));
  expect(await find(searchingView(root, searcher), { path: "a" })).toEqual(["a:1:1 needle one"]);
});

it("a small file is searched without ripgrep, a larger one with it", async () => {
  let starts = 0;
  const view = searchingView(
    planted(FILES),
    observedRipgrep(() => void starts++, FILES.a.length),
  );
  expect(await find(view, { path: "a" })).toEqual(ALL);
  expect(await find(view, { path: "a", lineChars: 0 })).toEqual(["a 3"]);
  expect(starts).toBe(0);
  writeFileSync(join(view.roots[0]?.real ?? "", "a"), `${FILES.a}.`);
  expect(await find(view, { path: "a" })).toEqual(ALL);
  expect(starts).toBe(1);
});
