import { describe, expect, it } from "vitest";
import { isFault } from "../../../src/base/errors.ts";
import { createLocalStorage } from "../../../src/storage/local/local.ts";
import type { Facts, Storage } from "../../../src/storage/storage.ts";
import { HOSTILE_PATHS, type HostilePath, OUTSIDE } from "../../contracts/hostile-paths.ts";
import { layout, memoryLayout, spelled } from "../../layout.ts";
import { JAILS } from "../../storage/jails.ts";
import { viewOn } from "../viewing.ts";
import { namesIn, expectNoLeak } from "../../contracts/outcomes.ts";

const STORAGES = [
  ...JAILS.map(({ name, jail }) => ({
    name,
    containment: jail.containment,
    make: (tree: readonly string[]) => createLocalStorage([layout(tree)], jail),
  })),
  { name: "in-memory", containment: "in-memory", make: memoryLayout },
] as const;

describe.each(STORAGES)("hostile paths, $name", ({ containment, make }) => {
  it.each(HOSTILE_PATHS)("$name", async (row) => {
    const storage = make([...row.tree, ...OUTSIDE]);
    expect(storage.capabilities.containment).toBe(containment);
    expect(await outcomesOf(storage, row.path)).toEqual(expected(row));
  });
});

/** Returns the result of each way to read: the kind and real path, or the code of the fault. */
async function outcomesOf(storage: Storage, path: string) {
  const root = storage.roots[0] as string;
  const asked = spelled(path, root);
  const view = viewOn(storage, [{ given: root, real: root }], { mayHideBelow: () => false });
  const placed = ({ kind, path: place }: Facts) => `${kind} ${place === root ? "." : place.slice(root.length + 1)}`;
  const codeOf = (error: unknown) => {
    if (!isFault(error)) throw error;
    expectNoLeak(`${error.message} ${JSON.stringify(error.details)}`, asked);
    return error.code;
  };
  const look = async (last: "follow" | "keep") => {
    const facts = await view.stat(asked, last);
    return facts ? placed(facts) : "not_found";
  };
  return {
    follow: await look("follow").catch(codeOf),
    keep: await look("keep").catch(codeOf),
    file: await view
      .withFile(asked, async ({ facts, read }) => {
        const bytes = Buffer.alloc(facts.size + 1);
        return { at: placed(facts), says: bytes.toString("utf8", 0, await read(bytes, 0)) };
      })
      .catch(codeOf),
    directory: await view
      .withDirectory(asked, async (directory) => ({
        at: placed(directory.facts()),
        holds: (await directory.entries()).map((entry) => entry.name).toSorted(),
      }))
      .catch(codeOf),
  };
}

function expected({ tree, gives: follow, keeps }: HostilePath) {
  const place = follow.slice(follow.indexOf(" ") + 1);
  const both = { follow, keep: keeps ?? follow };
  if (follow.startsWith("file ")) return { ...both, file: { at: follow, says: place }, directory: "not_a_directory" };
  if (follow.startsWith("directory "))
    return { ...both, file: "not_a_file", directory: { at: follow, holds: namesIn(tree, place) } };
  return { ...both, file: follow, directory: follow };
}
