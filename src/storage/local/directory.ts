import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../storage.ts";
import { asFault } from "./errno.ts";
import { factsOf } from "./facts-of-stats.ts";
import { type Handle, type Jail, kindOfStats } from "./jail/jail.ts";
import { watchDirectory } from "./watch.ts";

/** Wraps an open directory as Storage shows it. */
export function openDirectory(jail: Jail, handle: Handle, path: SafePath): DirectoryHandle {
  let cachedFacts: Facts | undefined;
  const openSubdirectory = (entry: Entry): DirectoryHandle =>
    openDirectory(jail, openEntry(jail, handle, path, entry), childOf(path, entry.name));
  return {
    path,
    // A getter, and its closure, would be promoted to V8's old space, and a walk makes tens of thousands.
    facts: () => (cachedFacts ??= factsOf(jail.stats(handle), path)),
    entries: () => readEntries(jail, handle, path, cachedFacts?.size),
    stat: (entry) => statEntry(handle, path, entry),
    openDirectory: openSubdirectory,
    withDirectory: async (entry, use) => {
      const next = openSubdirectory(entry);
      try {
        return await use(next);
      } finally {
        next.close();
      }
    },
    watch: (hint, purpose) => watchDirectory(handle, path, hint, purpose),
    close: () => jail.steps.close(handle),
  };
}

/** Reads a huge directory asynchronously, so that the server goes on meanwhile. */
const readEntries = (
  jail: Jail,
  handle: Handle,
  place: SafePath,
  size?: number,
): readonly Entry[] | Promise<readonly Entry[]> =>
  jail.entries(handle) ?? readEntriesSync(jail, handle, place, size) ?? readEntriesAsync(jail, handle, place);

function readEntriesSync(jail: Jail, handle: Handle, place: SafePath, size?: number): readonly Entry[] | undefined {
  try {
    if ((size ?? Number(jail.stats(handle).size)) > LIMITS.syncDirectoryBytes) return undefined;
    return entriesOf(jail, handle, readdirSync(handle.fsPath, { withFileTypes: true }));
  } catch (error) {
    throw asFault(error, place);
  }
}

async function readEntriesAsync(jail: Jail, handle: Handle, place: SafePath): Promise<readonly Entry[]> {
  try {
    return entriesOf(jail, handle, await readdir(handle.fsPath, { withFileTypes: true }));
  } catch (error) {
    throw asFault(error, place);
  }
}

/** Is written for speed: a walk passes every name through here. */
function entriesOf(jail: Jail, handle: Handle, dirents: readonly Dirent[]): readonly Entry[] {
  const entries: Entry[] = [];
  let isRaw = false;
  for (const dirent of dirents) {
    const { name } = dirent;
    isRaw ||= name.includes("\uFFFD");
    entries.push({ name, kind: kindOfStats(dirent) });
  }
  const exact = isRaw ? readRawEntries(handle) : entries;
  jail.confirm(handle);
  return exact;
}

/** Keeps the bytes of names that are not UTF-8, so that at least a stat of them works. */
function readRawEntries(handle: Handle): readonly Entry[] {
  return readdirSync(handle.fsPath, { withFileTypes: true, encoding: "buffer" }).map((dirent) => {
    const raw: Buffer = dirent.name;
    const name = raw.toString("utf8");
    const kind = kindOfStats(dirent);
    return Buffer.from(name).equals(raw) ? { name, kind } : { name, kind, raw };
  });
}

function statEntry(handle: Handle, place: SafePath, entry: Entry): Facts | null {
  const plain = childOf(handle.fsPath, entry.name);
  const path = entry.raw ? Buffer.concat([Buffer.from(`${handle.fsPath}/`), entry.raw]) : plain;
  try {
    return factsOf(lstatSync(path, { bigint: true }), childOf(place, entry.name));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "EACCES") return null;
    throw asFault(error, place);
  }
}

function openEntry(jail: Jail, handle: Handle, place: SafePath, entry: Entry): Handle {
  try {
    return openEntryHandle(jail, handle, place, entry);
  } catch (error) {
    throw asFault(error, childOf(place, entry.name));
  }
}

function openEntryHandle(jail: Jail, handle: Handle, place: SafePath, { name, raw }: Entry): Handle {
  const path = childOf(place, name);
  if (raw) throw new Fault("not_found", `Cannot open ${JSON.stringify(path)}: its name is not valid UTF-8`, { path });
  const listable = jail.openSubdirectory(handle, name);
  if (listable) return listable;
  const found = jail.steps.step(handle, name, false);
  if (found.kind === "directory") return found.handle;
  if (found.kind !== "missing") jail.steps.close(found.handle);
  throw new Fault("swapped", `Cannot open ${JSON.stringify(path)}: it is no longer a directory`, { path });
}
