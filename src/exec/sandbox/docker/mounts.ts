import { lstatSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { childOf, isWithin, parentOf, relativePath } from "../../../base/paths.ts";
import { isReadOnly as isMountedReadOnly, type ListedMount } from "../mountinfo.ts";
import type { BoundRoot, Bounds } from "../sandbox.ts";
import { type SharedDirectory, toContainerPath } from "./container-paths.ts";
import { checkShareable } from "./shareable.ts";

/** A place in a container that shows something of this machine, or an empty directory that hides it. */
export interface PlannedMount {
  readonly target: string;
  /** Is undefined for an empty directory. */
  readonly source?: string | undefined;
  readonly isReadOnly: boolean;
  /** The shared directory that the source is in, where a running command could replace it. */
  readonly inside?: SharedDirectory | undefined;
}

export interface MountPlan {
  readonly shared: readonly SharedDirectory[];
  readonly mounts: readonly PlannedMount[];
  /** Lists closed places that do not exist: a directory must be there for something to be mounted on it. */
  readonly missing: readonly string[];
}

export interface MountOptions {
  /** Says where containers show roots that they do not show at their own path. */
  readonly shownAt: readonly SharedDirectory[];
  /** Lists places of ours, which are never shared and always masked. */
  readonly closed: readonly string[];
  /** Lists further real paths to mask. */
  readonly masked: readonly string[];
}

/** Plans what a container sees of this machine. */
export function planMounts(bounds: Bounds, { shownAt, closed, masked }: MountOptions): MountPlan {
  const roots = bounds.roots.filter(({ access }) => access !== "none");
  for (const { path } of roots) checkShareable(path, closed);
  for (const { directory } of bounds.caches) checkShareable(directory, []);
  const shared = roots.map(({ path }) => ({ host: path, container: toContainerPath(shownAt, path) ?? path }));
  const hidden = outermost([...bounds.masked, ...masked, ...hiddenRoots(bounds.roots)]);
  const kept = outermost(bounds.readOnly).filter((path) => !hidden.some((above) => isWithin(path, above)));
  const closedPlaces = [
    ...hidden.flatMap((path) => closedPlace(path, roots, shared, "hidden")),
    ...kept.flatMap((path) => closedPlace(path, roots, shared, "read-only")),
  ];
  return {
    shared,
    mounts: [
      ...roots.map(({ path, access }, nth) => ({
        target: shared[nth]?.container ?? path,
        source: path,
        isReadOnly: access === "ro",
      })),
      ...bounds.caches.map(({ path, directory }) => ({ target: path, source: directory, isReadOnly: false })),
      ...distinctTargets(closedPlaces.flatMap(({ pinned }) => pinned)),
      ...closedPlaces.map(({ mount }) => mount),
    ],
    missing: closedPlaces.flatMap(({ missing }) => missing),
  };
}

const hiddenRoots = (roots: readonly BoundRoot[]): readonly string[] =>
  roots.filter(({ access }) => access === "none").map(({ path }) => path);

/** Drops paths below another one of the list. */
const outermost = (paths: readonly string[]): readonly string[] => {
  const distinct = [...new Set(paths)];
  return distinct.filter((path) => !distinct.some((other) => other !== path && isWithin(path, other)));
};

const distinctTargets = (mounts: readonly PlannedMount[]): readonly PlannedMount[] => [
  ...new Map(mounts.map((mount) => [mount.target, mount])).values(),
];

interface ClosedPlace {
  readonly mount: PlannedMount;
  /** Mounts the directories above it on themselves. Else they could be moved away with it, and be made anew. */
  readonly pinned: readonly PlannedMount[];
  readonly missing: readonly string[];
}

/** Closes a place inside a root; others are not seen at all. In a read-only root nothing can come into being. */
function closedPlace(
  path: string,
  roots: readonly BoundRoot[],
  shared: readonly SharedDirectory[],
  how: "hidden" | "read-only",
): readonly ClosedPlace[] {
  const target = toContainerPath(shared, path);
  const nth = innermostOf(shared, path);
  const [inside, root] = [shared[nth], roots[nth]];
  if (target === null || !inside || !root) return [];
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats && root.access === "ro") return [];
  if (stats?.isSymbolicLink())
    throw new Fault("swapped", `Cannot close ${JSON.stringify(path)}: it is a link now`, { path });
  const others = { pinned: root.access === "ro" ? [] : pinnedAbove(path, inside), missing: stats ? [] : [path] };
  if (how === "read-only") return [{ mount: { target, source: path, isReadOnly: true, inside }, ...others }];
  const isFile = stats !== undefined && !stats.isDirectory();
  return [{ mount: { target, isReadOnly: true, ...(isFile && { source: "/dev/null" }) }, ...others }];
}

function pinnedAbove(path: string, inside: SharedDirectory): readonly PlannedMount[] {
  const above = parentOf(path);
  const target = toContainerPath([inside], above);
  if (above === inside.host || target === null) return [];
  return [...pinnedAbove(above, inside), { target, source: above, isReadOnly: false, inside }];
}

const innermostOf = (shared: readonly SharedDirectory[], path: string): number =>
  shared.reduce((best, { host }, nth) => {
    if (!isWithin(path, host)) return best;
    return host.length > (shared[best]?.host.length ?? -1) ? nth : best;
  }, -1);

/** Recognises a mount that hides what is there. */
export const isEmpty = ({ source }: PlannedMount): boolean => source === undefined;

/** Returns mounts in the form that the engine takes. Below a read-only directory, other disks are not shown. */
export const mountBody = ({ target, source, isReadOnly }: PlannedMount): object =>
  source === undefined
    ? { Type: "tmpfs", Target: target, ReadOnly: true, TmpfsOptions: { SizeBytes: 4096, Mode: EMPTY_MODE } }
    : {
        Type: "bind",
        Source: source,
        Target: target,
        ReadOnly: isReadOnly,
        BindOptions: { Propagation: "rprivate", NonRecursive: isReadOnly },
      };

/** Lets nobody list or enter it. Engines take 0 as the default. */
const EMPTY_MODE = 0o100;

/** The options of the same in Podman. */
export const EMPTY_IN_PODMAN = `ro,size=4096,mode=0${EMPTY_MODE.toString(8)},notmpcopyup`;

/**
 * Throws unless the kernel shows exactly what was planned: a command of another container may have replaced a directory
 * by a link after we looked, and the engine follows links with the rights of root.
 */
export function checkMounted(plan: MountPlan, mounted: readonly ListedMount[]): void {
  const at = new Map(mounted.map((mount) => [mount.path, mount]));
  const isAsPlanned = ({ target, source, isReadOnly, inside }: PlannedMount): boolean => {
    const found = at.get(target);
    if (!found || (isReadOnly && !isMountedReadOnly(found))) return false;
    if (!inside || source === undefined) return true;
    const root = at.get(inside.container);
    const expected = root && childOf(root.source, relativePath(inside.host, source));
    return found.device === root?.device && found.source === expected;
  };
  if (plan.mounts.every(isAsPlanned)) return;
  throw new Fault("swapped", "Cannot start a container: what it should see was replaced meanwhile");
}

/** Returns what the kernel said about planned mounts. It changes when a directory is moved, or a masked file replaced. */
export const mountState = (plan: MountPlan, mounted: readonly ListedMount[]): string =>
  JSON.stringify(mounted.filter(({ path }) => plan.mounts.some(({ target }) => target === path)));
