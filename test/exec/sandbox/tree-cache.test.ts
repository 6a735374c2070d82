import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createTreeCache } from "../../../src/exec/sandbox/tree-cache.ts";
import { layout } from "../../layout.ts";
import { runAsUser, USERS } from "./run-as-user.ts";

const isSecret = (path: string): boolean => /\/(?:\.env|secret)$/.test(path);

/** Finds secrets in a tree, and counts the names that were looked at. */
function finderIn(tree: readonly string[], { matches = isSecret, laterMs = 0 } = {}) {
  const top = layout(tree);
  let looked = 0;
  const cache = createTreeCache(
    (path) => {
      looked += 1;
      return isSecret(path);
    },
    () => Date.now() + laterMs,
  );
  return {
    at: (name: string): string => join(top, name),
    async found() {
      looked = 0;
      const paths = await cache.matching([top], matches, () => undefined);
      return { names: paths.map((path) => path.slice(top.length + 1)).toSorted(), looked };
    },
  };
}

describe("a cache of a tree", () => {
  it("finds what has come into being since, however that happened", async () => {
    const { at, found } = finderIn(["a/b/c/file = x", "a/moved/.env = x", "other/name = x", "secret/in/.env = x"]);
    expect((await found()).names).toEqual(["a/moved/.env", "secret"]);
    const steps: readonly [() => void, readonly string[]][] = [
      [() => writeFileSync(at("a/b/c/.env"), ""), ["a/b/c/.env", "a/moved/.env", "secret"]],
      [() => renameSync(at("a/moved"), at("a/b/elsewhere")), ["a/b/c/.env", "a/b/elsewhere/.env", "secret"]],
      [
        () => renameSync(at("other/name"), at("other/.env")),
        ["a/b/c/.env", "a/b/elsewhere/.env", "other/.env", "secret"],
      ],
      [() => rmSync(at("a"), { recursive: true }), ["other/.env", "secret"]],
      [() => symlinkSync("other", at("link")), ["other/.env", "secret"]],
      [() => mkdirSync(at("x/y/z/secret"), { recursive: true }), ["other/.env", "secret", "x/y/z/secret"]],
    ];
    for (const [change, names] of steps) {
      change();
      expect((await found()).names).toEqual(names);
    }
  });

  it("reads only what has changed, and is not misled by times that a program sets", async () => {
    const { at, found } = finderIn(["a/one = 1", "b/two = 2", "b/three = 3"], { laterMs: 5000 });
    expect([(await found()).looked, (await found()).looked]).toEqual([5, 0]);
    writeFileSync(at("b/.env"), "");
    utimesSync(at("b"), 0, 0);
    expect(await found()).toEqual({ names: ["b/.env"], looked: 3 });
  });

  it("reads a directory again that changed just before it was read: the next change could have the same time", async () => {
    const { found } = finderIn(["a/one = 1"]);
    expect([(await found()).looked, (await found()).looked]).toEqual([2, 2]);
  });

  it("asks each time about what may match", async () => {
    let isOpen = true;
    const { found } = finderIn(["a/.env = x"], { matches: () => !isOpen });
    expect((await found()).names).toEqual([]);
    isOpen = false;
    expect((await found()).names).toEqual(["a/.env"]);
  });

  it.each(USERS.filter(({ isRoot }) => !isRoot))("closes what $who cannot list", ({ uid }) => {
    expect(runAsUser("test/exec/sandbox/fixtures/run-tree-cache.ts", { rung: "none" }, uid)).toEqual(["a"]);
  });
});
