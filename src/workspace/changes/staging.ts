import { Fault } from "../../base/errors.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { childOf, parentOf } from "../../base/paths.ts";
import { OWN_NAMES } from "../../base/product.ts";
import type { Content, StorageWriter, ObjectName, Place, Staging } from "../../storage/writer.ts";
import { isPath } from "../../storage/place.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { StreamedTree } from "../../storage/streamed-tree.ts";
import type { OverlayNode, OverlayTree } from "./undo/overlay-tree.ts";
import type { Change, Expected, WriteContent } from "./change.ts";

/** Holds what a change needs besides the files it names. */
export interface StagedChange {
  /** The place of the staged content. */
  readonly temp?: Place | undefined;
  /** The backup of what the change replaces or removes. */
  readonly object: ObjectName;
  /** A hidden name beside a file that cannot be moved to its destination: it stays there until it is erased. */
  readonly hidden?: SafePath | undefined;
  /** The state of the source when it was copied. */
  readonly fingerprint?: string | undefined;
  readonly backup?: Backup | undefined;
  /** The directories that are left of a staged tree once its entries are in place. */
  readonly skeleton?: Place | undefined;
  /**
   * Lists sources that are checked before the first change of the set: that change moves them, so their fingerprint is
   * `CHECKED` from then on.
   */
  readonly sources?: readonly Source[] | undefined;
}

/** Describes a copied place and its state at that time. */
interface Source {
  readonly place: Place;
  readonly fingerprint: string;
}

/** Replaces the fingerprint of a source that an earlier change moves: on another disk it gets another inode. */
export const CHECKED = "checked before the first change";

/**
 * Describes the backup of a replaced file whose store is on another disk: it is copied there in advance, and the file
 * is renamed to a hidden name on its own disk until the commit, so that the rollback is a rename too.
 */
interface Backup {
  /** Is undefined for a mounted file, which cannot be renamed: it is written in place. */
  readonly hidden: SafePath | undefined;
  /** The state of the file when it was copied. */
  readonly fingerprint: string;
}

/** A change with its places chosen, before anything is created. */
export interface StagingPlan extends Omit<StagedChange, "fingerprint" | "backup" | "sources" | "skeleton"> {
  /** The staged tree that `temp` is part of. Only the first change that takes something from it has its content. */
  readonly treePlace?: Place | undefined;
  readonly replaced?:
    | { readonly from: Place; readonly hidden: SafePath | undefined; readonly isMoved?: boolean }
    | undefined;
  /** Is true when an earlier change of the set moves the source. */
  readonly isMoved?: boolean | undefined;
  readonly content?: Content | undefined;
  readonly staging?: Staging | undefined;
  readonly appended?: Uint8Array | undefined;
  /** Names what a command left on a view, before it is copied or moved. */
  readonly adopted?: ObjectName | undefined;
  /** Limits a copy to its first bytes. */
  readonly size?: number | undefined;
}

/** Describes the tree while a change set is staged: the changes before this one are planned, not made. */
interface StagingContext {
  readonly writer: StorageWriter;
  readonly tree: OverlayTree<true>;
  readonly mounted: MountPoints;
  /** Holds the places of the trees that changes before this one stage. */
  readonly streamed: Map<StreamedTree, Place>;
}

/** Adds what a change will find at its target: something on the disk, or what an earlier change puts there. */
interface TargetContext extends StagingContext {
  readonly target: SafePath;
  readonly there: OverlayNode<true> | null;
}

/** Chooses unique names for what is created beside the files; for a mounted file, in the store. */
export function planStaging(context: StagingContext, change: Change, name: string): StagingPlan {
  const { writer, mounted } = context;
  const tempName = OWN_NAMES + name;
  const path = targetOf(change);
  requireUnmounted(change, mounted);
  const inPlace = mounted.has(path) ? newContentOf(change) : undefined;
  if (inPlace) return { ...inPlace, ...placesInStore(writer, path, name), staging: {} };
  const there = context.tree.at(path);
  const plan = planTemporaryFiles({ ...context, target: path, there }, change, tempName, name);
  const isReplacing = plan.temp !== undefined || MOVING.includes(change.kind);
  if (!isReplacing || change.kind === "remove") return plan;
  if (there?.origin === undefined || !isOccupied(writer, there.origin, expectedAtTarget(change))) return plan;
  // The new content is on the disk of the target already.
  if (writer.isSameDisk(plan.treePlace ?? plan.temp ?? siblingPathOf(context, path), plan.object)) return plan;
  requireUnaltered(there, path);
  const hidden = childOf(parentOf(path) as SafePath, `${tempName}-aside`);
  return { ...plan, replaced: { from: there.origin, hidden, isMoved: there.isMoved } };
}

