import { isAbsolute } from "node:path";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, isWithin, wayFrom } from "../base/paths.ts";
import { waySegments } from "../storage/resolve.ts";
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
  checkSpelling(untrusted);
  const places = isAbsolute(untrusted) ? absolutePlaces(roots, untrusted) : relativePlaces(roots, untrusted);
  const [first, ...others] = places;
  if (first === undefined) throw outside(roots, untrusted);
  return [first, ...others];
}

function checkSpelling(untrusted: string): void {
  if (untrusted === "") throw new Fault("invalid_input", 'Cannot use an empty path: use "." for the root itself');
  if (untrusted.includes("\0")) throw new Fault("invalid_input", "Cannot use the path: it holds a NUL character");
  if (LONE_SURROGATE.test(untrusted))
    throw new Fault("invalid_input", "Cannot use the path: it holds half a character");
  if (Buffer.byteLength(untrusted) <= LIMITS.pathBytes) return;
  throw new Fault("invalid_input", `Cannot use the path: it is longer than ${LIMITS.pathBytes} bytes`);
}

/** No file name can hold one; the system would quietly look for another name. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Innermost root first; a path that climbs out of it may still stay in one around it. */
function absolutePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  const around: { readonly spelled: string; readonly real: string }[] = [];
  for (const { given, real } of roots) {
    if (isWithin(untrusted, real)) around.push({ spelled: real, real });
    else if (isWithin(untrusted, given)) around.push({ spelled: given, real });
  }
  const innermostFirst = around.length > 1 ? around.toSorted((a, b) => b.spelled.length - a.spelled.length) : around;
  return innermostFirst
    .flatMap(({ spelled, real }) => place(real, waySegments(wayFrom(spelled, untrusted))))
    .slice(0, 1);
}

function relativePlaces(roots: readonly RootName[], untrusted: string): readonly SafePath[] {
  const places = roots.flatMap(({ real }) => place(real, waySegments(untrusted)));
  return roots.length === 1 ? places : [...new Set(places)];
}

/** The one place where a SafePath is made from a string that came from outside. */
function place(root: string, way: readonly string[]): readonly SafePath[] {
  if (climbsOut(way)) return [];
  return [(way.length === 0 ? root : childOf(root, way.join("/"))) as SafePath];
}

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
