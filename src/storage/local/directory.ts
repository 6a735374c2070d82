import { type Dirent, lstatSync, readdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import type { Entry, Facts, DirectoryHandle, SafePath } from "../storage.ts";
import { asFault } from "./errno.ts";
import { factsOf } from "./facts.ts";
import { type Handle, type Jail, kindOfStats } from "./jail/jail.ts";
import { watchDirectory } from "./watch.ts";

/** A held directory, as Storage shows it. */
export function openDirectory(jail: Jail, held: Handle, path: SafePath): DirectoryHandle {
  let known: Facts | undefined;
  const opened = (entry: Entry): DirectoryHandle =>
    openDirectory(jail, entered(jail, held, path, entry), childOf(path, entry.name));
  return {
    path,
    shared: jail.containment === "handle" ? held.reach : undefined,
    // No getter: V8 puts one of those, and all that it knows, among what lives long, and a walk makes tens of thousands.
    facts: () => (known ??= factsOf(jail.stats(held), path)),
    entries: () => readEntries(jail, held, path, known?.size),
    entriesNow: () => readNow(jail, held, path, known?.size),
    look: (entry) => lookAt(held, path, entry),
    enter: opened,
    within: async (entry, use) => {
      const next = opened(entry);
      try {
        return await use(next);
      } finally {
        next.close();
      }
    },
    watch: (hint, purpose) => watchDirectory(held, path, hint, purpose),
    close: () => jail.steps.close(held),
  };
}

/** A huge directory is read beside the event loop, so that the server goes on meanwhile. */
const readEntries = (
  jail: Jail,
  held: Handle,
  place: SafePath,
  size?: number,
): readonly Entry[] | Promise<readonly Entry[]> => readNow(jail, held, place, size) ?? readLater(jail, held, place);

function readNow(jail: Jail, held: Handle, place: SafePath, size?: number): readonly Entry[] | undefined {
  try {
    if ((size ?? Number(jail.stats(held).size)) > LIMITS.syncDirectoryBytes) return undefined;
    return entriesOf(jail, held, readdirSync(held.reach, { withFileTypes: true }));
  } catch (error) {
    throw asFault(error, place);
  }
}

async function readLater(jail: Jail, held: Handle, place: SafePath): Promise<readonly Entry[]> {
  try {
    return entriesOf(jail, held, await readdir(held.reach, { withFileTypes: true }));
  } catch (error) {
    throw asFault(error, place);
  }
}

/** Written for speed: a walk passes here with every name. */
function entriesOf(jail: Jail, held: Handle, dirents: readonly Dirent[]): readonly Entry[] {
  const entries: Entry[] = [];
  let isRaw = false;
  for (const dirent of dirents) {
    const { name } = dirent;
    isRaw ||= name.includes("\uFFFD");
    entries.push({ name, kind: kindOfStats(dirent) });
  }
  const exact = isRaw ? readRawEntries(held) : entries;
  jail.confirm(held);
  return exact;
}

/** Names that are not UTF-8 keep their bytes, so that at least a look at them works. */
function readRawEntries(held: Handle): readonly Entry[] {
  return readdirSync(held.reach, { withFileTypes: true, encoding: "buffer" }).map((dirent) => {
    const raw: Buffer = dirent.name;
    const name = raw.toString("utf8");
    const kind = kindOfStats(dirent);
    return Buffer.from(name).equals(raw) ? { name, kind } : { name, kind, raw };
  });
}

function lookAt(held: Handle, place: SafePath, entry: Entry): Facts | null {
  const plain = childOf(held.reach, entry.name);
  const path = entry.raw ? Buffer.concat([Buffer.from(`${held.reach}/`), entry.raw]) : plain;
  try {
    return factsOf(lstatSync(path, { bigint: true }), childOf(place, entry.name));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "EACCES") return null;
    throw asFault(error, place);
  }
}

function entered(jail: Jail, held: Handle, place: SafePath, entry: Entry): Handle {
  try {
    return enter(jail, held, place, entry);
  } catch (error) {
    throw asFault(error, childOf(place, entry.name));
  }
}

function enter(jail: Jail, held: Handle, place: SafePath, { name, raw }: Entry): Handle {
  const path = childOf(place, name);
  if (raw) throw new Fault("not_found", `Cannot open ${JSON.stringify(path)}: its name is not valid UTF-8`, { path });
  const met = jail.steps.step(held, name, false);
  if (met.kind === "directory") return met.handle;
  if (met.kind !== "missing") jail.steps.close(met.handle);
  throw new Fault("swapped", `Cannot open ${JSON.stringify(path)}: it is no longer a directory`, { path });
}
