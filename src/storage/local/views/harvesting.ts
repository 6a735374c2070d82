import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Facts, SafePath } from "../../storage.ts";
import type { HarvestedEntry } from "../../views.ts";
import type { ObjectName } from "../../writer.ts";
import type { Jail } from "../jail/jail.ts";
import type { Kernel } from "../jail/kernel.ts";

/** Holds what a harvest looks at a layer with. */
export interface HarvestContext {
  readonly jail: Jail;
  readonly kernel: Kernel;
  /** Describes what is at a path of the root. */
  readonly factsAt: (path: SafePath) => Facts | null;
}

/** Collects what a command left, while a layer is walked. */
export interface Harvesting extends HarvestContext {
  readonly checkpoint: Checkpoint;
  /** Names the users whose files are applied. */
  readonly owners: ReadonlySet<number>;
  refuse(path: string, reason: string): void;
  add(entry: HarvestedEntry): void;
}

/** One entry of the upper directory, and the place that it stands for. */
export interface UpperEntry {
  readonly at: Buffer;
  readonly object: ObjectName;
  readonly path: SafePath;
}
