import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { childOf, isWithin, nameIn, parentOf } from "../../base/paths.ts";
import { HOME_SECRETS, SYSTEM_PLACES, SYSTEM_SECRETS } from "./credentials.ts";
import { heldPlaceholder, type Placeholder } from "./placeholders.ts";
import type { Bounds, SandboxOptions } from "./sandbox.ts";

/** One thing that a command finds in its own tree of files, on top of those before it. */
export type Mount =
  | { readonly kind: "bind"; readonly path: string; readonly source: string; readonly access: "ro" | "rw" }
  | { readonly kind: "link"; readonly path: string; readonly target: string }
  /** An empty directory that cannot be written to. */
  | { readonly kind: "empty"; readonly path: string }
  /** An empty directory in memory, private to the command. */
  | { readonly kind: "scratch"; readonly path: string }
  /** A file that cannot be opened. */
  | { readonly kind: "closed"; readonly path: string }
  /** A file that is empty: programs read their credentials without a complaint, and find none. */
  | { readonly kind: "blank"; readonly path: string }
  | Placeholder;

/** Bounds each directory in memory that a command can write to, such as its private /tmp. */
export const SCRATCH_BYTES = 2 * 1024 ** 3;

/**
 * Lists what a command sees: the system and the home for reading, private places, the roots, and covers over what is
 * hidden. Parents come before what is in them, so that the most specific statement about a path decides.
 */
export function mountsOf(bounds: Bounds, { home, closed }: Pick<SandboxOptions, "home" | "closed">): readonly Mount[] {
  const secrets = [...SYSTEM_SECRETS, ...HOME_SECRETS.map((name) => childOf(home, name))];
  const hidden = [...secrets, ...closed, ...bounds.masked];
  const readable = bounds.readable?.filter((path) => !hidden.some((each) => isWithin(path, each))) ?? [];
  const visible = inOrder([
    ...SYSTEM_PLACES.flatMap(systemMount),
    ...resolverMount(bounds),
    ...(kindOf(home) === "directory" ? [bind(home, "ro")] : []),
    { kind: "scratch", path: "/tmp" },
    { kind: "link", path: "/var/tmp", target: "/tmp" },
    { kind: "link", path: "/var/run", target: "/run" },
    ...readable.map((path) => bind(path, "ro")),
    ...bounds.roots.map(({ path, access }): Mount =>
      access === "none" ? { kind: "empty", path } : bind(path, access),
    ),
    ...bounds.caches.map(({ path, directory }): Mount => ({ ...bind(path, "rw"), source: directory })),
  ]);
  const reachable = withMountPoints(visible);
  const covers = [
    ...secrets.flatMap((path) => coverOf(path, reachable, bounds, "blank")),
    ...[...closed, ...bounds.masked].flatMap((path) => coverOf(path, reachable, bounds, "closed")),
    ...bounds.readOnly.flatMap((path) => coverOf(path, reachable, bounds, "readOnly")),
  ];
  return inOrder([...covers.flatMap((cover) => pinsOf(cover, reachable, bounds)), ...reachable, ...covers]);
}

const bind = (path: string, access: "ro" | "rw") => ({ kind: "bind", path, source: path, access }) as const;

function systemMount(path: string): readonly Mount[] {
  const kind = kindOf(path);
  if (kind === "link") return [{ kind: "link", path, target: readlinkSync(path) }];
  return kind === "directory" ? [bind(path, "ro")] : [];
}

/** Shows the addresses of name servers to a command with a network: the usual file is a link to a hidden place. */
function resolverMount({ network }: Bounds): readonly Mount[] {
  if (network !== "on") return [];
  const real = realPath("/etc/resolv.conf");
  return real === undefined || real.startsWith("/etc/") ? [] : [bind(real, "ro")];
}

