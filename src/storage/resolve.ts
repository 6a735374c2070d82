import { isAbsolute } from "node:path";
import { Fault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, isWithin, parentOf, relativePath } from "../base/paths.ts";
import type { Destination, LastLink, SafePath } from "./storage.ts";

/** The result of one step from a directory. `leaf` is everything that is neither directory nor link. */
export type ResolveStep<Handle> =
  | { readonly kind: "directory" | "leaf"; readonly handle: Handle }
  | { readonly kind: "link"; readonly handle: Handle; readonly target: string }
  | { readonly kind: "missing" };

/** Reads one name at a time for `resolve`, each step from an open handle, so that no link is followed unseen. */
export interface StepReader<Handle> {
  readonly roots: readonly string[];
  openRoot(root: string): Handle;
  /** `last` asks for the object itself, not only for a way through it. */
  step(from: Handle, name: string, last: boolean): ResolveStep<Handle>;
  close(handle: Handle): void;
}

/** The object that a path leads to. The caller closes the handle. */
export interface ResolvedEntry<Handle> {
  readonly path: SafePath;
  readonly kind: "directory" | "leaf" | "link";
  readonly handle: Handle;
  /** The target of a link that was not followed. */
  readonly target?: string;
}

/** Says where a path leads that does not exist. */
export interface Absent {
  readonly kind: "absent";
  /** The real path of the deepest directory on the way that exists. */
  readonly parent: SafePath;
  /** Lists the missing names below it, outermost first. */
  readonly names: readonly string[];
  /** Is true when a link leads there. */
  readonly isLinked: boolean;
}

/**
 * Resolves a path the way the kernel would, but step by step: links are expanded only while they stay inside the roots,
 * and ".." goes back along the open handles. Every storage with links shares this algorithm.
 */
export function resolve<Handle>(
  steps: StepReader<Handle>,
  path: SafePath,
  last: LastLink,
): ResolvedEntry<Handle> | Absent {
  const walk = startPathWalk(steps, path);
  try {
    while (walk.rest.length > 0) {
      const found = takeStep(walk, last);
      if (found !== undefined) return found;
    }
    return finishWalk(walk);
  } finally {
    for (const { handle } of walk.handles) steps.close(handle);
  }
}

interface PathWalk<Handle> {
  readonly steps: StepReader<Handle>;
  readonly requested: SafePath;
  root: string;
  /** Holds the open directories from the root to here; the first is the root itself. */
  handles: OpenDirectoryName<Handle>[];
  rest: string[];
  /** Counts the segments at the head of `rest` that come from a link. */
  linked: number;
  hops: number;
  /** Counts the steps so far, links included. */
  stepCount: number;
}

interface OpenDirectoryName<Handle> {
  readonly name: string;
  readonly handle: Handle;
}

function startPathWalk<Handle>(steps: StepReader<Handle>, requested: SafePath): PathWalk<Handle> {
  const start = innermostRoot(steps.roots, requested);
  if (!start) throw leadsOutside(requested);
  const { root, segments } = start;
  return {
    steps,
    requested,
    root,
    handles: [{ name: root, handle: steps.openRoot(root) }],
    rest: segments,
    linked: 0,
    hops: 0,
    stepCount: 0,
  };
}

/** Returns the destination for a path that does not exist: its real path, and the missing directories on the way. */
export function absentDestination({ parent, names }: Absent, path: SafePath): Destination {
  if (names.includes("..")) throw notFound(path, "a directory in it does not exist");
  const places = names.map((_, index) => names.slice(0, index + 1).reduce(childOf, parent) as SafePath);
  return { place: places.at(-1) as SafePath, facts: null, missing: places.slice(0, -1) };
}

/** Returns the entry; null where only the last name is missing. */
export function foundOrNull<Reached extends object>(found: Reached | Absent, path: SafePath): Reached | null {
  if (!isAbsent(found)) return found;
  const [name, ...below] = found.names;
  if (below.length === 0) return null;
  throw notFound(
    path,
    found.isLinked ? "a link in it leads to nothing" : `there is no directory ${JSON.stringify(name)}`,
  );
}

export const isAbsent = (found: object): found is Absent => "kind" in found && found.kind === "absent";

const notFound = (path: SafePath, state: string): Fault =>
  new Fault("not_found", `Cannot open ${JSON.stringify(path)}: ${state}`, { path });

