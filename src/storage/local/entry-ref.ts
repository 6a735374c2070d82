import { Fault } from "../../base/errors.ts";
import { childOf, nameIn, parentOf } from "../../base/paths.ts";
import type { Place } from "../writer.ts";
import { isPath, requireChangeable, SPECIAL_NAMES } from "../place.ts";
import { foundOrNull, resolve, type ResolveStep, type StepReader } from "../resolve.ts";
import type { SafePath } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import type { Stores } from "./state/stores.ts";
import { createDirHandleCache, type OpenedDirectory } from "./jail/dir-handle-cache.ts";

/** Refers to a name in an open directory. */
export interface EntryRef {
  readonly parent: Handle;
  readonly name: string;
  /** Leads to the name, whatever is there; nothing follows a link from here. */
  readonly fsPath: string;
}

/** Resolves places through the open parent directory, which must be exactly the one named. */
export interface EntryResolver {
  /** Throws `swapped` when the parent directory is no longer where it was, `not_found` when there is none. */
  withEntry<T>(place: Place, use: (ref: EntryRef) => T): T;
  /** Does the same for a change: the position of the parent directory is checked now, whatever is cached. */
  withEntryToChange<T>(place: Place, use: (ref: EntryRef) => T): T;
  /** Does the same for what takes its time. */
  withEntryAsync<T>(place: Place, use: (ref: EntryRef) => Promise<T>): Promise<T>;
}

export function createEntryResolver(jail: Jail, stores: Stores): EntryResolver {
  const { roots, close } = jail.steps;
  const cache = createDirHandleCache(jail);
  /** Counts the entries in use: a callback may resolve a second place. */
  let inUse = 0;
  const openParentOf = (place: Place): OpenedDirectory => {
    const opened = isPath(place) ? openParent(jail, place) : stores.openDirectory(place);
    jail.confirm(opened.handle);
    return opened;
  };
  const withEntry: EntryResolver["withEntry"] = (place, use) => {
    try {
      const [above, name] = [parentOf(place), nameIn(place)];
      // A cached directory proves the path above; the last name, and that this is no root, are checked each time.
      if (SPECIAL_NAMES.has(name) || roots.includes(place)) requireChangeable(roots, place);
      const parent = cache.verified.get(above) ?? cache.find(above, inUse, () => openParentOf(place));
      inUse++;
      try {
        return use({ parent, name, fsPath: childOf(parent.fsPath, name) });
      } finally {
        inUse--;
      }
    } catch (error) {
      throw asFault(error, displayName(place), "change");
    }
  };
  return {
    withEntry,
    withEntryToChange(place, use) {
      cache.invalidate();
      return withEntry(place, use);
    },
    async withEntryAsync(place, use) {
      try {
        const { handle } = openParentOf(place);
        try {
          return await use(entryRefIn(handle, nameIn(place)));
        } finally {
          close(handle);
        }
      } catch (error) {
        throw asFault(error, displayName(place), "change");
      }
    },
  };
}

/** Hides the location of the store on the disk. */
const displayName = (place: Place): string => (isPath(place) ? place : `the store (${place})`);

export const entryRefIn = (parent: Handle, name: string): EntryRef => ({
  parent,
  name,
  fsPath: childOf(parent.fsPath, name),
});

function openParent(jail: Jail, place: SafePath): OpenedDirectory {
  const { roots, openRoot } = jail.steps;
  requireChangeable(roots, place);
  const path = parentOf(place) as SafePath;
  const handle = roots.includes(path)
    ? openRoot(path)
    : (jail.openDirectoryDirectly(path) ?? walkTo(jail, path, place));
  return { handle, path };
}

/** Opens the parent directory of a path step by step. */
function walkTo(jail: Jail, directory: SafePath, path: SafePath): Handle {
  const found = foundOrNull(resolve(refusingLinks(jail.steps, path), directory, "keep"), directory);
  if (found?.kind === "directory") return found.handle;
  if (found) jail.steps.close(found.handle);
  const [code, state] = found
    ? (["not_a_directory", "a file is in the way"] as const)
    : (["not_found", "its parent directory does not exist"] as const);
  throw new Fault(code, `Cannot change ${JSON.stringify(path)}: ${state}`, { path });
}

/** Refuses links: places are real paths, so a link on the way was put there after the path was resolved. */
function refusingLinks({ step, ...rest }: StepReader<Handle>, path: SafePath): StepReader<Handle> {
  return {
    ...rest,
    step(from, name, last): ResolveStep<Handle> {
      const found = step(from, name, last);
      if (found.kind !== "link") return found;
      rest.close(found.handle);
      throw new Fault("swapped", `Cannot change ${JSON.stringify(path)}: a link took the place of a directory`, {
        path,
      });
    },
  };
}
