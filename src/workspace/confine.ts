import { isAbsolute } from "node:path";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, isInNamedStorage, isWithin, relativePath } from "../base/paths.ts";
import { pathSegments } from "../storage/resolve.ts";
import type { SafePath } from "../storage/storage.ts";

/** Describes a root by the path that the operator gave and by its real path; a caller may use either. */
export interface RootName {
  readonly given: string;
  readonly real: string;
}

/**
 * Turns an untrusted string into the places it may mean, best first: one for an absolute path, one per root for a
 * relative path. Uses only the spelling, taken literally: storage/resolve.ts does the rest.
 */
export function confine(roots: readonly RootName[], untrusted: string): readonly [SafePath, ...SafePath[]] {
  const path = FILE_URI.test(untrusted) ? pathOfUri(untrusted) : untrusted;
  checkSpelling(path);
  const places = isAbsolute(path) ? absolutePlaces(roots, path) : relativePlaces(roots, path);
  const [first, ...others] = places;
  if (first === undefined) throw outsideFault(roots, untrusted);
  return [first, ...others];
}

/** Matches the part before the host or the path: RFC 8089 also allows "file:/path", without a host. */
const FILE_URI = /^file:(?:\/\/|(?=\/))/i;

/** Returns the absolute path of a file URI. A "?" or "#" is part of the path: files have no query and no fragment. */
function pathOfUri(uri: string): string {
  const path = uri.replace(FILE_URI, "").replace(/^localhost(?=\/)/i, "");
  try {
    if (path.startsWith("/")) return decodeURIComponent(path);
  } catch {
    // A "%" does not begin a valid escape.
  }
  throw new Fault("invalid_input", `Cannot use ${JSON.stringify(uri)}: it is not the URI of a file on this machine`, {
    path: uri,
    hint: "Give the path itself",
  });
}

/** Replaces "//" and "/./" by "/", before and after the path of a root. Keeps "..", which may follow a link. */
const withoutEmptyNames = (path: string): string => path.replaceAll(/\/(?:\.?\/)+/g, "/");

function checkSpelling(untrusted: string): void {
  if (untrusted === "") throw new Fault("invalid_input", 'Cannot use an empty path: use "." for the root itself');
  if (untrusted.trim() === "")
    throw new Fault("invalid_input", 'Cannot use a path of only spaces: write "./ " for a file that is named so');
  if (untrusted.includes("\0")) throw new Fault("invalid_input", "Cannot use the path: it holds a NUL character");
  if (LONE_SURROGATE.test(untrusted))
    throw new Fault("invalid_input", "Cannot use the path: it holds half a character");
  if (Buffer.byteLength(untrusted) <= LIMITS.pathBytes) return;
  throw new Fault("invalid_input", `Cannot use the path: it is longer than ${LIMITS.pathBytes} bytes`);
}

/** Matches half of a surrogate pair. No file name can hold one; the system would silently look for another name. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Looks on the disk and in the storages with a name. "//scratch/a" begins with such a name; "/scratch/a" means the same
 * where no directory holds it, since many programs drop a slash.
 */
function absolutePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  const path = withoutEmptyNames(untrusted);
  const named = roots.filter(({ real }) => isInNamedStorage(real));
  if (named.length === 0) return innermostPlaces(roots, path);
  const onDisk = innermostPlaces(
    roots.filter((root) => !named.includes(root)),
    path,
  );
  const inStorage = innermostPlaces(named, `/${path}`);
  const [first, second] = isInNamedStorage(untrusted) ? [inStorage, onDisk] : [onDisk, inStorage];
  return first.length > 0 ? first : second;
}

/** Picks the innermost root. A path that climbs out of it may still be inside a root around it. */
function innermostPlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  let innermost = 0;
  let places: readonly SafePath[] = [];
  for (const { given, real } of roots) {
    const spelled = isWithin(untrusted, real) ? real : given;
    if (spelled.length <= innermost || !isWithin(untrusted, spelled)) continue;
    const found = toSafePath(real, relativePath(spelled, untrusted));
    if (found === undefined) continue;
    innermost = spelled.length;
    places = [found];
  }
  return places;
}

function relativePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  const places = roots.map(({ real }) => toSafePath(real, untrusted)).filter((found) => found !== undefined);
  return roots.length === 1 ? places : [...new Set(places)];
}

/** Makes a SafePath. This is the only place that makes one from an outside string. */
function toSafePath(root: string, untrusted: string): SafePath | undefined {
  if (!HAS_DOTS.test(untrusted)) return childOf(root, untrusted) as SafePath;
  const segments = pathSegments(untrusted);
  if (climbsOut(segments)) return undefined;
  return (segments.length === 0 ? root : childOf(root, segments.join("/"))) as SafePath;
}

/** Matches an empty segment, "." or "..". Nearly every path has none and can be used as it is. */
const HAS_DOTS = /(?:^|\/)\.{0,2}(?:\/|$)/;

function climbsOut(segments: readonly string[]): boolean {
  let depth = 0;
  return segments.some((segment) => {
    if (segment !== ".") depth += segment === ".." ? -1 : 1;
    return depth < 0;
  });
}

function outsideFault(roots: readonly RootName[], untrusted: string): Fault {
  const allowed = roots.map(({ given }) => given);
  const where = allowed.map((root) => JSON.stringify(root)).join(", ");
  return new Fault("outside_workspace", `Cannot use ${JSON.stringify(untrusted)}: it is not inside ${where}`, {
    path: untrusted,
    roots: allowed,
  });
}
