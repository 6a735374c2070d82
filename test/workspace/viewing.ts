import type { Storage } from "../../src/storage/storage.ts";
import type { RootName } from "../../src/workspace/jail.ts";
import { createLineIndexes } from "../../src/workspace/read/line-index.ts";
import type { Scout } from "../../src/workspace/walk/worker/job.ts";
import { ownSearcher } from "../../src/workspace/search/own-searcher.ts";
import {
  createView,
  type Eyes,
  type Remembered,
  type Searcher,
  type View,
  type Viewer,
} from "../../src/workspace/view.ts";

/** Leaves every look to the storage. */
const NO_EYES = { see: () => null, holds: () => false } as Partial<Eyes> as Eyes;

/** A view for tests that only look: it remembers nothing, and nobody objects unless told so. */
export const viewOn = (
  storage: Storage,
  roots: readonly RootName[],
  viewer: Partial<Viewer> = {},
  searcher: Searcher = ownSearcher,
  scout?: Scout,
): View =>
  createView(
    { storage, roots, linesOf: createLineIndexes(), past: {} as Remembered, eyes: NO_EYES, searcher, scout },
    {
      judge: () => {},
      opens: () => true,
      distinguishes: () => true,
      closedBelow: () => [],
      signal: new AbortController().signal,
      progress: () => {},
      ...viewer,
    },
  );
