import type { Containment, SafePath, Storage } from "../storage/storage.ts";
import type { RootName } from "./jail.ts";
import { createLineIndexes } from "./line-index.ts";
import { createView, locate, type View, type Viewer } from "./view.ts";

/** The one handle to files. */
export interface Workspace {
  readonly roots: readonly RootName[];
  readonly containment: Containment;
  /** The place a path means, by its spelling. */
  locate(path: string): Promise<SafePath>;
  view(viewer: Viewer): View;
}

export function createWorkspace(storage: Storage, roots: readonly RootName[]): Workspace {
  const linesOf = createLineIndexes();
  return {
    roots,
    containment: storage.capabilities.containment,
    locate: async (path) => locate(storage, roots, path),
    view: (viewer) => createView(storage, roots, linesOf, viewer),
  };
}
