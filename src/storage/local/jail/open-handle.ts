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
import { type Handle, type Jail, linkTarget, type OpenData, openSeen } from "./jail.ts";
import { type SyscallOptions, type Kernel, loadedKernel, O_PATH_FLAGS } from "./kernel.ts";

const DIRECTORY = O_PATH_FLAGS | constants.O_DIRECTORY;

/**
 * Linux: every step is an open relative to a descriptor we hold (openat by way of /proc) that follows no link, so no
 * swap between two steps can lead out. The type is seen on the descriptor before any data is touched.
 */
export function createHandleJail(roots: readonly string[], asking: SyscallOptions = loadedKernel): Jail {
  const mounts = roots.flatMap(mountOfRoot);
  const openRoot = (root: string): Handle => {
    const found = openExactly(root, "directory", mounts, asking());
    if (found) return found;
    throw new Fault("root_gone", `Cannot use the root ${JSON.stringify(root)}: it was removed or replaced`, { root });
  };
  return {
    containment: "handle",
    steps: { roots, openRoot, step, close },
    hold: (directory) => held(openSync(directory, DIRECTORY)),
    direct: (path, last) => direct(openExactly(path, "anything", mounts, asking()), last),
    openDirect: (path) => (roots.includes(path) ? undefined : openDirect(path, mounts, asking())),
    isAt,
    stats: (held) => held.stats ?? fstatSync(held.fd as number, { bigint: true }),
    isOneDisk: (one, other) => one === other || mountAmong(other, mountOf(one)) !== undefined,
    openData: (held, flags = constants.O_RDONLY) =>
      held.fd === undefined ? openSeen(held, flags) : openSync(held.reach, flags | constants.O_NONBLOCK),
    confirm: () => {},
  };
}

const held = (fd: number): Handle => ({ fd, reach: `${DESCRIPTORS}${fd}` });

/** What /proc/self leads to, which takes long on every step. Not `process.pid`: another /proc may give that to somebody else. */
const DESCRIPTORS = `/proc/${process.platform === "linux" ? readlinkSync("/proc/self") : "self"}/fd/`;
const withStats = ({ fd, reach, mount }: Handle, stats: BigIntStats): Handle => ({
  fd: fd as number,
  reach,
  stats,
  mount,
});
const withMount = ({ fd, reach }: Handle, mount: Mount): Handle => ({ fd: fd as number, reach, mount });
const close = ({ fd }: Handle): void => closeSync(fd as number);

/** What the kernel says of a descriptor, whose line `mnt_id` names the mount it was reached through. */
function aboutOf({ fd }: Handle): Buffer {
  const fdinfo = fdinfoCache.get(fd as number) ?? fdinfoOf(fd as number);
  return ABOUT.subarray(0, readSync(fdinfo, ABOUT, 0, ABOUT.length, 0));
}

function fdinfoOf(fd: number): number {
  const fdinfo = openSync(`/proc/self/fdinfo/${fd}`, constants.O_RDONLY);
  const [oldest] = fdinfoCache;
  if (oldest && fdinfoCache.size >= TELLERS) {
    fdinfoCache.delete(oldest[0]);
    closeSync(oldest[1]);
  }
  fdinfoCache.set(fd, fdinfo);
  return fdinfo;
}

/**
 * They stay open: each tells of whatever has that number at the moment it is read, and the system gives us the lowest
 * free numbers again and again, a few of them in the course of a change. Opening one on every open would cost more than
 * all the rest.
 */
const fdinfoCache = new Map<number, number>();
const TELLERS = 6;

/** Reused: looked at before anything else runs, and this happens on every open. */
const ABOUT = Buffer.alloc(1024);

function mountOfRoot(root: string): readonly Mount[] {
  const found = tryOpen(root, DIRECTORY);
  if (!found) return [];
  try {
    return mountOf(found);
  } finally {
    close(found);
  }
}

/** The kernel's line that names a mount; none where it does not say. */
function mountOf(found: Handle): readonly Mount[] {
  if (found.mount) return [found.mount];
  const line = /^mnt_id:.*\n/m.exec(aboutOf(found).toString("latin1"));
  return line ? [Buffer.from(line[0], "latin1")] : [];
}

type Mount = Buffer;

