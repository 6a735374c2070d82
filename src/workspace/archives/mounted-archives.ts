import { archivePathsOf } from "../../base/archive-path.ts";
import { type Code, Fault, hasCode } from "../../base/errors.ts";
import { childOf } from "../../base/paths.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { absentDestination, foundOrNull, isAbsent, resolve } from "../../storage/resolve.ts";
import type { Destination, Facts, LastLink, OpenFile, SafePath, StorageReader } from "../../storage/storage.ts";
import { type ArchiveCache, sourceOfArchive } from "./archive-cache.ts";
import { factsOfNode, openArchiveDirectory, openArchiveFile, stepsIn } from "./archive-reader.ts";
import type { ArchiveTree } from "./archive-tree.ts";

/** Reads a storage together with what is inside its archives. */
export interface MountedArchives extends StorageReader {
  /** Throws for a path inside an archive: nothing there can be changed. */
  requireOutside(path: SafePath): Promise<void>;
}

export interface MountOptions {
  readonly cache: ArchiveCache;
  readonly checkpoint: Checkpoint;
  /** Throws where the caller may not open the archive. Is called before anything of it is read. */
  readonly checkOpened: (facts: Facts, spelled: SafePath) => void;
}

/** Looks for a path on the storage first, and inside an archive where nothing is there. */
export function mountArchives(storage: StorageReader, options: MountOptions): MountedArchives {
  const inArchive = <T>(path: SafePath, use: (opened: OpenedArchive) => T | Promise<T>): Promise<T | undefined> =>
    withArchiveOf(storage, options, path, use);
  /** Returns what the storage has; what the archive has where the storage has nothing. */
  const either = async <T>(
    path: SafePath,
    real: () => T | Promise<T>,
    inside: (opened: OpenedArchive) => T | Promise<T>,
  ) => {
    const found = await orMissing(real);
    const isThere = !("fault" in found) && found.value !== null;
    const other = isThere ? undefined : await inArchive(path, async (opened) => ({ value: await inside(opened) }));
    if (other) return other.value;
    if ("fault" in found) throw found.fault;
    return found.value;
  };
  return {
    ...storage,
    stat: (path, last) =>
      either(
        path,
        () => storage.stat(path, last),
        (opened) => statIn(opened, last),
      ),
    async destination(path, last) {
      const found = await orMissing(() => storage.destination(path, last));
      if (!("fault" in found) && found.value.facts) return found.value;
      const inside = await inArchive(path, (opened) => destinationIn(opened, last));
      if (inside) return inside;
      if ("fault" in found) throw found.fault;
      return found.value;
    },
    withFile: (path, use) =>
      either(
        path,
        () => storage.withFile(path, use),
        (opened) => useFileIn(opened, use),
      ),
    withDirectory: (path, use) =>
      either(
        path,
        () => storage.withDirectory(path, use),
        (opened) => use(directoryIn(opened)),
      ),
    openDirectory: (path) => either(path, () => storage.openDirectory(path), directoryIn),
    async requireOutside(path) {
      if (!(await isOnStorage(storage, path))) await inArchive(path, () => Promise.reject(insideFault(path)));
    },
  };
}

/** Checks that a path leads to something real, or to a new name in a real directory. */
async function isOnStorage(storage: StorageReader, path: SafePath): Promise<boolean> {
  const real = await orMissing(() => storage.destination(path, "keep"));
  if ("fault" in real) return false;
  return real.value.facts !== null || (real.value.missing.length === 0 && !IS_TOP.test(path));
}

const insideFault = (path: SafePath): Fault =>
  new Fault("read_only", `Cannot change ${JSON.stringify(path)}: what is inside an archive can only be read`, {
    path,
    hint: "Unpack it with extract, change the files, and pack them with compress",
  });

/** Matches the top of an archive: a directory of that name would hide the archive. */
const IS_TOP = /!(?:\/\.?)?$/;

type Outcome<T> = { readonly value: T } | { readonly fault: Fault };

/** Catches only that nothing is there. */
async function orMissing<T>(look: () => T | Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    if (hasCode(error, ...NOTHING_THERE)) return { fault: error };
    throw error;
  }
}

const NOTHING_THERE: readonly Code[] = ["not_found", "not_a_directory"];

/** An archive that is open, and a path inside it. */
export interface OpenedArchive {
  readonly file: OpenFile;
  readonly tree: ArchiveTree;
  /** The real path of the top of the archive. */
  readonly top: SafePath;
  readonly path: SafePath;
}

/** Opens the outermost file on a path that is an archive. Returns undefined where there is none. */
async function withArchiveOf<T>(
  storage: StorageReader,
  { cache, checkpoint, checkOpened }: MountOptions,
  path: SafePath,
  use: (opened: OpenedArchive) => T | Promise<T>,
): Promise<T | undefined> {
  for (const { archive, inner } of archivePathsOf(path)) {
    const spelled = archive as SafePath;
    const facts = await orMissing(() => storage.stat(spelled, "follow"));
    if ("fault" in facts || facts.value?.kind !== "file") continue;
    return storage.withFile(spelled, async (file) => {
      checkOpened(file.facts, spelled);
      const tree = await cache.treeOf(file, checkpoint);
      if (!tree) return undefined;
      const top = `${file.facts.path}!` as SafePath;
      return use({ file, tree, top, path: inner === "" ? top : childOf(top, inner) });
    });
  }
  return undefined;
}

function statIn(opened: OpenedArchive, last: LastLink): Facts | null {
  const found = foundOrNull(resolve(stepsIn(opened), opened.path, last), opened.path);
  return found && factsOfNode(opened.file.facts, found.handle, found.path);
}

function destinationIn(opened: OpenedArchive, last: LastLink): Destination {
  const found = resolve(stepsIn(opened), opened.path, last);
  if (isAbsent(found)) return absentDestination(found, opened.path);
  return { place: found.path, facts: factsOfNode(opened.file.facts, found.handle, found.path), missing: [] };
}

async function useFileIn<T>(opened: OpenedArchive, use: (file: OpenFile) => T | Promise<T>): Promise<T> {
  const { node, path } = nodeAt(opened);
  const { end, ...file } = await openArchiveFile(opened, node, path, sourceOfArchive(opened.file));
  try {
    return await use(file);
  } finally {
    await end();
  }
}

const directoryIn = (opened: OpenedArchive) => {
  const { node, path } = nodeAt(opened);
  return openArchiveDirectory(opened.file.facts, node, path);
};

function nodeAt(opened: OpenedArchive) {
  const found = foundOrNull(resolve(stepsIn(opened), opened.path, "follow"), opened.path);
  if (found) return { node: found.handle, path: found.path };
  throw new Fault("not_found", `Cannot open ${JSON.stringify(opened.path)}: it does not exist`, { path: opened.path });
}
