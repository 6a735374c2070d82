import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { Entry, SafePath } from "../../src/storage/storage.ts";
import { layout } from "../layout.ts";

/** Returns a path whose last name is these bytes: a string cannot hold them. */
const raw = (directory: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${directory}/`), Buffer.from(name, "latin1")]);

const bytesOf = ({ name, raw: bytes = Buffer.from(name) }: Entry): string => bytes.toString("latin1");

describe.each(["handle", "best-effort"] as const)("names that are not UTF-8, %s", (containment) => {
  const plant = () => {
    const root = layout(["a\uFFFDb/other", "g\uFFFD"]);
    mkdirSync(raw(root, "a\xFFb"));
    writeFileSync(raw(root, "f\xFE"), "12345");
    symlinkSync(raw(".", "g\xFE"), join(root, "link"));
    return { root: root as SafePath, storage: createLocalStorage([root], { containment }) };
  };

  it("lists them with their bytes and looks at them", async () => {
    const { root, storage } = plant();
    const seen = await storage.withDirectory(root, async (directory) =>
      (await directory.entries()).map((entry) => [bytesOf(entry), entry, directory.stat(entry)?.kind]),
    );
    expect(Object.fromEntries(seen.map(([bytes, ...rest]) => [bytes, rest]))).toEqual({
      "a\xEF\xBF\xBDb": [{ name: "a\uFFFDb", kind: "directory" }, "directory"],
      "a\xFFb": [{ name: "a\uFFFDb", kind: "directory", raw: Buffer.from("a\xFFb", "latin1") }, "directory"],
      "f\xFE": [{ name: "f\uFFFD", kind: "file", raw: Buffer.from("f\xFE", "latin1") }, "file"],
      "g\xEF\xBF\xBD": [{ name: "g\uFFFD", kind: "file" }, "file"],
      link: [{ name: "link", kind: "symlink" }, "symlink"],
    });
  });

  it("never enters another directory that is spelled alike", async () => {
    const { root, storage } = plant();
    await storage.withDirectory(root, async (directory) => {
      const entry = (await directory.entries()).find((each) => bytesOf(each) === "a\xFFb") as Entry;
      const entered = directory.withDirectory(entry, async ({ facts }) => facts().identity).catch(() => "refused");
      expect(["refused", directory.stat(entry)?.identity]).toContain(await entered);
    });
  });

  it.each([
    { name: "f\uFFFD", gives: "not_found" },
    { name: "g\uFFFD", gives: 4 },
    { name: "link", gives: "outside_workspace" },
  ])("opens only what is really called $name", async ({ name, gives }) => {
    const { root, storage } = plant();
    const opened = storage.withFile(join(root, name) as SafePath, async ({ facts }) => facts.size);
    expect(await opened.catch((error) => (isFault(error) ? error.code : error))).toBe(gives);
  });
});