/** Unless a link is wanted itself, one in the last place is left to the walk like any other. */
function direct(found: Handle | undefined, last: LastLink): Handle | undefined {
  if (!found) return undefined;
  const stats = fstatSync(found.fd as number, { bigint: true });
  if (last === "keep" || !stats.isSymbolicLink()) return withStats(found, stats);
  close(found);
  return undefined;
}

/**
 * The data of a file at once. What is no file is not opened: a FIFO or device would notice, and only who may make such a
 * thing in a root could put it there between the look and the open.
 */
function openDirect(path: string, mounts: readonly Mount[], able: Kernel | null): OpenData | undefined {
  const fd = able && !CROOKED.test(path) && isFile(path) ? able.openWithoutLinks(path, "file") : NOT_ASKED;
  const stats = fd < 0 ? undefined : statsAmong(fd, mounts);
  if (stats?.isFile()) return { fd, stats };
  if (fd >= 0) closeSync(fd);
  return undefined;
}

/** Whatever the system says against it, the walk will say better. */
function statsAmong(fd: number, mounts: readonly Mount[]): BigIntStats | undefined {
  try {
    return mountAmong(held(fd), mounts) && fstatSync(fd, { bigint: true });
  } catch {
    return undefined;
  }
}

/** Says another place than it seems to, or the same in other words; to the kernel a path ends at a NUL. */
const CROOKED = /\/\.{0,2}(?:\/|$)|\0/;
const NOT_ASKED = -Infinity;

function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/**
 * One open for the whole path, in which the kernel follows no link; where it cannot be asked to, it is asked afterwards.
 * Believed only when it was reached through a mount of the roots: the disk of a root may have been taken away.
 */
function openExactly(
  path: string,
  wanted: "directory" | "anything",
  mounts: readonly Mount[],
  able: Kernel | null,
): Handle | undefined {
  const fd = able && !CROOKED.test(path) ? able.openWithoutLinks(path, wanted) : NOT_ASKED;
  if (NOT_THERE.includes(fd)) return undefined;
  const found = fd >= 0 ? held(fd) : openAndAsk(path, wanted === "directory" ? DIRECTORY : O_PATH_FLAGS);
  return found && amongMounts(found, mounts);
}

const { ENOENT, ENOTDIR, ELOOP } = osConstants.errno;
const NOT_THERE: readonly number[] = [-ENOENT, -ENOTDIR, -ELOOP];

/**
 * Believed only when the kernel says that the opened object is at exactly this path, which is true of every path without
 * links. Behind the /proc of a process with mounts of its own a path may say anything: the mount tells. Right for what
 * exists: nothing is created or read before.
 */
function openAndAsk(path: string, flags: number): Handle | undefined {
  const found = tryOpen(path, flags);
  if (!found || isAt(found, path)) return found;
  close(found);
  return undefined;
}

function amongMounts(found: Handle, mounts: readonly Mount[]): Handle | undefined {
  let mount: Mount | undefined;
  try {
    mount = mountAmong(found, mounts);
  } finally {
    if (!mount) close(found);
  }
  return mount && withMount(found, mount);
}

function mountAmong(found: Handle, mounts: readonly Mount[]): Mount | undefined {
  const about = found.mount ?? aboutOf(found);
  return mounts.find((mount) => about.includes(mount));
}

/** A path too long for the kernel to say is left to the walk. */
function isAt(found: Handle, path: string): boolean {
  try {
    return readlinkSync(found.reach) === path;
  } catch {
    return false;
  }
}

function tryOpen(path: string, flags: number): Handle | undefined {
  try {
    return held(openSync(path, flags));
  } catch (error) {
    if (isMissing(error) || ["ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "")) return undefined;
    throw error;
  }
}

function step(from: Handle, name: string, last: boolean): ResolveStep<Handle> {
  const path = `${from.reach}/${name}`;
  try {
    return last ? onto(path) : { kind: "directory", handle: held(openSync(path, DIRECTORY)) };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    if (errnoOf(error) === "ENOTDIR" && !last) return onto(path);
    throw error;
  }
}

/** The object itself, a link not followed: its type decides, seen on the descriptor. */
function onto(path: string): ResolveStep<Handle> {
  const found = held(openSync(path, O_PATH_FLAGS));
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