/** Sorts parents before children; of two mounts at one path the later stays. */
function inOrder(mounts: readonly Mount[]): readonly Mount[] {
  const byPath = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Replaces a directory that is only read by an empty one with its entries bound into it, where something is mounted in
 * it at a name that it does not have: the name cannot be made in a directory that is only read.
 */
function withMountPoints(mounts: readonly Mount[]): readonly Mount[] {
  const missing = mounts.find((mount) => missingParentOf(mount, mounts) !== undefined);
  const parent = missing && missingParentOf(missing, mounts);
  if (parent === undefined) return mounts;
  const entries = readdirSync(parent).map((name) => childOf(parent, name));
  const rebound = entries.flatMap((path): readonly Mount[] => {
    const kind = kindOf(path);
    if (kind === "link") return [{ kind: "link", path, target: readlinkSync(path) }];
    return kind === undefined ? [] : [bind(path, "ro")];
  });
  return withMountPoints(
    inOrder([{ kind: "empty", path: parent }, ...rebound, ...mounts.filter(({ path }) => path !== parent)]),
  );
}

/** Returns the existing directory in which a mount point would have to be made, where that can only be read. */
function missingParentOf(mount: Mount, mounts: readonly Mount[]): string | undefined {
  const under = mountAt(parentOf(mount.path), mounts);
  if (under?.kind !== "bind" || isWritable(under) || mount.path === "/") return undefined;
  const missing = topmostMissing(mount.path);
  return missing === undefined ? undefined : parentOf(missing);
}

/** Says how a path is covered: as an empty file, as one that cannot be opened, or as one that can only be read. */
type CoverKind = "blank" | "closed" | "readOnly";

/** Covers one path, as far as the command could reach it. */
function coverOf(path: string, visible: readonly Mount[], bounds: Bounds, how: CoverKind): readonly Mount[] {
  const isMissing = kindOf(path) === undefined || heldPlaceholder(path) !== undefined;
  if (isMissing && !isWritable(mountAt(path, visible))) return [];
  const real = realPath(path) ?? childOf(realPath(parentOf(path)) ?? parentOf(path), nameIn(path));
  const mount = mountAt(real, visible);
  if (mount?.kind !== "bind" || mount.source !== mount.path) return [];
  if (isMissing) return placeholder(real, mount, bounds, how);
  if (how === "readOnly") return isWritable(mount) ? [bind(real, "ro")] : [];
  return [{ kind: kindOf(real) === "directory" ? "empty" : how, path: real }];
}

/** A control file of git stays a file, as git expects. Elsewhere it is a directory, which git never takes for work. */
function placeholder(path: string, mount: Mount, bounds: Bounds, how: CoverKind): readonly Mount[] {
  const missing = heldPlaceholder(path) ?? topmostMissing(path);
  if (missing === undefined || !isLive(mount, bounds)) return [];
  return [{ kind: "placeholder", path: missing, isDirectory: missing !== path || how !== "readOnly" }];
}

/**
 * Mounts the directories above a cover on themselves: a mount point cannot be renamed. Otherwise a command could move
 * the directory away, cover and all, and make another one in its place.
 */
function pinsOf({ path }: Mount, visible: readonly Mount[], bounds: Bounds): readonly Mount[] {
  const mount = mountAt(path, visible);
  if (!isLive(mount, bounds)) return [];
  const pins: Mount[] = [];
  for (let above = parentOf(path); above !== mount?.path && above !== "/"; above = parentOf(above))
    pins.push(bind(above, "rw"));
  return pins;
}

/** Tells whether what a command writes to a mount reaches the disk before it is judged. */
const isLive = (mount: Mount | undefined, { view }: Bounds): boolean =>
  isWritable(mount) && !(view?.layers.some(({ root }) => root === mount?.path) ?? false);

const isWritable = (mount: Mount | undefined): boolean => mount?.kind === "bind" && mount.access === "rw";

/** Returns the mount whose files are seen at a path: the one there, or the closest above it. */
export const mountAt = (path: string, mounts: readonly Mount[]): Mount | undefined =>
  mounts.findLast((mount) => isWithin(path, mount.path));

function topmostMissing(path: string): string | undefined {
  if (kindOf(path) !== undefined) return undefined;
  return (path === "/" ? undefined : topmostMissing(parentOf(path))) ?? path;
}

function kindOf(path: string): "directory" | "link" | "file" | undefined {
  const stats = statsOf(path);
  if (!stats) return undefined;
  if (stats.isDirectory()) return "directory";
  return stats.isSymbolicLink() ? "link" : "file";
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** Recognises a path that cannot be resolved: where we cannot, the command cannot. */
const isOutOfReach = (error: unknown): boolean =>
  ["ENOENT", "EACCES", "ENOTDIR", "ELOOP"].includes(errnoOf(error) ?? "");
