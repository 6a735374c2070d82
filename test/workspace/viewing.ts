import type { Storage } from "../../src/storage/storage.ts";
import type { RootName } from "../../src/workspace/confine.ts";
import { createLineIndexes } from "../../src/workspace/read/line-index.ts";
import type { ReadAheadWorker } from "../../src/workspace/walk/worker/job.ts";
import { builtinSearcher } from "../../src/workspace/search/builtin-searcher.ts";
import {
  createView,
  type Prober,
  type FullHistory,
  type Searcher,
  type View,
  type AccessCallbacks,
} from "../../src/workspace/view.ts";

/** Leaves every look to the storage. */
const NO_EYES = { snapshot: () => null, hasParent: () => false } as Partial<Prober> as Prober;

/** A view for tests that only look: it remembers nothing, and nobody objects unless told so. */
export const viewOn = (
  storage: Storage,
  roots: readonly RootName[],
  viewer: Partial<AccessCallbacks> = {},
  searcher: Searcher = builtinSearcher,
  worker?: ReadAheadWorker,
): View =>
  createView(
    { storage, roots, linesOf: createLineIndexes(), past: {} as FullHistory, prober: NO_EYES, searcher, worker },
    {
      checkAccess: () => {},
      mayOpen: () => true,
      mayHideBelow: () => true,
      deniedBelow: () => [],
      signal: new AbortController().signal,
      progress: () => {},
      ...viewer,
    },
  );
