import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { ViewDirectories, ViewLayer } from "../../../storage/views.ts";
import type { StorageWriter } from "../../../storage/writer.ts";
import type { History } from "../history.ts";
import type { Comparer } from "./change-list.ts";
import type { Meanwhile } from "./changes-since.ts";

export interface PlanOptions {
  readonly checkpoint: Checkpoint;
  /** Decides every conflict: "ours" keeps what the workspace has, "theirs" takes what the command left. */
  readonly prefer?: "ours" | "theirs" | undefined;
  /** Names a path in diffs; the whole path where it is absent. */
  readonly nameOf?: ((path: SafePath) => string) | undefined;
}

/** Holds what a plan looks at the workspace, its views and its history with. */
export interface PlanParts {
  readonly writer: StorageWriter;
  readonly views: ViewDirectories;
  readonly history: Pick<History, "records" | "contentOfVersion">;
}

export interface PlanContext extends PlanParts, PlanOptions {
  readonly meanwhile: Meanwhile;
  readonly comparer: Comparer;
  readonly layer: ViewLayer;
  /** Checks for the version of a file that the command removed, or renamed. */
  isRemovedVersion(version: string): boolean;
}
