import type { Storage } from "../../src/storage/storage.ts";
import type { RootName } from "../../src/workspace/jail.ts";
import { createLineIndexes } from "../../src/workspace/line-index.ts";
import { ownSearcher } from "../../src/workspace/search-own.ts";
import type { Searcher } from "../../src/workspace/view.ts";
import { createView, type Past, type View, type Viewer } from "../../src/workspace/view.ts";

/** A view for tests that only look: it remembers nothing, and nobody objects unless told so. */
export const viewOn = (
  storage: Storage,
  roots: readonly RootName[],
  viewer: Partial<Viewer> = {},
  searcher: Searcher = ownSearcher,
): View =>
  createView(
    { storage, roots, linesOf: createLineIndexes(), past: {} as Past, searcher },
    {
      judge: () => {},
      distinguishes: () => true,
      closedBelow: () => [],
      signal: new AbortController().signal,
      progress: () => {},
      ...viewer,
    },
  );
