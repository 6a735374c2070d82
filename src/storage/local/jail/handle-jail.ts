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
import { type Handle, type Jail, linkTarget, type OpenData, openIfUnchanged } from "./jail.ts";
import { type KernelSource, type Kernel, loadedKernel, O_PATH_FLAGS } from "./kernel.ts";

const DIRECTORY_FLAGS = O_PATH_FLAGS | constants.O_DIRECTORY;

/**
 * Creates the jail for Linux: every step is an open relative to a descriptor we hold (openat by way of /proc) that
 * follows no link, so no swap between two steps can lead out. The type is checked on the descriptor before any data is
 * touched.
 */
export function createHandleJail(roots: readonly string[], kernelSource: KernelSource = loadedKernel): Jail {
  const mounts = roots.flatMap(mountOfRoot);
  const openRoot = (root: string): Handle => {
    const found = openWithoutLinks(root, "directory", mounts, kernelSource());
    if (found) return found;
    throw new Fault("root_gone", `Cannot use the root ${JSON.stringify(root)}: it was removed or replaced`, { root });
  };
  return {
    containment: "handle",
    steps: { roots, openRoot, step, close },
    openDirectory: (directory) => handleOf(openSync(directory, DIRECTORY_FLAGS)),
    openDirectly: (path, last) => unlessLink(openWithoutLinks(path, "anything", mounts, kernelSource()), last),
    openFileDirectly: (path) => (roots.includes(path) ? undefined : openFileDirectly(path, mounts, kernelSource())),
    isAt,
    stats: (handle) => handle.stats ?? fstatSync(handle.fd as number, { bigint: true }),
    isSameDisk: (one, other) => one === other || matchingMount(other, mountOf(one)) !== undefined,
    openData: (handle, flags = constants.O_RDONLY) =>
      handle.fd === undefined ? openIfUnchanged(handle, flags) : openSync(handle.fsPath, flags | constants.O_NONBLOCK),
    confirm: () => {},
  };
}

const handleOf = (fd: number): Handle => ({ fd, fsPath: `${DESCRIPTORS}${fd}` });

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
const withMount = ({ fd, fsPath }: Handle, mount: Mount): Handle => ({ fd: fd as number, fsPath, mount });
const close = ({ fd }: Handle): void => closeSync(fd as number);

/** Reads the kernel's fdinfo of a descriptor, whose line `mnt_id` names the mount it was opened through. */
function fdinfoText({ fd }: Handle): Buffer {
  const fdinfo = fdinfoCache.get(fd as number) ?? fdinfoOf(fd as number);
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

function mountOfRoot(root: string): readonly Mount[] {
  const found = tryOpen(root, DIRECTORY_FLAGS);
  if (!found) return [];
  try {
    return mountOf(found);
  } finally {
    close(found);
  }
}

/** Returns the kernel's line that names the mount; none where it does not say. */
function mountOf(found: Handle): readonly Mount[] {
  if (found.mount) return [found.mount];
  const line = /^mnt_id:.*\n/m.exec(fdinfoText(found).toString("latin1"));
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

/**
 * Opens the data of a file in one call. What is not a file is not opened, because a FIFO or device would notice; only a
 * user who may create such a thing in a root could put it there between the check and the open.
 */
function openFileDirectly(path: string, mounts: readonly Mount[], kernel: Kernel | null): OpenData | undefined {
  const fd = kernel && !NOT_NORMALIZED.test(path) && isFile(path) ? kernel.openWithoutLinks(path, "file") : NOT_TRIED;
  const stats = fd < 0 ? undefined : statsOnMounts(fd, mounts);
  if (stats?.isFile()) return { fd, stats };
  if (fd >= 0) closeSync(fd);
  return undefined;
}

/** Ignores errors of the system: the walk that follows reports them better. */
function statsOnMounts(fd: number, mounts: readonly Mount[]): BigIntStats | undefined {
  try {
    return matchingMount(handleOf(fd), mounts) && fstatSync(fd, { bigint: true });
  } catch {
    return undefined;
  }
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
  const fd = kernel && !NOT_NORMALIZED.test(path) ? kernel.openWithoutLinks(path, mode) : NOT_TRIED;
  if (NOT_FOUND.includes(fd)) return undefined;
  const found = fd >= 0 ? handleOf(fd) : openAndVerify(path, mode === "directory" ? DIRECTORY_FLAGS : O_PATH_FLAGS);
  return found && requireMount(found, mounts);
}

const { ENOENT, ENOTDIR, ELOOP } = osConstants.errno;
const NOT_FOUND: readonly number[] = [-ENOENT, -ENOTDIR, -ELOOP];

/**
 * Accepts the opened object only when the kernel reports it at exactly this path, which is true of every path without
 * links. Behind the /proc of a process in another mount namespace a path may say anything, so the mount is checked,
 * too. This is safe for existing objects, because nothing is created or read before.
 */
function openAndVerify(path: string, flags: number): Handle | undefined {
  const found = tryOpen(path, flags);
  if (!found || isAt(found, path)) return found;
  close(found);
  return undefined;
}

function requireMount(found: Handle, mounts: readonly Mount[]): Handle | undefined {
  let mount: Mount | undefined;
  try {
    mount = matchingMount(found, mounts);
  } finally {
    if (!mount) close(found);
  }
  return mount && withMount(found, mount);
}

function matchingMount(found: Handle, mounts: readonly Mount[]): Mount | undefined {
  const info = found.mount ?? fdinfoText(found);
  return mounts.find((mount) => info.includes(mount));
}

/** Leaves a path that is too long for the kernel to report to the walk. */
function isAt(found: Handle, path: string): boolean {
  try {
    return readlinkSync(found.fsPath) === path;
  } catch {
    return false;
  }
}

function tryOpen(path: string, flags: number): Handle | undefined {
  try {
    return handleOf(openSync(path, flags));
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
