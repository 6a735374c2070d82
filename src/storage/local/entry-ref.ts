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

/** Where a hand acts: a name in a directory that is held. */
export interface EntryRef {
  readonly parent: Handle;
  readonly name: string;
  /** Leads to the name, whatever is there; the hand follows no link from here. */
  readonly at: string;
}

/** How hands get to places: through the held directory above, which must be exactly the one named. */
export interface EntryResolver {
  /** Throws `swapped` when the directory above is no longer where it was, `not_found` when there is none. */
  using<T>(place: Place, use: (spot: EntryRef) => T): T;
  /** The same for what changes something: where the directory above is gets asked now, whatever was known before. */
  acting<T>(place: Place, use: (spot: EntryRef) => T): T;
  /** The same for what takes its time. */
  during<T>(place: Place, use: (spot: EntryRef) => Promise<T>): Promise<T>;
}

export function createEntryResolver(jail: Jail, stores: Stores): EntryResolver {
  const hold = (place: Place): Handle => (isPath(place) ? holdParent(jail, place) : stores.hold(place));
  const pathAbove = (place: Place): string => (isPath(place) ? parentOf(place) : stores.pathOf(place));
  const turn = createDirHandleCache(jail, pathAbove);
  const using: EntryResolver["using"] = (place, use) => {
    try {
      const known = turn.at(place);
      const parent = known ?? hold(place);
      const isKept = known !== undefined || turn.keep(place, parent);
      try {
        jail.confirm(parent);
        return use(entryRefIn(parent, nameIn(place)));
      } finally {
        if (!isKept) jail.steps.close(parent);
      }
    } catch (error) {
      throw asFault(error, shown(place), "change");
    }
  };
  return {
    using,
    acting(place, use) {
      turn.doubt();
      return using(place, use);
    },
    async during(place, use) {
      try {
        const parent = hold(place);
        try {
          jail.confirm(parent);
          return await use(entryRefIn(parent, nameIn(place)));
        } finally {
          jail.steps.close(parent);
        }
      } catch (error) {
        throw asFault(error, shown(place), "change");
      }
    },
  };
}

/** Where the store is on the disk is nobody's business. */
const shown = (place: Place): string => (isPath(place) ? place : `the store (${place})`);

export const entryRefIn = (parent: Handle, name: string): EntryRef => ({ parent, name, at: `${parent.reach}/${name}` });

function holdParent(jail: Jail, path: SafePath): Handle {
  namesWithin(jail.steps.roots, path);
  const above = parentOf(path) as SafePath;
  if (jail.steps.roots.includes(above)) return jail.steps.openRoot(above);
  const held =
    jail.direct(above, "follow") ?? foundOrNull(resolve(withoutLinks(jail.steps, path), above, "keep"), above)?.handle;
  if (held && jail.stats(held).isDirectory()) return held;
  if (held) jail.steps.close(held);
  if (held) throw new Fault("not_a_directory", `Cannot change ${JSON.stringify(path)}: a file is in the way`, { path });
  throw new Fault("not_found", `Cannot change ${JSON.stringify(path)}: there is no directory to hold it`, { path });
}

/** A hand takes real places only: a link on the way was put there after the place was found. */
function withoutLinks({ step, ...rest }: StepReader<Handle>, path: SafePath): StepReader<Handle> {
  return {
    ...rest,
    step(from, name, last): ResolveStep<Handle> {
      const met = step(from, name, last);
      if (met.kind !== "link") return met;
      rest.close(met.handle);
      throw new Fault("swapped", `Cannot change ${JSON.stringify(path)}: a link took the place of a directory`, {
        path,
      });
    },
  };
}
