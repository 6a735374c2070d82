import { constants } from "node:fs";
import { createRequire } from "node:module";
import { getSystemErrorName } from "node:util";
import { errnoOf } from "../../../base/errno.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { EntryRef } from "../entry-ref.ts";

/** What Linux can do with names and files, and Node has no words for. */
export interface Kernel {
  /** Renames; throws EEXIST when something has the new name. */
  renameNew(from: EntryRef, to: EntryRef): void;
  /** Two things take each other's name, in one instant. */
  exchange(one: EntryRef, other: EntryRef): void;
  /**
   * Opens what has a path of which no name is a link, the last one included unless anything is wanted: a file to read it,
   * the others only to hold them. Below zero it is the number of an error.
   */
  openWithoutLinks(path: string, mode: OpenMode): number;
  /**
   * Gives an open file what is written on another beside its content: attributes, access control lists, and no such list
   * where that has none. A link is not followed. What the disk does not take stays behind.
   */
  copyAttributes(from: string, fd: number): void;
}

export type OpenMode = "file" | "directory" | "anything";

/** How it is come by; null where it cannot be had, or is not wanted. */
export type KernelSource = () => Kernel | null;

let cached: Kernel | null | undefined;

/**
 * Null on other systems, and where the optional package that asks for it is not installed. It takes 7 ms and 4 MB: asked
 * for at the first change, never at the start.
 */
export const kernel: KernelSource = () => (cached === undefined ? (cached = load()) : cached);

/** The same for what can do without it: null until it is at hand anyway, or has been asked for so often that it pays. */
export const loadedKernel: KernelSource = () =>
  cached === undefined && ++requests > LIMITS.kernelLoadAfter ? kernel() : (cached ?? null);

let requests = 0;

/** Opens a name without touching what it names. Node has no word for the first flag; one number on every Linux we run on. */
export const O_PATH_FLAGS = 0o10000000 | constants.O_NOFOLLOW;

function load(): Kernel | null {
  if (process.platform !== "linux") return null;
  try {
    return createKernel(createRequire(import.meta.url)("koffi") as typeof import("koffi"));
  } catch {
    return null;
  }
}

/** Whether it did what it was asked; false where this disk cannot. Any other failure is thrown. */
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
  const list = program.func("int64_t llistxattr(const char *, void *, size_t)");
  const get = program.func("int64_t lgetxattr(const char *, const char *, void *, size_t)");
  const set = program.func("int fsetxattr(int, const char *, const void *, size_t, int)");
  const remove = program.func("int fremovexattr(int, const char *)");
  const renamed = (from: EntryRef, to: EntryRef, flags: number): void => {
    if (rename(directoryOf(from), nameFrom(from), directoryOf(to), nameFrom(to), flags) === 0) return;
    const code = getSystemErrorName(-koffi.errno());
    throw Object.assign(new Error(code), { code });
  };
  const call = program.func("long syscall(long, int, const char *, const void *, size_t)");
  const buffer = Buffer.allocUnsafeSlow(ATTRIBUTE_BYTES);
  const attributeNames = (path: string): readonly string[] => {
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
    copyAttributes(from, fd) {
      const names = attributeNames(from);
      for (const name of names) if (COPIED_ATTRIBUTES.test(name)) copy(name, from, fd);
      for (const name of INHERITED) if (!names.includes(name)) remove(fd, name);
    },
  };
}

/** A name is looked up in the very directory that is held; where none is open, a path says it all. */
const directoryOf = ({ parent }: EntryRef): number => parent.fd ?? AT_FDCWD;
const nameFrom = ({ parent, name, fsPath }: EntryRef): string => (parent.fd === undefined ? fsPath : name);
const AT_FDCWD = -100;
/** The C library has no function for it. One number on every Linux. */
const OPENAT2 = 437;
/** Flags, the mode of what is new, and what must not be met on the way. */
const openHow = (flags: number): BigUint64Array => new BigUint64Array([flags | O_CLOEXEC, 0, NO_LINKS].map(BigInt));
const O_CLOEXEC = 0o2000000;
const NO_LINKS = 4;
const OPEN_HOW: Readonly<Record<OpenMode, BigUint64Array>> = {
  file: openHow(constants.O_RDONLY | constants.O_NONBLOCK),
  directory: openHow(O_PATH_FLAGS | constants.O_DIRECTORY),
  anything: openHow(O_PATH_FLAGS),
};
const NO_REPLACE = 1;
const EXCHANGE = 2;

/** What the kernel allows for the names and for each value. */
const ATTRIBUTE_BYTES = 65_536;

/** What a directory gives to all that is new in it: others might get in where they could not before. */
const INHERITED = ["system.posix_acl_access", "system.posix_acl_default"];

/** Of the file, whatever is in it. A capability or a checksum is of its content, which is another now. */
const COPIED_ATTRIBUTES = /^(?:user\.|system\.|security\.selinux$)/;
