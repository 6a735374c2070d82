import { closeSync, constants, openSync } from "node:fs";
import { createRequire } from "node:module";
import { endianness } from "node:os";
import { getSystemErrorName } from "node:util";
import { errnoOf } from "../../../base/errno.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { EntryRef } from "../entry-ref.ts";

/** Offers Linux system calls that Node does not: renameat2, openat2, openat, getdents64 and extended attributes. */
export interface Kernel {
  /** Renames; throws EEXIST when the new name is taken. */
  renameNew(from: EntryRef, to: EntryRef): void;
  /** Swaps two names atomically. */
  exchange(one: EntryRef, other: EntryRef): void;
  /**
   * Opens a path of which no name is a link, the last one included unless the mode is "anything": a file for reading,
   * the others as O_PATH descriptors. Returns a negative errno on failure.
   */
  openWithoutLinks(path: string, mode: OpenMode): number;
  /**
   * Opens a directory by its name in an open one, so that its entries can be read. A link is not followed. Returns a
   * negative number on failure.
   */
  openDirectory(parent: number, name: string): number;
  /**
   * Reads some of the entries of a directory that `openDirectory` opened, as struct linux_dirent64. Returns the number
   * of bytes; 0 at the end, and a negative number on failure.
   */
  readEntries(fd: number, into: Buffer): number;
  /** Makes the next `readEntries` begin with the first entry. Returns false where the disk cannot. */
  rewind(fd: number): boolean;
  /**
   * Copies extended attributes and access control lists to an open file, and removes lists that the source does not
   * have. A link is not followed. Attributes that the disk does not support are skipped.
   */
  copyAttributes(from: string, fd: number): void;
  /** Lists the names of extended attributes, those of a link itself; none where the disk has none. */
  attributes(at: Buffer): readonly string[];
  /** Returns false when an attribute could not be removed. */
  removeAttribute(at: Buffer, name: string): boolean;
  /**
   * Reads the `struct statx` of an entry of an open directory, a link not followed. Returns false where that fails, or
   * where the C library lacks the function.
   */
  stat(parent: number, name: string, into: Buffer): boolean;
  /** Waits until all that was written to the disk of a directory is there. */
  syncDisk(directory: string): void;
}

export type OpenMode = "file" | "directory" | "anything";

/** Returns the kernel calls; null where they are not available, or not wanted. */
export type KernelSource = () => Kernel | null;

let cached: Kernel | null | undefined;

/**
 * Returns null on other systems, and where the optional package koffi is not installed. Loading takes 7 ms and 4 MB: it
 * happens at the first change, never at the start.
 */
export const kernel: KernelSource = () => (cached === undefined ? (cached = loadKernel()) : cached);

/** Serves optional uses: returns null until the calls are loaded anyway, or were requested so often that it pays. */
export const loadedKernel: KernelSource = () =>
  cached === undefined && ++requests > LIMITS.kernelLoadAfter ? kernel() : (cached ?? null);

let requests = 0;

/**
 * Opens a name without touching its object. Node lacks a constant for O_PATH; its value is the same on every Linux we
 * run on.
 */
export const O_PATH_FLAGS = 0o10000000 | constants.O_NOFOLLOW;

function loadKernel(): Kernel | null {
  if (process.platform !== "linux") return null;
  try {
    return createKernel(createRequire(import.meta.url)("koffi") as typeof import("koffi"));
  } catch {
    return null;
  }
}

/** Returns true when the call succeeded; false where this disk does not support it. Any other failure is thrown. */
export function tryWithKernel(act: (kernel: Kernel) => void): boolean {
  const available = kernel();
  if (!available) return false;
  try {
    act(available);
    return true;
  } catch (error) {
    if (UNSUPPORTED.includes(errnoOf(error) ?? "")) return false;
    throw error;
  }
}

const UNSUPPORTED = ["ENOSYS", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "EXDEV"];

