import { isInNamedStorage } from "../base/paths.ts";
import { createSharedState, createState } from "../storage/local/state/state.ts";
import { createMemoryState } from "../storage/memory/state.ts";
import type { State } from "../storage/state.ts";
import type { Storage } from "../storage/storage.ts";
import type { Options } from "./options.ts";

/** Holds the state of a workspace, and the one that all workspaces of this user share. */
interface States {
  readonly state: State;
  readonly sharedState: State;
}

interface Served {
  /** Lists the real paths of the roots. */
  readonly places: readonly string[];
  readonly storages: readonly Storage[];
}

/**
 * Keeps state in the state directory. Where everything ends with the process and the program names no directory for
 * state, approvals, grants and the audit log are kept in memory as well.
 */
export function statesOf({ stateDirectory, durability = "process" }: Options, home: string, served: Served): States {
  const directories = served.places.filter((place) => !isInNamedStorage(place));
  const isEphemeral = directories.length === 0 && served.storages.every(({ state }) => state);
  if (isEphemeral && stateDirectory === undefined)
    return { state: createMemoryState(), sharedState: createMemoryState() };
  return { state: createState(home, directories, durability), sharedState: createSharedState(home) };
}
