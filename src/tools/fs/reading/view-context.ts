import type { ImageLimits } from "../../../base/image-limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";

/** Holds what media are shown with in one call. */
export interface ViewContext {
  readonly limits: ImageLimits;
  readonly checkpoint: Checkpoint;
}
