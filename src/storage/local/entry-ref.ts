import { Fault } from "../../base/errors.ts";
import { nameIn, parentOf } from "../../base/paths.ts";
import type { Place } from "../writer.ts";
import { isPath, namesWithin } from "../place.ts";
import { foundOrNull, resolve, type ResolveStep, type StepReader } from "../resolve.ts";
import type { SafePath } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Handle, Jail } from "./jail/jail.ts";
import type { Stores } from "./state/stores.ts";
import { createDirHandleCache } from "./jail/dir-handle-cache.ts";

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
  const openParentOf = (place: Place): Handle =>
    isPath(place) ? openParent(jail, place) : stores.openDirectory(place);
  const pathAbove = (place: Place): string => (isPath(place) ? parentOf(place) : stores.pathOf(place));
  const handles = createDirHandleCache(jail, pathAbove);
  const withEntry: EntryResolver["withEntry"] = (place, use) => {
    try {
      const known = handles.get(place);
      const parent = known ?? openParentOf(place);
      const isCached = known !== undefined || handles.add(place, parent);
      try {
        jail.confirm(parent);
        return use(entryRefIn(parent, nameIn(place)));
      } finally {
        if (!isCached) jail.steps.close(parent);
      }
    } catch (error) {
      throw asFault(error, displayName(place), "change");
    }
  };
  return {
    withEntry,
    withEntryToChange(place, use) {
      handles.invalidate();
      return withEntry(place, use);
    },
    async withEntryAsync(place, use) {
      try {
        const parent = openParentOf(place);
        try {
          jail.confirm(parent);
          return await use(entryRefIn(parent, nameIn(place)));
        } finally {
          jail.steps.close(parent);
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
  fsPath: `${parent.fsPath}/${name}`,
});

function openParent(jail: Jail, path: SafePath): Handle {
  namesWithin(jail.steps.roots, path);
  const above = parentOf(path) as SafePath;
  if (jail.steps.roots.includes(above)) return jail.steps.openRoot(above);
  const handle =
    jail.openDirectly(above, "follow") ??
    foundOrNull(resolve(refusingLinks(jail.steps, path), above, "keep"), above)?.handle;
  if (handle && jail.stats(handle).isDirectory()) return handle;
  if (handle) jail.steps.close(handle);
  if (handle)
    throw new Fault("not_a_directory", `Cannot change ${JSON.stringify(path)}: a file is in the way`, { path });
  throw new Fault("not_found", `Cannot change ${JSON.stringify(path)}: its parent directory does not exist`, { path });
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