function createKernel(koffi: typeof import("koffi")): Kernel {
  const program = koffi.load(null);
  const rename = program.func("int renameat2(int, const char *, int, const char *, unsigned int)");
  const list = program.func("long llistxattr(const char *, void *, size_t)");
  const get = program.func("long lgetxattr(const char *, const char *, void *, size_t)");
  const set = program.func("int fsetxattr(int, const char *, const void *, size_t, int)");
  const remove = program.func("int fremovexattr(int, const char *)");
  const removeAt = program.func("int lremovexattr(const char *, const char *)");
  const syncDisk = program.func("int syncfs(int)");
  const renamed = (from: EntryRef, to: EntryRef, flags: number): void => {
    if (rename(...relativeName(from), ...relativeName(to), flags) === 0) return;
    throw errnoError(koffi.errno());
  };
  const open = program.func("int openat(int, const char *, int)");
  const entries = readFunction(program);
  const stat = statFunction(program);
  const seek = program.func("int64_t lseek(int, int64_t, int)");
  const call = program.func("long syscall(long, int, const char *, const void *, size_t)");
  const buffer = Buffer.allocUnsafeSlow(ATTRIBUTE_BYTES);
  const attributeNames = (path: string | Buffer): readonly string[] => {
    const length = list(path, buffer, buffer.length) as number;
    return length > 0 ? buffer.toString("utf8", 0, length - 1).split("\0") : [];
  };
  const copy = (name: string, from: string, fd: number): void => {
    const length = get(from, name, buffer, buffer.length) as number;
    if (length >= 0) set(fd, name, buffer, length, 0);
  };
  return {
    renameNew: (from, to) => renamed(from, to, NO_REPLACE),
    exchange: (one, other) => renamed(one, other, EXCHANGE),
    openWithoutLinks(path, mode) {
      const how = OPEN_HOW[mode];
      const fd = call(OPENAT2, AT_FDCWD, path, how, how.byteLength) as number;
      return fd < 0 ? -koffi.errno() : fd;
    },
    openDirectory: (parent, name) =>
      entries && !name.includes("\0") ? (open(parent, name, LISTED_FLAGS) as number) : UNAVAILABLE,
    readEntries: (fd, into) => (entries ? (entries(fd, into, into.length) as number) : UNAVAILABLE),
    rewind: (fd) => seek(fd, 0, SEEK_SET) === 0,
    stat: (parent, name, into) => stat?.(parent, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC, into) === 0,
    copyAttributes(from, fd) {
      const names = attributeNames(from);
      for (const name of names) if (COPIED_ATTRIBUTES.test(name)) copy(name, from, fd);
      for (const name of INHERITED) if (!names.includes(name)) remove(fd, name);
    },
    attributes: (at) => attributeNames(terminated(at)),
    removeAttribute: (at, name) => removeAt(terminated(at), name) === 0,
    syncDisk(directory) {
      const fd = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
      try {
        if (syncDisk(fd) !== 0) throw errnoError(koffi.errno());
      } finally {
        closeSync(fd);
      }
    },
  };
}

function errnoError(errno: number): Error {
  const code = getSystemErrorName(-errno);
  return Object.assign(new Error(code), { code });
}

/** Returns a path as C has it: names need not be UTF-8. */
const terminated = (path: Buffer): Buffer => Buffer.concat([path, NUL]);
const NUL = Buffer.alloc(1);

/**
 * Returns undefined where the C library lacks the function, as glibc did before 2.30, and where records or offsets are
 * laid out otherwise: with 32 bits, or big-endian.
 */
function readFunction(program: Library): KoffiFunction | undefined {
  if (["arm", "ia32"].includes(process.arch) || endianness() !== "LE") return undefined;
  try {
    return program.func("int64_t getdents64(int, void *, size_t)");
  } catch {
    return undefined;
  }
}

/** Returns undefined where the C library lacks the function, as glibc did before 2.28, or where numbers are big-endian. */
function statFunction(program: Library): KoffiFunction | undefined {
  if (endianness() !== "LE") return undefined;
  try {
    return program.func("int statx(int, const char *, int, unsigned int, void *)");
  } catch {
    return undefined;
  }
}

const AT_SYMLINK_NOFOLLOW = 0x100;
const STATX_BASIC = 0x7ff;

type Library = ReturnType<(typeof import("koffi"))["load"]>;
type KoffiFunction = ReturnType<Library["func"]>;
const UNAVAILABLE = -1;

/** Looks a name up in the very directory that is open; without a descriptor the full path is used. */
const relativeName = ({ parent, name, fsPath }: EntryRef): [directory: number, path: string] =>
  parent.fd === undefined ? [AT_FDCWD, fsPath] : [parent.fd, name];
const AT_FDCWD = -100;
/** The system call number on every Linux; the C library has no function for it. */
const OPENAT2 = 437;
/** Builds struct open_how: flags, the mode of a new file, and resolve flags. */
const openHow = (flags: number): BigUint64Array => new BigUint64Array([flags | O_CLOEXEC, 0, NO_LINKS].map(BigInt));
const O_CLOEXEC = 0o2000000;
const NO_LINKS = 4;
const LISTED_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | O_CLOEXEC;
const SEEK_SET = 0;
const OPEN_HOW: Readonly<Record<OpenMode, BigUint64Array>> = {
  file: openHow(constants.O_RDONLY | constants.O_NONBLOCK),
  directory: openHow(O_PATH_FLAGS | constants.O_DIRECTORY),
  anything: openHow(O_PATH_FLAGS),
};
const NO_REPLACE = 1;
const EXCHANGE = 2;

/** The kernel's limit for the list of names and for each value. */
const ATTRIBUTE_BYTES = 65_536;

/**
 * Lists the attributes that a directory passes on to new entries: they might let others in who had no access before.
 */
const INHERITED = ["system.posix_acl_access", "system.posix_acl_default"];

/**
 * Matches attributes that belong to the file. A capability or a checksum belongs to the content, which is another now.
 */
const COPIED_ATTRIBUTES = /^(?:user\.|system\.|security\.selinux$)/;
