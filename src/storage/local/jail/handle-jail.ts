import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { constants as osConstants } from "node:os";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import type { ResolveStep } from "../../resolve.ts";
import type { LastLink } from "../../storage.ts";
import { isMissing } from "../errno.ts";
import { type Handle, type Jail, linkTarget, openIfUnchanged } from "./jail.ts";
import { type KernelSource, type Kernel, loadedKernel, O_PATH_FLAGS } from "./kernel.ts";
import { readEntries } from "./read-entries.ts";

const DIRECTORY_FLAGS = O_PATH_FLAGS | constants.O_DIRECTORY;

/**
 * Creates the jail for Linux: every step is an open relative to a descriptor we hold (openat by way of /proc) that
 * follows no link, so no swap between two steps can lead out. The type is checked on the descriptor before any data is
 * touched.
 */
export function createHandleJail(roots: readonly string[], kernelSource: KernelSource = loadedKernel): Jail {
  const mounts = roots.flatMap(mountsOfRoot);
  const openDirectoryDirectly = (path: string): Handle | undefined =>
    openWithoutLinks(path, "directory", mounts, kernelSource());
  const openRoot = (root: string): Handle => {
    const found = openDirectoryDirectly(root);
    if (found) return found;
    throw new Fault("root_gone", `Cannot use the root ${JSON.stringify(root)}: it was removed or replaced`, { root });
  };
  return {
    containment: "handle",
    steps: { roots, openRoot, step, close },
    openDirectory: (directory) => handleOf(openSync(directory, DIRECTORY_FLAGS)),
    openDirectly: (path, last) => unlessLink(openWithoutLinks(path, "anything", mounts, kernelSource()), last),
    openDirectoryDirectly,
    // Only a user who may create a FIFO or device in a root could put one there between the check and the open. A file
    // that took the place of a root is refused where the root is opened.
    openFileDirectly(path) {
      const kernel = kernelSource();
      const isTried = kernel !== null && !roots.includes(path) && !NOT_NORMALIZED.test(path) && isFile(path);
      const fd = isTried ? kernel.openWithoutLinks(path, "file") : NOT_TRIED;
      const stats = fd < 0 ? undefined : statsOnMounts(fd, mounts);
      if (stats?.isFile()) return { fd, stats };
      if (fd >= 0) closeSync(fd);
      return undefined;
    },
    openSubdirectory: (parent, name) => openListable(parent, name, kernelSource()),
    entries: ({ fd, isListable }) => (isListable ? readEntries(kernelSource() as Kernel, fd as number) : undefined),
    isAt,
    stats: (handle) => handle.stats ?? fstatSync(handle.fd as number, { bigint: true }),
    isSameDisk: (one, other) => one === other || isSameMount(one, other),
    openData: (handle, flags = constants.O_RDONLY) =>
      handle.fd === undefined ? openIfUnchanged(handle, flags) : openSync(handle.fsPath, flags | constants.O_NONBLOCK),
    confirm: () => {},
  };
}

const handleOf = (fd: number, mount?: Mount): Handle => ({ fd, fsPath: `${DESCRIPTORS}${fd}`, mount });

/**
 * Resolves /proc/self once, which is slow on every step. `process.pid` is not used: another /proc may give that number
 * to another process.
 */
const DESCRIPTORS = `/proc/${process.platform === "linux" ? readlinkSync("/proc/self") : "self"}/fd/`;
const withStats = ({ fd, fsPath, mount }: Handle, stats: BigIntStats): Handle => ({
  fd: fd as number,
  fsPath,
  stats,
  mount,
});
const close = ({ fd }: Handle): void => closeSync(fd as number);

/** Reads the kernel's fdinfo of a descriptor, whose line `mnt_id` names the mount it was opened through. */
function fdinfoText(fd: number): Buffer {
  const fdinfo = fdinfoCache.get(fd) ?? fdinfoOf(fd);
  return FDINFO_BUFFER.subarray(0, readSync(fdinfo, FDINFO_BUFFER, 0, FDINFO_BUFFER.length, 0));
}

function fdinfoOf(fd: number): number {
  const fdinfo = openSync(`/proc/self/fdinfo/${fd}`, constants.O_RDONLY);
  const [oldest] = fdinfoCache;
  if (oldest && fdinfoCache.size >= FDINFO_CACHE_SIZE) {
    fdinfoCache.delete(oldest[0]);
    closeSync(oldest[1]);
  }
  fdinfoCache.set(fd, fdinfo);
  return fdinfo;
}

/**
 * Keeps fdinfo descriptors open, the oldest evicted first. Each describes whatever has that number at the moment it is
 * read, and the system reuses the lowest free numbers, a few of them in the course of a change. Opening one on every
 * open would cost more than all the rest.
 */
const fdinfoCache = new Map<number, number>();
const FDINFO_CACHE_SIZE = 6;

/** Is reused on every open: its content is parsed before anything else runs. */
const FDINFO_BUFFER = Buffer.alloc(1024);

function mountsOfRoot(root: string): readonly Mount[] {
  const fd = tryOpen(root, DIRECTORY_FLAGS);
  if (fd === undefined) return [];
  try {
    return mountsOf(handleOf(fd));
  } finally {
    closeSync(fd);
  }
}

