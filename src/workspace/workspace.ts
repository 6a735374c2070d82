import { composeStorages, duringCall } from "../storage/composed.ts";
import { createRoute } from "../storage/route.ts";
import type { Guarantees } from "../storage/writer.ts";
import type { Containment, SafePath, Space } from "../storage/storage.ts";
import { createArchiveCache } from "./archives/archive-cache.ts";
import { historyWithin } from "./changes/history-within.ts";
import type { Identify } from "./changes/replaced-roots.ts";
import { composeAccess } from "./composed-access.ts";
import type { RootName } from "./confine.ts";
import { locatePath } from "./locate.ts";
import { createLineIndexes } from "./read/line-index.ts";
import type { Retention } from "./changes/trash/trash.ts";
import { createStorageAccess, type StorageWithState, type WriteAccess } from "./storage-access.ts";
import { createView, type Searcher, type View, type AccessCallbacks } from "./view.ts";
import type { Watch } from "./watch/watch.ts";
import type { WatchFilter } from "./watch/events.ts";
import type { WatchAllowance } from "./watch/watched-tree.ts";

/** Gives access to the files, the history and the trash of some roots. */
export interface Workspace {
  readonly roots: readonly RootName[];
  /** The weakest containment of all storages. */
  readonly containment: Containment;
  /** Returns what holds in a root; undefined guarantees mean that its storage can only be read. */
  promisesOf(root: RootName): StoragePromises;
  /** Is true where all roots are in one storage, so that the same holds in each. */
  readonly isOneStorage: boolean;
  /** Resolves a path by its spelling. */
  locate(path: string): Promise<SafePath>;
  view(access: AccessCallbacks): View;
  /** Reports events from now on, as far as the caller may see them. */
  watch(filter: WatchFilter, access: AccessCallbacks, allowance: WatchAllowance): Promise<Watch>;
  /** Returns the space on the disk of a root; null where it is unknown. */
  space(root: RootName): Space | null;
  /** Checks whether the system lets us write in a root. */
  isWritable(root: RootName): boolean;
  /** Is undefined for a read-only workspace. */
  readonly writing: WriteAccess | undefined;
  /** Returns a workspace with the same files and history for other roots, which must lie within these. */
  within(roots: readonly RootName[]): Workspace;
}

/** Says what holds in one storage. */
export interface StoragePromises {
  readonly containment: Containment;
  readonly guarantees: Guarantees | undefined;
}

export interface WritingOptions {
  readonly retention: Retention;
  /** Allows reading the history, but no changes. */
  readonly isReadOnly: boolean;
  /** Shows the history of other directories that had the same paths. */
  readonly showsReplaced?: boolean;
  readonly searcher: Searcher;
}

export function createWorkspace(
  [first, ...others]: readonly [StorageWithState, ...StorageWithState[]],
  roots: readonly RootName[],
  { retention, searcher, isReadOnly, showsReplaced = false }: WritingOptions,
): Workspace {
  const identify: Identify = [first, ...others].find((part) => part.identify)?.identify ?? (() => undefined);
  const linesOf = createLineIndexes();
  const archives = createArchiveCache();
  const storageOf = createRoute([first, ...others].map((each) => each.storage));
  const storage = composeStorages([first.storage, ...others.map((each) => each.storage)]);
  const accessOf = (part: StorageWithState) => createStorageAccess(part, retention);
  const { during, recent, writing, ...whole } = composeAccess([accessOf(first), ...others.map(accessOf)]);
  const within = (names: readonly RootName[]): Workspace => ({
    roots: names,
    containment: storage.capabilities.containment,
    isOneStorage: others.length === 0,
    promisesOf({ real }) {
      const { capabilities, writer } = storageOf(real);
      return { containment: capabilities.containment, guarantees: isReadOnly ? undefined : writer?.guarantees };
    },
    locate: (path) => locatePath(storage, names, path),
    view(access) {
      const { prober, history } = during?.(access.signal) ?? whole;
      const files = duringCall(storage, access.signal);
      const shown = historyWithin(history, { roots: names, identify, showsReplaced });
      return createView({ storage: files, roots: names, linesOf, history: shown, prober, searcher, archives }, access);
    },
    async watch(filter, access, allowance) {
      const { createWatch } = await import("./watch/watch.ts");
      return createWatch(filter, {
        view: this.view(access),
        recent,
        allowance,
        onHintsLost: storage.onHintsLost,
      });
    },
    space: ({ real }) => storage.space(real),
    isWritable: ({ real }) => storage.isWritable(real),
    writing: isReadOnly ? undefined : writing,
    within,
  });
  return within(roots);
}