/** Consumes one segment. Returns a result once the walk is over. */
function takeStep<Handle>(walk: PathWalk<Handle>, last: LastLink): ResolvedEntry<Handle> | Absent | undefined {
  if (++walk.stepCount > LIMITS.pathSteps) throw leadsOutside(walk.requested);
  const name = walk.rest.shift() as string;
  const fromLink = walk.linked > 0;
  if (fromLink) walk.linked--;
  if (name === ".") return undefined;
  if (name === "..") return stepBack(walk);
  const final = walk.rest.length === 0;
  const found = walk.steps.step(lastItem(walk.handles).handle, name, final);
  if (found.kind === "missing") return absentAt(walk, name, fromLink);
  if (found.kind === "directory") return void walk.handles.push({ name, handle: found.handle });
  if (found.kind === "link" && !(final && last === "keep")) return followLink(walk, found);
  if (final) return { ...found, path: realPathOf(walk, name) };
  walk.steps.close(found.handle);
  throw new Fault(
    "not_a_directory",
    `Cannot open ${JSON.stringify(walk.requested)}: ${JSON.stringify(name)} is a file`,
  );
}

function stepBack<Handle>(walk: PathWalk<Handle>): undefined {
  if (walk.handles.length === 1) return restartAt(walk, parentOf(walk.root));
  walk.steps.close((walk.handles.pop() as OpenDirectoryName<Handle>).handle);
}

/** Reports a missing name. Every directory on the way was inside the roots, so the missing name is inside, too. */
function absentAt<Handle>(walk: PathWalk<Handle>, name: string, isLinked: boolean): Absent {
  const names = [name, ...walk.rest].filter((segment) => segment !== ".");
  return { kind: "absent", parent: realPathOf(walk), names, isLinked };
}

function followLink<Handle>(walk: PathWalk<Handle>, link: { handle: Handle; target: string }): undefined {
  walk.steps.close(link.handle);
  if (++walk.hops > LIMITS.linkHops) throw leadsOutside(walk.requested);
  if (isAbsolute(link.target)) return restartAt(walk, link.target);
  const names = pathSegments(link.target);
  if (walk.rest.length + names.length > LIMITS.pathSegments) throw leadsOutside(walk.requested);
  walk.rest.unshift(...names);
  walk.linked += names.length;
}

/** Judges an absolute target, or one that climbs above its root, like a new path. */
function restartAt<Handle>(walk: PathWalk<Handle>, absolute: string): undefined {
  const own = walk.rest.length - walk.linked;
  const segments = [...pathSegments(absolute), ...walk.rest];
  const start = segments.length > LIMITS.pathSegments ? undefined : firstRootOnPath(walk.steps.roots, segments);
  if (!start) throw leadsOutside(walk.requested);
  for (const { handle } of walk.handles.splice(0)) walk.steps.close(handle);
  walk.handles.push({ name: start.root, handle: walk.steps.openRoot(start.root) });
  walk.root = start.root;
  walk.rest = start.segments;
  walk.linked = Math.max(0, start.segments.length - own);
}

/** Finds the first root on the way. Above the roots nothing is read: there ".." only removes a name. */
function firstRootOnPath(roots: readonly string[], segments: readonly string[]): RootMatch | undefined {
  let here = "/";
  for (let at = 0; ; at++) {
    if (roots.includes(here)) return { root: here, segments: segments.slice(at) };
    const segment = segments[at];
    if (segment === undefined) return undefined;
    if (segment === "..") here = parentOf(here);
    else if (segment !== ".") here = childOf(here, segment);
  }
}

interface RootMatch {
  readonly root: string;
  readonly segments: string[];
}

function finishWalk<Handle>(walk: PathWalk<Handle>): ResolvedEntry<Handle> {
  const path = realPathOf(walk);
  return { path, kind: "directory", handle: (walk.handles.pop() as OpenDirectoryName<Handle>).handle };
}

function realPathOf<Handle>({ root, handles }: PathWalk<Handle>, ...last: string[]): SafePath {
  const names = [...handles.slice(1).map(({ name }) => name), ...last];
  return names.reduce(childOf, root) as SafePath;
}

const lastItem = <T>(list: readonly T[]): T => list.at(-1) as T;

/** Returns the innermost root that contains a path, and the segments from it. */
export function innermostRoot(roots: readonly string[], path: string): RootMatch | undefined {
  const around = roots.filter((root) => isWithin(path, root));
  if (around.length === 0) return undefined;
  const root = around.reduce((best, next) => (next.length > best.length ? next : best));
  return { root, segments: pathSegments(relativePath(root, path)) };
}

/** Drops empty and "." segments, except at the end: there they ask for a directory. */
export function pathSegments(path: string): string[] {
  const segments = path.split("/");
  const wantsDirectory = segments.length > 1 && ["", "."].includes(segments.at(-1) as string);
  const names = segments.filter((segment) => segment !== "" && segment !== ".");
  return wantsDirectory && names.length > 0 ? [...names, "."] : names;
}

/** Says that a path escapes, without saying to where. */
const leadsOutside = (path: string): Fault =>
  new Fault("outside_workspace", `Cannot use ${JSON.stringify(path)}: it leads outside the roots`, { path });
