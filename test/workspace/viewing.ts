import type { Storage } from "../../src/storage/storage.ts";
import { createArchiveCache } from "../../src/workspace/archives/archive-cache.ts";
import type { RootName } from "../../src/workspace/confine.ts";
import type { Prober } from "../../src/workspace/prober.ts";
import { createLineIndexes } from "../../src/workspace/read/line-index.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import {
  createView,
  type FullHistory,
  type Searcher,
  type View,
  type AccessCallbacks,
} from "../../src/workspace/view.ts";

/** Leaves every lookup to the storage. */
const NO_PROBER = { snapshot: () => null, hasParent: () => false } as Partial<Prober> as Prober;

/**
 * Makes a view for tests that only read: without history, and with access to everything unless `access` says otherwise.
 */
export const viewOn = (
  storage: Storage,
  roots: readonly RootName[],
  access: Partial<AccessCallbacks> = {},
  searcher: Searcher = builtinSearcher,
): View =>
  createView(
    {
      storage,
      roots,
      linesOf: createLineIndexes(),
      history: {} as FullHistory,
      prober: NO_PROBER,
      searcher,
      archives: createArchiveCache(),
    },
    {
      checkAccess: () => {},
      mayOpen: () => true,
      mayHideBelow: () => true,
      deniedBelow: () => [],
      signal: new AbortController().signal,
      progress: () => {},
      ...access,
    },
  );
