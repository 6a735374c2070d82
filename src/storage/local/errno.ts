import { errnoOf } from "../../base/errno.ts";
import { type Code, Fault, isFault, OUT_OF_DESCRIPTORS } from "../../base/errors.ts";
import { parentOf } from "../../base/paths.ts";
import { OWN_NAMES } from "../../base/product.ts";

const FAULTS: Readonly<Record<string, { readonly code: Code; readonly state: string }>> = {
  ENOENT: { code: "not_found", state: "it does not exist" },
  EACCES: { code: "no_permission", state: "permission denied" },
  EPERM: { code: "no_permission", state: "permission denied" },
  ENOTDIR: { code: "not_a_directory", state: "it is not a directory" },
  EISDIR: { code: "not_a_file", state: "it is a directory" },
  ENAMETOOLONG: { code: "invalid_input", state: "a name in it is too long" },
  ELOOP: { code: "swapped", state: "a link took its place" },
  ENXIO: { code: "special_file", state: "it is a socket or device" },
  EAGAIN: { code: "io", state: "another program holds it" },
  EBUSY: { code: "busy", state: "the system is using it, for example as a mount point" },
  EEXIST: { code: "exists", state: "something is there already" },
  ENOTEMPTY: { code: "not_empty", state: "the directory is not empty" },
  ENOSPC: { code: "disk_full", state: "the disk is full" },
  EDQUOT: { code: "disk_full", state: "the disk quota is used up" },
  EROFS: { code: "read_only", state: "the disk is read-only" },
  EINVAL: { code: "invalid_input", state: "it cannot be moved there, or the name is invalid" },
  EFBIG: { code: "too_large", state: "the disk does not support files that large" },
};

/** Converts a system error to a Fault that names the path the caller knows. */
export function asFault(error: unknown, at: string, action: "open" | "change" = "open"): unknown {
  if (isFault(error)) return error;
  const errno = errnoOf(error);
  if (errno === undefined) return error;
  const { code, state } = FAULTS[errno] ?? {
    code: "io" as const,
    state: OUT_OF_DESCRIPTORS[errno] ?? `the system says ${errno}`,
  };
  const path = knownPath(at);
  return new Fault(code, `Cannot ${action} ${JSON.stringify(path)}: ${state}`, { path }, error);
}

/** Replaces an internal name, which the caller does not know, by the directory that it is in. */
const knownPath = (path: string): string =>
  path.slice(path.lastIndexOf("/") + 1).startsWith(OWN_NAMES) ? parentOf(path) : path;

/** Accepts what does not exist, or cannot: no disk holds a name that long. */
export const isMissing = (error: unknown): boolean => ["ENOENT", "ENAMETOOLONG"].includes(errnoOf(error) ?? "");
