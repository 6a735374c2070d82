import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { codeOf } from "../../src/testing/picture.ts";
import { storageSuite } from "../../src/testing/storage.ts";
import { layout } from "../layout.ts";
import { JAILS } from "./jails.ts";

const use = () => Promise.reject(new Error("mine"));

describe.each(JAILS)("local storage, $name", ({ jail }) => {
  storageSuite({ describe, it }, { symlinks: true, permissions: true, containment: jail.containment }, (tree) =>
    createLocalStorage([layout(tree)], jail),
  );

  it.each([
    { name: "its own", path: "one/a", gives: "../one/a" },
    { name: "a link to the other by dotdot", path: "one/climb", gives: "../two/b" },
    { name: "a link to the other by name", path: "one/by-name", gives: "../two/b" },
    { name: "a link to the other itself", path: "one/other/b", gives: "../two/b" },
    { name: "there and back", path: "one/other/back", gives: "../one/a" },
    { name: "dotdot to the one around", path: "one/inner/../a", gives: "../one/a" },
    { name: "a link out of the inner one", path: "one/inner/up", gives: "../one/a" },
    { name: "beside both", path: "one/beside", gives: "outside_workspace" },
    { name: "the directory of both", path: "one/both/secret", gives: "outside_workspace" },
    { name: "both by name", path: "one/both/two/b", gives: "../two/b" },
  ])("several roots: $name", async ({ path, gives }) => {
    const top = dirname(
      layout([
        "../one/a",
        "../one/climb => ../two/b",
        "../one/by-name => $ABS/../two/b",
        "../one/other => ../two",
        "../one/inner/up => ../a",
        "../one/beside => ../secret",
        "../one/both => ..",
        "../two/b",
        "../two/back => ../one/a",
        "../secret",
      ]),
    );
    const roots = ["one", "two", "one/inner"].map((name) => join(top, name));
    const storage = createLocalStorage(roots, jail);
    const read = storage.withFile(join(top, path) as SafePath, async (file) => {
      const bytes = Buffer.alloc(file.facts.size);
      await file.read(bytes, 0);
      return String(bytes);
    });
    expect(await read.catch((error) => (isFault(error) ? error.code : error))).toBe(gives);
  });

  it("leaves no descriptor open", async () => {
    const root = layout([
      "a/b/f",
      "in => a/b",
      "out => ../outside",
      "loop => loop",
      "gone => nope",
      "up => ..",
      "../outside/f",
    ]);
    const storage = createLocalStorage([root], jail);
    const ways = ["", "a/b/f", "in/f", "in/../b/f", "out/f", "loop", "gone", "nope", "nope/f", "a/b/f/x", "up/ROOT/a"];
    const all = () =>
      ways.flatMap((way) => {
        const path = `${root}/${way}` as SafePath;
        return [
          storage.stat(path, "follow"),
          storage.stat(path, "keep"),
          storage.withFile(path, use),
          storage.withDirectory(path, ({ withDirectory }) => withDirectory({ name: "b", kind: "directory" }, use)),
        ];
      });
    await Promise.allSettled(all());
    const before = readdirSync("/proc/self/fd").length;
    for (let round = 0; round < 20; round++) await Promise.allSettled(all());
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  });
});

it.each(JAILS)("does not cut a name at a NUL, even unvalidated, $name", async ({ jail }) => {
  const root = layout(["file", "dir/"]);
  const storage = createLocalStorage([root], jail);
  const at = (way: string) => `${root}/${way}` as SafePath;
  expect([
    await storage.stat(at("file\0.txt"), "follow").catch(codeOf),
    await storage.withFile(at("file\0.txt"), async () => "read").catch(codeOf),
    await storage.withDirectory(at("dir\0x"), async () => "listed").catch(codeOf),
  ]).toEqual(["io", "io", "io"]);
});
