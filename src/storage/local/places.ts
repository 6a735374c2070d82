import { Fault } from "../../base/errors.ts";
import { isWithin, parentOf } from "../../base/paths.ts";
import type { ObjectName, Place } from "../hands.ts";
import type { SafePath } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Held, Jail } from "./jail.ts";
import { reach } from "./reach.ts";
import type { Stores } from "./stores.ts";

/** Where a hand acts: a name in a directory that is held. */
export interface Spot {
  readonly parent: Held;
  readonly name: string;
  /** Leads to the name, whatever is there; the hand follows no link from here. */
  readonly at: string;
}

/** How hands get to places: through the held directory above, which must be exactly the one named. */
export interface Places {
  /** Throws `swapped` when the directory above is no longer where it was. */
  using<T>(place: Place, use: (spot: Spot) => T): T;
  /** The same for what takes its time. */
  during<T>(place: Place, use: (spot: Spot) => Promise<T>): Promise<T>;
}

export function createPlaces(jail: Jail, stores: Stores): Places {
  const hold = (place: Place): Spot => {
    const parent = isPath(place) ? holdParent(jail, place) : stores.hold(place);
    return spotIn(parent, place.slice(place.lastIndexOf("/") + 1));
  };
  return {
    using(place, use) {
      try {
        const spot = hold(place);
        try {
          jail.confirm(spot.parent);
          return use(spot);
        } finally {
          jail.steps.close(spot.parent);
        }
      } catch (error) {
        throw asFault(error, shown(place), "change");
      }
    },
    async during(place, use) {
      try {
        const spot = hold(place);
        try {
          jail.confirm(spot.parent);
          return await use(spot);
        } finally {
          jail.steps.close(spot.parent);
        }
      } catch (error) {
        throw asFault(error, shown(place), "change");
      }
    },
  };
}

const isPath = (place: Place): place is SafePath => place.startsWith("/");

/** Where the store is on the disk is nobody's business. */
const shown = (place: Place): string => (isPath(place) ? place : `the store (${place satisfies ObjectName})`);

export const spotIn = (parent: Held, name: string): Spot => ({ parent, name, at: `${parent.reach}/${name}` });

function holdParent(jail: Jail, path: SafePath): Held {
  const above = parentOf(path) as SafePath;
  if (!jail.steps.roots.some((root) => path !== root && isWithin(path, root))) throw outside(path);
  const found = reach(jail, above, "follow");
  if (found?.place === above) return found.held;
  if (found) jail.steps.close(found.held);
  throw new Fault("swapped", `Cannot change ${JSON.stringify(path)}: its directory was moved or replaced`, { path });
}

const outside = (path: SafePath): Fault =>
  new Fault("outside_workspace", `Cannot change ${JSON.stringify(path)}: only what is inside a root can be changed`, {
    path,
  });
