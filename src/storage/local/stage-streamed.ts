import { closeSync, futimesSync, mkdirSync, openSync, statfsSync, write, writeSync } from "node:fs";
import { promisify } from "node:util";
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

/** Creates a tree, or a single file, entry by entry. Whatever goes wrong, nothing of it is left afterwards. */
export async function stageStreamed(
  context: StagingContext,
  place: Place,
  tree: StreamedTree,
  staging: Staging,
): Promise<void> {
  requireSpace(context, place, tree);
  try {
    await tree.withContents(async (bytesOf) => {
      for (const entry of tree.entries) {
        await staging.checkpoint?.();
        await stageEntry(context, place, entry, bytesOf, staging);
      }
    });
    for (const entry of tree.entries.toReversed())
      if (entry.kind === "directory") finishDirectory(context, placeOf(place, entry), entry);
  } catch (error) {
    await context.entries.withEntryAsync(place, (ref) => eraseTree(context.jail, ref)).catch(() => {});
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

const placeOf = (top: Place, { path }: StreamedEntry): Place => (path === "" ? top : (childOf(top, path) as Place));

async function stageEntry(
  context: StagingContext,
  top: Place,
  entry: StreamedEntry,
  bytesOf: (entry: StreamedEntry) => AsyncIterable<Uint8Array>,
  staging: Staging,
): Promise<void> {
  const { entries } = context;
  const place = placeOf(top, entry);
  const { kind, mode, modifiedMs, copyOf } = entry;
  if (kind === "directory")
    return entries.withEntryToChange(place, ({ fsPath }) =>
      mkdirSync(fsPath, mode === undefined ? context.modes.directory : 0o700),
    );
  if (copyOf !== undefined)
    return entries.withEntryAsync(place, (ref) =>
      copyNew(context, ref, childOf(top, copyOf) as Place, { keepTimes: true, mode }),
    );
  const isPlain = mode === undefined && staging.like === undefined;
  const fd = entries.withEntryToChange(place, ({ fsPath }) =>
    openSync(fsPath, CREATE_FLAGS, isPlain ? context.modes.file : 0o600),
  );
  try {
    for await (const chunk of bytesOf(entry)) {
      await writeChunk(fd, chunk);
      await staging.checkpoint?.();
    }
    applyMetadata(context, fd, undefined, { like: staging.like, mode });
    if (modifiedMs) setModified(fd, modifiedMs);
  } finally {
    closeSync(fd);
  }
}

const writeAsync = promisify(write);

/** Writes all bytes. A large chunk may have to wait for the disk, which others need not wait for. */
async function writeChunk(fd: number, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length;)
    done +=
      chunk.length > LIMITS.smallCopyBytes
        ? (await writeAsync(fd, chunk, done)).bytesWritten
        : writeSync(fd, chunk, done);
}

const setModified = (fd: number, modifiedMs: number): void => futimesSync(fd, Date.now() / 1000, modifiedMs / 1000);

function finishDirectory(context: StagingContext, place: Place, { mode, modifiedMs }: StreamedEntry): void {
  if (mode === undefined && !modifiedMs) return;
  const { jail, entries } = context;
  entries.withEntryToChange(place, (ref) =>
    withObject(jail, ref, (handle) =>
      withData(jail, handle, undefined, (fd) => {
        applyMetadata(context, fd, undefined, { mode });
        if (modifiedMs) setModified(fd, modifiedMs);
      }),
    ),
  );
}
