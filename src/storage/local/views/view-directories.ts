import { type BigIntStats, chmodSync, chownSync, lstatSync, mkdirSync } from "node:fs";
import { childOf, nameIn } from "../../../base/paths.ts";
import type { SafePath } from "../../storage.ts";
import type { ViewDirectories, ViewLayer } from "../../views.ts";
import type { ObjectName } from "../../writer.ts";
import { sync } from "../modify.ts";
import { eraseTree } from "../erase.ts";
import { type EntryRef, entryRefIn } from "../entry-ref.ts";
import { factsOf } from "../facts-of-stats.ts";
import { type Kernel, kernel } from "../jail/kernel.ts";
import { withObject } from "../jail/with-object.ts";
import type { StagingContext } from "../stage.ts";
import type { Stores } from "../state/stores.ts";
import { harvestLayer } from "./harvest.ts";
import { removeMarks } from "./overlay-marks.ts";
import { surveyTree } from "./survey.ts";

/** Creates the views of local roots. Only Linux has overlays, and only koffi reads their marks. */
export function createViewDirectories(context: StagingContext, stores: Stores): ViewDirectories {
  const { jail, entries, durability } = context;
  const factsAt = (path: SafePath) =>
    entries.withEntry(path, ({ fsPath }) => {
      const stats = lstatSync(fsPath, { bigint: true, throwIfNoEntry: false });
      return stats ? factsOf(stats, path) : null;
    });
  return {
    canCreate: () => kernel() !== null,
    create: (root, object) => createLayer(context, stores, root, object),
    harvest: (layer, most, checkpoint) =>
      harvestLayer({ jail, kernel: requireKernel(), factsAt }, layer, { most, checkpoint }),
    prepare: async (object) =>
      entries.withEntry(object, (ref) => {
        removeMarks(requireKernel(), Buffer.from(ref.fsPath));
        makeWritable(ref.parent.fsPath, jail.stats(ref.parent));
        makeWritable(ref.fsPath, lstatSync(ref.fsPath, { bigint: true }));
        if (durability === "power") syncEntry(context, ref);
      }),
    changedNs(directory) {
      const handle = jail.openDirectoryDirectly(directory);
      if (!handle) return null;
      const { ctimeNs } = jail.stats(handle);
      jail.steps.close(handle);
      return ctimeNs;
    },
    survey: (path, checkpoint) =>
      entries.withEntryAsync(path, (ref) => surveyTree(jail, Buffer.from(ref.fsPath), checkpoint)),
  };
}

function requireKernel(): Kernel {
  const available = kernel();
  if (available) return available;
  throw new Error("A view was created where its marks cannot be read");
}

/** Makes `upper` look like the root: the command sees its permissions in place of those of the root. */
function createLayer({ jail }: StagingContext, stores: Stores, root: SafePath, object: ObjectName): ViewLayer {
  const name = nameIn(object);
  const { handle, path } = stores.openDirectory(object);
  const layer = entryRefIn(handle, name);
  try {
    const [upper, work] = ["upper", "work"].map((each) => childOf(layer.fsPath, each)) as [string, string];
    const { mode, uid, gid } = lstatSync(root);
    for (const directory of [layer.fsPath, upper, work]) mkdirSync(directory, 0o700);
    if (process.getuid?.() === 0) chownSync(upper, uid, gid);
    chmodSync(upper, mode & 0o7777);
    const startNs = String(lstatSync(upper, { bigint: true }).ctimeNs);
    const real = childOf(path, name);
    return { root, object, upper: childOf(real, "upper"), work: childOf(real, "work"), startNs };
  } catch (error) {
    void eraseTree(jail, layer).catch(() => {});
    throw error;
  } finally {
    jail.steps.close(handle);
  }
}

/** Lets the user move something out of a directory, and a directory itself, whose entry ".." changes. */
function makeWritable(path: string, stats: BigIntStats): void {
  if (!stats.isDirectory() || (stats.mode & OWNER_WRITES) !== 0n) return;
  chmodSync(path, Number((stats.mode & 0o7777n) | OWNER_WRITES));
}

const OWNER_WRITES = 0o200n;

/** Waits for the disk: an overlay that is mounted as volatile never did. A whole disk is synced for a tree. */
function syncEntry({ jail }: StagingContext, ref: EntryRef): void {
  const stats = lstatSync(ref.fsPath);
  if (stats.isFile()) withObject(jail, ref, sync);
  if (stats.isDirectory()) requireKernel().syncDisk(ref.fsPath);
}
