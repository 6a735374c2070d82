import { hash } from "node:crypto";
import { childOf, isInNamedStorage } from "../base/paths.ts";
import { createState } from "../storage/local/state/state.ts";
import { createMemoryState } from "../storage/memory/state.ts";
import type { State } from "../storage/state.ts";
import type { Storage } from "../storage/storage.ts";
import type { Options } from "./options.ts";

interface Served {
  /** Lists the real paths of the roots. */
  readonly places: readonly string[];
  readonly storages: readonly Storage[];
}

/**
 * Opens the state that all workspaces of this user share. Where everything ends with the process and the program names
 * no directory for state, it is kept in memory as well.
 */
export function stateOf({ stateDirectory, durability = "process" }: Options, home: string, served: Served): State {
  const isOnDisk = served.places.some((place) => !isInNamedStorage(place));
  const isEphemeral = !isOnDisk && served.storages.every(({ state }) => state);
  return isEphemeral && stateDirectory === undefined ? createMemoryState() : createState(home, durability);
}

/** Opens the state of a storage that is not on this machine: its history is its own. */
export function stateOfStorage({ durability }: Options, home: string, { state, roots }: Storage): State {
  const name = hash("sha256", roots.join("\0"), "hex").slice(0, 16);
  return state ?? createState(childOf(childOf(home, "storages"), name), durability);
}
