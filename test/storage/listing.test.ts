import { readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { DirectoryHandle, SafePath } from "../../src/storage/storage.ts";
import { layout } from "../layout.ts";
import { needs } from "../programs.ts";
import { JAILS } from "./jails.ts";

const namesOf = async (inner: DirectoryHandle): Promise<readonly string[]> =>
  (await inner.entries()).map(({ name, kind }) => `${name} ${kind}`);

describe.each(JAILS.filter(({ jail }) => jail.containment === "handle"))(
  "entries of a directory: $name",
  ({ jail }) => {
    /** Opens `inner` from the handle of its parent, as a walk does. */
    async function withInner<T>(root: string, use: (inner: DirectoryHandle) => T | Promise<T>): Promise<T> {
      const top = await createLocalStorage([root], jail).openDirectory(root as SafePath);
      try {
        const inner = top.openDirectory({ name: "inner", kind: "directory" });
        try {
          return await use(inner);
        } finally {
          inner.close();
        }
      } finally {
        top.close();
      }
    }

    it("has each type, and names of any spelling, in order", async () => {
      const root = layout([
        "inner/b",
        "inner/a/",
        "inner/link => ../other",
        "inner/..c",
        "inner/...",
        "inner/ü😀",
        "inner/\n",
      ]);
      needs("mkfifo");
      execFileSync("mkfifo", [join(root, "inner/fifo")]);
      const expected = [
        "\n file",
        "... file",
        "..c file",
        "a directory",
        "b file",
        "fifo other",
        "link symlink",
        "ü😀 file",
      ];
      expect(await withInner(root, namesOf)).toEqual(expected);
    });

    it("can be read again, and shows what is there then", async () => {
      const root = layout(["inner/one"]);
      await withInner(root, async (inner) => {
        expect(await namesOf(inner)).toEqual(["one file"]);
        writeFileSync(join(root, "inner/two"), "");
        expect(await namesOf(inner)).toEqual(["one file", "two file"]);
      });
    });

    it("belongs to the directory that was opened, wherever it is and whatever has its name", async () => {
      const root = layout(["inner/mine", "../outside/secret"]);
      await withInner(root, async (inner) => {
        renameSync(join(root, "inner"), join(root, "moved"));
        symlinkSync("../outside", join(root, "inner"));
        expect(await namesOf(inner)).toEqual(["mine file"]);
      });
      await expect(withInner(root, namesOf)).rejects.toMatchObject({ code: "swapped" });
    });

    it("is empty in a directory that was removed", async () => {
      const root = layout(["inner/"]);
      await withInner(root, async (inner) => {
        rmSync(join(root, "inner"), { recursive: true });
        expect(await Promise.resolve(inner.entries()).catch(() => [])).toEqual([]);
      });
    });

    it("is complete where a directory is too large to be read at once", async () => {
      const root = layout(["inner/"]);
      const names = Array.from({ length: 4500 }, (_, n) => `${"n".repeat(240)}${n}`);
      for (const name of names) writeFileSync(join(root, "inner", name), "");
      const found = await withInner(root, (inner) => inner.entries());
      expect(found.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    });

    it("is refused for what is not a directory, and leaves nothing open", async () => {
      const root = layout(["inner = a file"]);
      const before = readdirSync("/proc/self/fd").length;
      await expect(withInner(root, namesOf)).rejects.toMatchObject({ code: "swapped" });
      rmSync(join(root, "inner"));
      await expect(withInner(root, namesOf)).rejects.toMatchObject({ code: "swapped" });
      expect(readdirSync("/proc/self/fd").length).toBe(before);
    });
  },
);
