import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { errnoOf } from "../../../base/errno.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { TreeSurvey } from "../../views.ts";
import { type Jail, rawEntry } from "../jail/jail.ts";

/** Counts a tree, and finds the last change in it. Returns null when nothing is there. */
export async function surveyTree(jail: Jail, at: Buffer, checkpoint: Checkpoint): Promise<TreeSurvey | null> {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  if (!stats) return null;
  const survey = { files: 0, bytes: 0, changedNs: 0n };
  await visit({ jail, checkpoint, survey }, at, stats, 0);
  return survey;
}

interface Surveying {
  readonly jail: Jail;
  readonly checkpoint: Checkpoint;
  readonly survey: { files: number; bytes: number; changedNs: bigint };
}

async function visit(context: Surveying, at: Buffer, stats: BigIntStats, depth: number): Promise<void> {
  const { survey } = context;
  if (stats.ctimeNs > survey.changedNs) survey.changedNs = stats.ctimeNs;
  if (!stats.isDirectory()) survey.files++;
  if (stats.isFile()) survey.bytes += Number(stats.size);
  if (stats.isDirectory() && depth < LIMITS.openDepth) await visitEntries(context, at, depth);
}

async function visitEntries(context: Surveying, at: Buffer, depth: number): Promise<void> {
  await context.checkpoint();
  const handle = context.jail.openDirectory(at);
  try {
    for (const name of namesIn(handle.rawPath ?? handle.fsPath) ?? []) {
      const entry = rawEntry(handle, name);
      const stats = lstatSync(entry, { bigint: true, throwIfNoEntry: false });
      if (stats) await visit(context, entry, stats, depth + 1);
    }
  } finally {
    context.jail.steps.close(handle);
  }
}

/** Lists the names in a directory; null where it may not be read. */
export function namesIn(directory: string | Buffer): readonly Buffer[] | null {
  try {
    return readdirSync(directory, "buffer").toSorted(Buffer.compare);
  } catch (error) {
    if (errnoOf(error) === "EACCES") return null;
    throw error;
  }
}