/** Returns the kernel's line that names the mount; none where it does not say. */
function mountsOf({ fd, mount }: Handle): readonly Mount[] {
  if (mount) return [mount];
  const line = /^mnt_id:.*\n/m.exec(fdinfoText(fd as number).toString("latin1"));
  return line ? [Buffer.from(line[0], "latin1")] : [];
}

type Mount = Buffer;

/** Leaves a link in the last place to the walk, unless the link itself is requested. */
function unlessLink(found: Handle | undefined, last: LastLink): Handle | undefined {
  if (!found) return undefined;
  const stats = fstatSync(found.fd as number, { bigint: true });
  if (last === "keep" || !stats.isSymbolicLink()) return withStats(found, stats);
  close(found);
  return undefined;
}

/** Ignores errors of the system: the walk that follows reports them better. */
function statsOnMounts(fd: number, mounts: readonly Mount[]): BigIntStats | undefined {
  try {
    return matchingMount(fdinfoText(fd), mounts) && fstatSync(fd, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Opens the name in the very directory that is open, and follows no link. A failure is left to the step. */
function openListable(parent: Handle, name: string, kernel: Kernel | null): Handle | undefined {
  if (!kernel || parent.fd === undefined) return undefined;
  const fd = kernel.openDirectory(parent.fd, name);
  return fd < 0 ? undefined : { fd, fsPath: DESCRIPTORS + fd, isListable: true };
}

/**
 * Matches paths with empty, "." and ".." segments or a trailing slash, and those with a NUL, where the kernel would
 * stop.
 */
const NOT_NORMALIZED = /\/\.{0,2}(?:\/|$)|\0/;
const NOT_TRIED = -Infinity;

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/**
 * Opens the whole path in one call in which the kernel follows no link (openat2), or else verifies the path afterwards.
 * The result is accepted only when it was opened through a mount of the roots: the disk of a root may have been
 * unmounted.
 */
function openWithoutLinks(
  path: string,
  mode: "directory" | "anything",
  mounts: readonly Mount[],
  kernel: Kernel | null,
): Handle | undefined {
  const opened = kernel && !NOT_NORMALIZED.test(path) ? kernel.openWithoutLinks(path, mode) : NOT_TRIED;
  if (NOT_FOUND.includes(opened)) return undefined;
  const fd = opened >= 0 ? opened : openAndVerify(path, mode === "directory" ? DIRECTORY_FLAGS : O_PATH_FLAGS);
  if (fd === undefined) return undefined;
  const mount = mountOrClose(fd, mounts);
  return mount && handleOf(fd, mount);
}

const { ENOENT, ENOTDIR, ELOOP } = osConstants.errno;
const NOT_FOUND: readonly number[] = [-ENOENT, -ENOTDIR, -ELOOP];

/**
 * Accepts the opened object only when the kernel reports it at exactly this path, which is true of every path without
 * links. Behind the /proc of a process in another mount namespace a path may say anything, so the mount is checked,
 * too. This is safe for existing objects, because nothing is created or read before.
 */
function openAndVerify(path: string, flags: number): number | undefined {
  const fd = tryOpen(path, flags);
  if (fd === undefined || isAt(handleOf(fd), path)) return fd;
  closeSync(fd);
  return undefined;
}

/** Returns the mount of the roots that a descriptor was opened through; closes the descriptor when it is none. */
function mountOrClose(fd: number, mounts: readonly Mount[]): Mount | undefined {
  let mount: Mount | undefined;
  try {
    mount = matchingMount(fdinfoText(fd), mounts);
    return mount;
  } finally {
    if (!mount) closeSync(fd);
  }
}

const matchingMount = (fdinfo: Buffer, mounts: readonly Mount[]): Mount | undefined =>
  mounts.find((mount) => fdinfo.includes(mount));

/** Copies the mount of the first before that of the second is read, into the same buffer. */
function isSameMount(one: Handle, other: Handle): boolean {
  const mounts = mountsOf(one);
  return matchingMount(other.mount ?? fdinfoText(other.fd as number), mounts) !== undefined;
}

/** Leaves a path that is too long for the kernel to report to the walk. */
function isAt(found: Handle, path: string): boolean {
  try {
    return readlinkSync(found.fsPath) === path;
  } catch {
    return false;
  }
}

function tryOpen(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags);
  } catch (error) {
    if (isMissing(error) || ["ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

function step(from: Handle, name: string, last: boolean): ResolveStep<Handle> {
  const path = `${from.fsPath}/${name}`;
  try {
    return last ? openObject(path) : { kind: "directory", handle: handleOf(openSync(path, DIRECTORY_FLAGS)) };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    if (errnoOf(error) === "ENOTDIR" && !last) return openObject(path);
    throw error;
  }
}

/** Opens the object itself, a link not followed, and takes its type from the descriptor. */
function openObject(path: string): ResolveStep<Handle> {
  const found = handleOf(openSync(path, O_PATH_FLAGS));
  try {
    const stats = fstatSync(found.fd as number, { bigint: true });
    const handle = withStats(found, stats);
    if (stats.isSymbolicLink()) return { kind: "link", handle, target: linkTarget(path) };
    return { kind: stats.isDirectory() ? "directory" : "leaf", handle };
  } catch (error) {
    close(found);
    throw error;
  }
}
