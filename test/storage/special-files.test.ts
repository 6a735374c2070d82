import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { createLocalStorage } from "../../src/storage/local/local.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { makeSpecialFile, promptly, SPECIAL } from "../contracts/special-files.ts";
import { layout } from "../layout.ts";
import { JAILS } from "./jails.ts";

const outcome = (run: Promise<unknown>) => run.catch((error) => (isFault(error) ? error.code : error));
const use = async () => "opened";

describe.each(JAILS)("special files, $name", ({ jail }) => {
  it.each(SPECIAL)("sees a %s and never opens it", async (kind) => {
    const root = layout([`link => ${kind}`]);
    await makeSpecialFile(kind, root);
    const storage = createLocalStorage([root], jail);
    for (const name of [kind, "link"]) {
      const path = join(root, name) as SafePath;
      const below = join(root, name, "below") as SafePath;
      const outcomes = await promptly(async () => ({
        look: (await storage.stat(path, "follow"))?.kind,
        file: await outcome(storage.withFile(path, use)),
        directory: await outcome(storage.withDirectory(path, use)),
        below: await outcome(storage.withFile(below, use)),
        listed: await storage.withDirectory(root as SafePath, async (directory) =>
          (await directory.entries()).map((entry) => `${entry.name} ${entry.kind} ${directory.stat(entry)?.kind}`),
        ),
      }));
      expect(outcomes).toEqual({
        look: "other",
        file: "special_file",
        directory: "special_file",
        below: "not_a_directory",
        listed: expect.arrayContaining([`${kind} other other`, "link symlink symlink"]),
      });
    }
  });

  it("reads regular files beside one that would block", async () => {
    const root = layout(["file"]);
    await makeSpecialFile("fifo", root);
    const storage = createLocalStorage([root], jail);
    const fifo = () => storage.withFile(join(root, "fifo") as SafePath, use).catch(() => "refused");
    const file = () => storage.withFile(join(root, "file") as SafePath, async ({ facts }) => facts.size);
    const all = await promptly(() => Promise.all([...Array.from({ length: 20 }, fifo), file()]));
    expect(all).toEqual([...Array.from({ length: 20 }, () => "refused"), 4]);
  });
});
