import { isAbsolute } from "node:path";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, isWithin, relativePath } from "../base/paths.ts";
import { pathSegments } from "../storage/resolve.ts";
import type { SafePath } from "../storage/storage.ts";

/** A root by the name the operator gave it and by its real place; a caller may spell either. */
export interface RootName {
  readonly given: string;
  readonly real: string;
}

/**
 * Turns an untrusted string into the places it may mean, best first: one for an absolute path, one per root for a
 * relative one. Purely by spelling, taken literally: storage/resolve.ts does the rest.
 */
export function confine(roots: readonly RootName[], untrusted: string): readonly [SafePath, ...SafePath[]] {
  const path = FILE_URI.test(untrusted) ? pathOfUri(untrusted) : untrusted;
  checkSpelling(path);
  const places = isAbsolute(path) ? absolutePlaces(roots, withoutEmptyNames(path)) : relativePlaces(roots, path);
  const [first, ...others] = places;
  if (first === undefined) throw outside(roots, untrusted);
  return [first, ...others];
}

/** Matches what precedes the host or the path: RFC 8089 also allows "file:/path", without a host. */
const FILE_URI = /^file:(?:\/\/|(?=\/))/i;

/** The absolute path that a file URI says. What follows a "?" or "#" belongs to it: nobody asks a file a question. */
function pathOfUri(uri: string): string {
  const path = uri.replace(FILE_URI, "").replace(/^localhost(?=\/)/i, "");
  try {
    if (path.startsWith("/")) return decodeURIComponent(path);
  } catch {
    // A "%" that begins no code of a character.
  }
  throw new Fault("invalid_input", `Cannot use ${JSON.stringify(uri)}: it is not the URI of a file on this machine`, {
    path: uri,
    hint: "Give the path itself",
  });
}

/** "//" and "/./" mean "/", before and after the name of a root; "..", which may pass a link, stays. */
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

/** No file name can hold one; the system would quietly look for another name. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** In the innermost root; a path that climbs out of it may still stay in one around it. */
function absolutePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  let innermost = 0;
  let places: readonly SafePath[] = [];
  for (const { given, real } of roots) {
    const spelled = isWithin(untrusted, real) ? real : given;
    if (spelled.length <= innermost || !isWithin(untrusted, spelled)) continue;
    const found = place(real, relativePath(spelled, untrusted));
    if (found === undefined) continue;
    innermost = spelled.length;
    places = [found];
  }
  return places;
}

function relativePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  const places = roots.map(({ real }) => place(real, untrusted)).filter((found) => found !== undefined);
  return roots.length === 1 ? places : [...new Set(places)];
}

/** The one place where a SafePath is made from a string that came from outside. */
function place(root: string, untrusted: string): SafePath | undefined {
  if (!HAS_DOTS.test(untrusted)) return childOf(root, untrusted) as SafePath;
  const way = pathSegments(untrusted);
  if (climbsOut(way)) return undefined;
  return (way.length === 0 ? root : childOf(root, way.join("/"))) as SafePath;
}

/** An empty segment, "." or "..". Nearly every path has none, and is already spelled as it should be. */
const HAS_DOTS = /(?:^|\/)\.{0,2}(?:\/|$)/;

function climbsOut(way: readonly string[]): boolean {
  let depth = 0;
  return way.some((segment) => {
    if (segment !== ".") depth += segment === ".." ? -1 : 1;
    return depth < 0;
  });
}

function outside(roots: readonly RootName[], untrusted: string): Fault {
  const allowed = roots.map(({ given }) => given);
  const where = allowed.map((root) => JSON.stringify(root)).join(", ");
  return new Fault("outside_workspace", `Cannot use ${JSON.stringify(untrusted)}: it is not inside ${where}`, {
    path: untrusted,
    roots: allowed,
  });
}