/** Lists the changes that move something to their target without staging it. */
const MOVING: readonly Change["kind"][] = ["move", "restore", "adopt"];

/** Holds paths that are mount points. */
export type MountPoints = ReadonlySet<SafePath>;

/** Refuses to move, delete or replace a mount point. */
export function requireUnmounted(change: Change, mounted: MountPoints): void {
  if (change.kind !== "remove" && change.kind !== "move") return;
  if (mounted.has(change.path)) throw mountedFault(change.path, change.kind === "move" ? "move" : "delete");
  if (change.kind === "move" && mounted.has(change.to)) throw mountedFault(change.to, "replace");
}

/** Says that a path is a mount point, and what the caller can do instead. */
export const mountedFault = (path: SafePath, doing: string): Fault =>
  new Fault("no_permission", `Cannot ${doing} ${JSON.stringify(path)}: it is a mount point`, {
    path,
    hint: "Change the content of a mounted file with write or edit; only the user can unmount it",
  });

/**
 * Puts the new content and a copy of the old one into the store: the directory of a mounted file may not be writable.
 */
const placesInStore = (
  writer: StorageWriter,
  path: SafePath,
  name: string,
): Pick<StagingPlan, "object" | "temp" | "replaced"> => ({
  object: writer.objectFor(path, "objects", name),
  temp: writer.objectFor(path, "objects", `${name}-new`),
  replaced: { from: path, hidden: undefined },
});

/** Returns undefined for a change without new content. */
function newContentOf(change: Change): Pick<StagingPlan, "content" | "size" | "appended" | "adopted"> | undefined {
  switch (change.kind) {
    case "write":
      return { content: contentOf(change.content, change.path), size: sizeOf(change.content) };
    case "append":
      return { content: { copyOf: change.path }, appended: change.bytes };
    case "copy":
      return { content: { copyOf: change.path } };
    case "restore":
      return { content: { copyOf: change.object } };
    case "adopt":
      return { content: { copyOf: change.object }, adopted: change.object };
    case "unpack":
      return { content: { streamed: change.tree } };
    case "move":
    case "remove":
    case "mkdir":
    case "chmod":
      return undefined;
  }
}

/** Checks that something is at a place. Trusts the precondition: the commit verifies it. */
const isOccupied = (writer: StorageWriter, place: Place, expected: Expected): boolean =>
  expected === undefined ? writer.stat(place) !== null : expected !== null;

/**
 * Refuses to copy a tree to another disk that the same set alters: it is copied in advance, so the alterations would be
 * missing.
 */
function requireUnaltered(there: OverlayNode<true> | null, place: Place): void {
  if (!there?.made && !there?.children.size) return;
  throw new Fault("conflict", `Cannot change ${JSON.stringify(place)} and move it to another disk in the same call`, {
    ...(isPath(place) && { path: place }),
    hint: "Nothing was changed: do it in several calls; undo one change at a time, newest first, or one path of it",
  });
}

function expectedAtTarget(change: Change): Expected {
  if ("replaces" in change) return change.replaces;
  return "expect" in change ? change.expect : undefined;
}

/** Lists all places that a plan creates. */
export const newPlaces = ({ temp, treePlace, content, replaced, object }: StagingPlan): readonly Place[] => [
  ...(treePlace !== undefined && content ? [treePlace] : []),
  ...(treePlace !== undefined || temp === undefined ? [] : [temp]),
  ...(replaced ? [object] : []),
];

