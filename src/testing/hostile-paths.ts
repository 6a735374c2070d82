import { deepEqual } from "node:assert/strict";
import { isFault } from "../base/errors.ts";
import type { Facts, LastLink, SafePath, Storage } from "../storage/storage.ts";
import { locatePath } from "../workspace/locate.ts";
import { HOSTILE_PATHS, type HostilePath, OUTSIDE } from "./hostile-path-rows.ts";
import { namesIn, requireNoLeak } from "./outcomes.ts";
import type { TestFunctions } from "./test-functions.ts";
import { spelled } from "./tree.ts";

/**
 * Tests that no path leads out of a storage, by its spelling or through a link, and that none reveals what is outside.
 * Leaves out trees with links where a storage has none.
 */
export function hostilePathsSuite(
  { describe, it }: TestFunctions,
  { name, symlinks }: { readonly name: string; readonly symlinks: boolean },
  make: (tree: readonly string[]) => Storage,
): void {
  describe(`Hostile paths: ${name}`, () => {
    for (const row of HOSTILE_PATHS.filter(({ tree }) => symlinks || !tree.some(isLink)))
      it(row.name, async () => {
        deepEqual(await outcomesOf(make([...row.tree, ...OUTSIDE]), row.path), expectedOf(row));
      });
  });
}

const isLink = (line: string): boolean => line.includes(" => ");

/** Returns the result of each way to read: the kind and real path, or the code of the fault. */
async function outcomesOf(storage: Storage, path: string) {
  const root = storage.roots[0] as string;
  const asked = spelled(path, root);
  const named = ({ kind, path: place }: Facts) => `${kind} ${place === root ? "." : place.slice(root.length + 1)}`;
  const attempt = <T>(use: (place: SafePath) => Promise<T>) =>
    locatePath(storage, [{ given: root, real: root }], asked)
      .then(use)
      .catch((error: unknown) => codeWithoutLeak(error, asked));
  const look = (last: LastLink) =>
    attempt(async (place) => {
      const facts = await storage.stat(place, last);
      return facts ? named(facts) : "not_found";
    });
  return {
    follow: await look("follow"),
    keep: await look("keep"),
    file: await attempt((place) =>
      storage.withFile(place, async (file) => {
        const bytes = Buffer.alloc(file.facts.size + 1);
        return { at: named(file.facts), text: bytes.toString("utf8", 0, await file.read(bytes, 0)) };
      }),
    ),
    directory: await attempt((place) =>
      storage.withDirectory(place, async (directory) => ({
        at: named(directory.facts()),
        names: (await directory.entries()).map((entry) => entry.name).toSorted(),
      })),
    ),
  };
}

function codeWithoutLeak(error: unknown, asked: string): string {
  if (!isFault(error)) throw error;
  requireNoLeak(`${error.message} ${JSON.stringify(error.details)}`, asked);
  return error.code;
}

function expectedOf({ tree, gives: follow, keeps }: HostilePath) {
  const place = follow.slice(follow.indexOf(" ") + 1);
  const both = { follow, keep: keeps ?? follow };
  if (follow.startsWith("file ")) return { ...both, file: { at: follow, text: place }, directory: "not_a_directory" };
  if (follow.startsWith("directory "))
    return { ...both, file: "not_a_file", directory: { at: follow, names: namesIn(tree, place) } };
  return { ...both, file: follow, directory: follow };
}
