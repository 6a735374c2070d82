import { isUtf8 } from "node:buffer";
import { type BigIntStats, lstatSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { Facts, SafePath } from "../../storage.ts";
import type { HarvestedEntry, LayerHarvest, LeftEntry, RefusedEntry, ViewLayer } from "../../views.ts";
import { factsOf } from "../facts-of-stats.ts";
import { rawEntry } from "../jail/jail.ts";
import type { HarvestContext, Harvesting, UpperEntry } from "./harvesting.ts";
import { cleanTree, dropSetIdBits, isWhiteout, whyRefused } from "./new-tree.ts";
import { marksOf } from "./overlay-marks.ts";
import { namesIn } from "./survey.ts";

interface HarvestOptions {
  readonly most: number;
  readonly checkpoint: Checkpoint;
}

/** Lists what a command left in the upper directory of a layer. Enters only directories that the root has, too. */
export async function harvestLayer(
  context: HarvestContext,
  { root, object, upper }: ViewLayer,
  { most, checkpoint }: HarvestOptions,
): Promise<LayerHarvest> {
  const entries: HarvestedEntry[] = [];
  const refused: RefusedEntry[] = [];
  let refusedCount = 0;
  const harvesting: Harvesting = {
    ...context,
    checkpoint,
    owners: new Set([process.getuid?.() ?? 0, lstatSync(root).uid]),
    refuse(path, reason) {
      if (++refusedCount <= LIMITS.viewRefusedListed) refused.push({ path, reason });
    },
    add(entry) {
      entries.push(entry);
      if (entries.length > most) throw tooManyFault(root, most);
    },
  };
  const top = { at: Buffer.from(upper), object: childOf(object, "upper"), path: root };
  await harvestDirectory(harvesting, top, 0);
  return { entries, refused, refusedCount };
}

const tooManyFault = (path: SafePath, most: number): Fault =>
  new Fault("too_large", `Cannot list what the command changed: it is more than ${most} files`, {
    path,
    hint: "Nothing was changed: run it in parts, each on fewer files",
  });

async function harvestDirectory(
  harvesting: Harvesting,
  { at, object, path }: UpperEntry,
  depth: number,
): Promise<void> {
  const { jail, checkpoint, refuse } = harvesting;
  if (depth > LIMITS.openDepth) return refuse(path, "its directories are too deep");
  const handle = jail.openDirectory(at);
  try {
    for (const bytes of namesIn(handle.rawPath ?? handle.fsPath) ?? []) {
      await checkpoint();
      const name = bytes.toString();
      const place = childOf(path, name);
      if (!isUtf8(bytes)) refuse(place, "its name is not valid UTF-8");
      else if (name.startsWith(OWN_NAMES)) refuse(place, "its name is reserved");
      else {
        const entry = { at: rawEntry(handle, bytes), object: childOf(object, name), path: place };
        await harvestEntry(harvesting, entry, depth);
      }
    }
  } finally {
    jail.steps.close(handle);
  }
}

async function harvestEntry(harvesting: Harvesting, entry: UpperEntry, depth: number): Promise<void> {
  const { add, refuse, kernel } = harvesting;
  const { at, path } = entry;
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (!stats) return;
  const lower = harvesting.factsAt(path);
  if (isWhiteout(stats)) return lower ? add({ path, left: null }) : undefined;
  const reason = whyRefused(harvesting, stats, lower);
  if (reason !== undefined) return refuse(path, reason);
  const marks = marksOf(kernel, at);
  const isCopied = marks.has("origin") ? true : undefined;
  if (!stats.isDirectory()) return add({ path, left: leftFile(harvesting, entry, stats, lower), isCopied });
  if (lower?.kind === "directory" && !marks.has("opaque")) return harvestMerged(harvesting, entry, stats, lower, depth);
  const { files, bytes, hasWhiteouts, hasGit, names } = await cleanTree(harvesting, entry);
  const left = { ...leftOf(entry, stats), counted: { files, bytes }, hasGit, names: names && [...names] };
  add({ path, left, isCopied: hasWhiteouts || isCopied });
}

function leftFile(harvesting: Harvesting, entry: UpperEntry, stats: BigIntStats, lower: Facts | null): LeftEntry {
  const left = leftOf(entry, stats);
  return { ...left, mode: dropSetIdBits(harvesting, entry, stats, lower?.mode ?? 0) };
}

const leftOf = ({ object, path }: UpperEntry, stats: BigIntStats): LeftEntry => {
  const { kind, size, mode } = factsOf(stats, path);
  return { object, kind, size, mode };
};

/** Enters a directory that the root has as well. Set-id bits of directories are inherited, and stay as they are. */
async function harvestMerged(
  harvesting: Harvesting,
  entry: UpperEntry,
  stats: BigIntStats,
  lower: Facts,
  depth: number,
): Promise<void> {
  const left = leftOf(entry, stats);
  const mode = (left.mode & ~SET_ID) | (lower.mode & SET_ID);
  if (mode !== lower.mode) harvesting.add({ path: entry.path, left: { ...left, mode }, isMerged: true });
  if (isClosed(stats)) return harvesting.refuse(entry.path, "it may not be read");
  await harvestDirectory(harvesting, entry, depth + 1);
}

/** Checks for a directory in which we can see nothing. */
const isClosed = (stats: BigIntStats): boolean => process.getuid?.() !== 0 && (stats.mode & 0o500n) !== 0o500n;

const SET_ID = 0o6000;