function planTemporaryFiles(context: TargetContext, change: Change, tempName: string, name: string): StagingPlan {
  const { writer, target } = context;
  const object = objectToReturnTo(change) ?? writer.objectFor(target, folderOf(change), name);
  const temp = (path: SafePath): SafePath => childOf(stableParentOf(context, path), tempName);
  const hidden = (path: SafePath): SafePath => childOf(parentOf(path) as SafePath, `${tempName}-old`);
  const copied = (place: Place): Pick<StagingPlan, "content" | "staging" | "isMoved"> => {
    const source = context.tree.at(place);
    requireUnaltered(source, place);
    return {
      content: { copyOf: source?.origin ?? place },
      staging: { keepTimes: true },
      isMoved: source?.isMoved === true,
    };
  };
  switch (change.kind) {
    case "write":
      return { object, temp: temp(change.path), ...planWrite(context, change) };
    case "append":
      return isAppendedTo(context)
        ? { object }
        : { object, temp: temp(change.path), ...copied(change.path), appended: change.bytes };
    case "copy": {
      // A copy may take long, and its directory may move meanwhile: the store is the safer place.
      const inStore = writer.objectFor(change.to, "objects", `${name}-new`);
      const made = writer.isSameDisk(siblingPathOf(context, change.to), inStore) ? inStore : temp(change.to);
      return { object, temp: made, ...copied(change.path), staging: {} };
    }
    case "move":
      if (parentOf(change.path) === parentOf(change.to)) return { object };
      if (writer.isSameDisk(siblingPathOf(context, change.path), siblingPathOf(context, change.to))) return { object };
      return { object, temp: temp(change.to), ...copied(change.path), hidden: hidden(change.path) };
    case "restore":
      if (writer.isSameDisk(change.object, siblingPathOf(context, change.path))) return { object };
      return { object, temp: temp(change.path), ...copied(change.object) };
    case "adopt": {
      const adopted = change.object;
      if (writer.isSameDisk(adopted, siblingPathOf(context, change.path))) return { object, adopted };
      return { object, temp: temp(change.path), ...copied(adopted), adopted };
    }
    case "unpack":
      return {
        object,
        ...planUnpack(context, change, { temp, inStore: writer.objectFor(change.path, "objects", `${name}-new`) }),
      };
    case "remove":
      if (change.into === "nowhere") return { object, hidden: hidden(change.path) };
      if (writer.isSameDisk(siblingPathOf(context, change.path), object)) return { object };
      return { object, temp: object, ...copied(change.path), hidden: hidden(change.path) };
    case "mkdir":
    case "chmod":
      return { object };
  }
}

interface UnpackPlaces {
  readonly temp: (path: SafePath) => SafePath;
  readonly inStore: ObjectName;
}

/** Stages a whole tree for the first change that takes something from it. Copies what goes to another disk. */
function planUnpack(
  context: TargetContext,
  { path, tree, entry, replaces }: Extract<Change, { kind: "unpack" }>,
  { temp, inStore }: UnpackPlaces,
): Omit<StagingPlan, "object"> {
  const { writer, there, streamed } = context;
  const isOnDisk = (place: Place): boolean => writer.isSameDisk(siblingPathOf(context, path), place);
  const known = streamed.get(tree);
  const treePlace = known ?? (isOnDisk(inStore) ? inStore : temp(path));
  streamed.set(tree, treePlace);
  const made = entry === "" ? treePlace : childOf(treePlace, entry);
  const like = entry === "" && typeof replaces === "string" ? there?.origin : undefined;
  if (known === undefined) return { temp: made, treePlace, content: { streamed: tree }, staging: { like } };
  if (isOnDisk(treePlace)) return { temp: made, treePlace };
  return { temp: temp(path), content: { copyOf: made }, staging: { keepTimes: true } };
}

/** Returns a size when only the start of the file is wanted. */
const sizeOf = (content: WriteContent): number | undefined =>
  typeof content === "object" && "size" in content ? content.size : undefined;

/** Takes over the attributes of the file that is replaced, which an earlier change may still have to move. */
function planWrite(
  { writer, there }: TargetContext,
  { path, content, mode, expect }: Extract<Change, { kind: "write" }>,
): Pick<StagingPlan, "content" | "staging" | "size" | "isMoved"> {
  const { origin, isMoved = false } = there ?? {};
  const isFile = (place: Place): boolean =>
    expect === undefined ? writer.stat(place)?.kind === "file" : expect !== null;
  const like = origin !== undefined && isFile(origin) ? origin : undefined;
  const size = sizeOf(content);
  const staging = { like, mode };
  return {
    content: contentOf(content, origin ?? path),
    staging,
    size,
    isMoved: size !== undefined && isMoved,
  };
}

