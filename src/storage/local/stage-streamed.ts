import { closeSync, futimesSync, mkdirSync, openSync, statfsSync, write, writeSync } from "node:fs";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { StreamedEntry, StreamedTree } from "../streamed-tree.ts";
import type { Place, Staging } from "../writer.ts";
import { copyNew } from "./copy.ts";
import { eraseTree } from "./erase.ts";
import { asFault } from "./errno.ts";
import { withData, withObject } from "./jail/with-object.ts";
import { applyMetadata, CREATE_FLAGS, type StagingContext } from "./stage.ts";

/** Creates a tree, or a single file, entry by entry. Whatever goes wrong, nothing of ours is left afterwards. */
export async function stageStreamed(
  context: StagingContext,
  top: Place,
  tree: StreamedTree,
  staging: Staging,
): Promise<void> {
  requireSpace(context, top, tree);
  let isMade = false;
  try {
    await tree.withContents(async (bytesOf) => {
      for (const entry of tree.entries) {
        await staging.checkpoint?.();
        const fd = createEntry(context, placeOf(top, entry), entry, staging);
        isMade = true;
        if (entry.copyOf !== undefined) await copyEntry(context, top, entry, entry.copyOf);
        if (fd !== undefined) await fillFile(context, fd, entry, bytesOf(entry), staging);
      }
    });
    for (const entry of tree.entries.toReversed()) finishDirectory(context, placeOf(top, entry), entry);
  } catch (error) {
    if (isMade) await context.entries.withEntryAsync(top, (ref) => eraseTree(context.jail, ref)).catch(() => {});
    throw asFault(error, "the new files", "change");
  }
}

/** Refuses early what cannot fit, instead of filling the disk of everybody first. */
function requireSpace({ entries }: StagingContext, place: Place, tree: StreamedTree): void {
  const needed = tree.entries.reduce((sum, { size = 0 }) => sum + size, 0);
  const { bavail, bsize } = entries.withEntry(place, ({ parent }) => statfsSync(parent.fsPath));
  if (needed <= bavail * bsize) return;
  throw new Fault("disk_full", `Cannot make the new files: they need ${needed} bytes, and ${bavail * bsize} are free`);
}

const placeOf = (top: Place, { path }: StreamedEntry): Place => (path === "" ? top : childOf(top, path));

/** Creates a directory, or an empty file and returns its descriptor. What has a mode of its own begins as private. */
function createEntry(
  { entries, modes }: StagingContext,
  place: Place,
  { kind, mode, copyOf }: StreamedEntry,
  { like }: Staging,
): number | undefined {
  if (copyOf !== undefined) return undefined;
  const isPlain = mode === undefined && like === undefined;
  return entries.withEntryToChange(place, ({ fsPath }) => {
    if (kind === "file") return openSync(fsPath, CREATE_FLAGS, isPlain ? modes.file : 0o600);
    mkdirSync(fsPath, isPlain ? modes.directory : 0o700);
    return undefined;
  });
}

const copyEntry = (context: StagingContext, top: Place, entry: StreamedEntry, copyOf: string): Promise<void> =>
  context.entries.withEntryAsync(placeOf(top, entry), (ref) =>
    copyNew(context, ref, childOf(top, copyOf), { keepTimes: true, mode: entry.mode }),
  );

async function fillFile(
  context: StagingContext,
  fd: number,
  { mode, modifiedMs }: StreamedEntry,
  bytes: AsyncIterable<Uint8Array>,
  { like, checkpoint }: Staging,
): Promise<void> {
  try {
    for await (const chunk of bytes) {
      await writeChunk(fd, chunk);
      await checkpoint?.();
    }
    setModified(fd, modifiedMs);
    applyMetadata(context, fd, undefined, { like, mode });
  } finally {
    closeSync(fd);
  }
}

/** Writes all bytes. A large chunk may have to wait for the disk, which other calls need not wait for. */
async function writeChunk(fd: number, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length;)
    done += chunk.length > LIMITS.smallCopyBytes ? await writeMeanwhile(fd, chunk, done) : writeSync(fd, chunk, done);
}

const writeMeanwhile = (fd: number, chunk: Uint8Array, from: number): Promise<number> =>
  new Promise((resolve, reject) =>
    write(fd, chunk, from, (error, written) => (error ? reject(error) : resolve(written))),
  );

function setModified(fd: number, modifiedMs: number | undefined): void {
  if (modifiedMs) futimesSync(fd, Date.now() / 1000, modifiedMs / 1000);
}

/** Sets the mode and the times of a directory, and waits for the disk, once nothing more is put into it. */
function finishDirectory(context: StagingContext, place: Place, { kind, mode, modifiedMs }: StreamedEntry): void {
  const { jail, entries, durability } = context;
  const isFinished = mode === undefined && !modifiedMs && durability !== "power";
  if (kind !== "directory" || isFinished) return;
  entries.withEntryToChange(place, (ref) =>
    withObject(jail, ref, (handle) =>
      withData(jail, handle, undefined, (fd) => {
        setModified(fd, modifiedMs);
        applyMetadata(context, fd, undefined, { mode });
      }),
    ),
  );
}