/** Checks that bytes can be appended in place: the file has one name, or an earlier change of the set makes it. */
function isAppendedTo({ writer, there }: TargetContext): boolean {
  return there?.origin === undefined || there.made === true || writer.stat(there.origin)?.links === 1;
}

function contentOf(content: WriteContent, itself: Place): Content {
  if (typeof content === "string") return { copyOf: content };
  return content instanceof Uint8Array ? { bytes: content } : { copyOf: itself };
}

const targetOf = (change: Change): SafePath =>
  change.kind === "move" || change.kind === "copy" ? change.to : change.path;

/** Returns the object that a file was restored from and goes back to. */
function objectToReturnTo(change: Change): ObjectName | undefined {
  const into = change.kind === "remove" ? change.into : undefined;
  return into === "trash" || into === "history" || into === "nowhere" ? undefined : into;
}

const folderOf = (change: Change): "objects" | "trash" =>
  change.kind === "remove" && change.into === "trash" ? "trash" : "objects";

/**
 * Returns the nearest directory above that exists now and still will: changes before this one create, move or
 * restore those between.
 */
function stableParentOf(context: StagingContext, path: SafePath): SafePath {
  const above = parentOf(path) as SafePath;
  const isStable = context.tree.at(above)?.isMoved === false && context.writer.hasParent(path);
  return above === path || isStable ? above : stableParentOf(context, above);
}

/** Returns some path on the disk that a path is or will be on. */
const siblingPathOf = (context: StagingContext, path: SafePath): SafePath =>
  childOf(stableParentOf(context, path), "new");

/** Creates the staged content and the backup. Does nothing when the plan has none. */
export async function stageChange(
  writer: StorageWriter,
  plan: StagingPlan,
  checkpoint: Checkpoint,
): Promise<StagedChange> {
  const { temp, content, staging, appended, object, hidden, adopted } = plan;
  if (adopted !== undefined) await writer.views?.prepare(adopted);
  const { backup, sources: replaced = [] } = await stageBackup(writer, plan, checkpoint);
  if (temp === undefined) return { object, hidden, backup, sources: replaced };
  if (content === undefined) return { temp, object, hidden, backup, sources: replaced };
  const source = "copyOf" in content ? content.copyOf : undefined;
  const fingerprint = source === undefined ? undefined : fingerprintOf(writer, source);
  const { like, mode, keepTimes } = staging ?? {};
  await writer.stage(plan.treePlace ?? temp, content, { like, mode, keepTimes, checkpoint });
  if (plan.size !== undefined) writer.truncate(temp as SafePath, plan.size);
  if (appended) writer.append(temp as SafePath, appended, writer.stat(temp)?.size ?? 0);
  if (!plan.isMoved || source === undefined || fingerprint === undefined)
    return { temp, object, hidden, fingerprint, backup, sources: replaced, ...skeletonOf(plan) };
  const sources = [...replaced, { place: source, fingerprint }];
  return { temp, object, hidden, fingerprint: CHECKED, backup, sources };
}

const skeletonOf = ({ temp, treePlace }: StagingPlan): Pick<StagedChange, "skeleton"> =>
  treePlace === temp ? {} : { skeleton: treePlace };

async function stageBackup(
  writer: StorageWriter,
  { replaced, object }: StagingPlan,
  checkpoint: Checkpoint,
): Promise<Pick<StagedChange, "backup" | "sources">> {
  if (!replaced) return {};
  const { from, hidden, isMoved: isMovedBefore } = replaced;
  const fingerprint = fingerprintOf(writer, from);
  await writer.stage(object, { copyOf: from }, { keepTimes: true, checkpoint });
  if (!isMovedBefore) return { backup: { hidden, fingerprint } };
  return { backup: { hidden, fingerprint: CHECKED }, sources: [{ place: from, fingerprint }] };
}

/** Throws when there is no fingerprint: without it, a change made meanwhile could be lost with the original. */
function fingerprintOf(writer: StorageWriter, place: Place): string {
  const fingerprint = writer.fingerprint(place, Infinity);
  if (fingerprint !== null) return fingerprint;
  throw new Fault("too_large", `Cannot copy ${JSON.stringify(place)}: it is gone, or its directories are too deep`);
}
