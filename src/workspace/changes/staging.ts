import { Fault } from "../../base/errors.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { childOf, parentOf } from "../../base/paths.ts";
import { OWN_NAMES } from "../../base/product.ts";
import type { Content, StorageWriter, ObjectName, Place, Staging } from "../../storage/writer.ts";
import { isPath } from "../../storage/place.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { OverlayTree } from "./undo/overlay-tree.ts";
import type { Change, Expected, WriteContent } from "./change.ts";

/** What a change needs besides the files it names. */
export interface StagedChange {
  /** Where the new content waits. */
  readonly temp?: Place | undefined;
  /** Where what the change replaces or removes is kept. */
  readonly object: ObjectName;
  /** Where something is put out of sight until it can be erased: it cannot be moved to where it should go. */
  readonly hidden?: SafePath | undefined;
  /** The state of what was copied. */
  readonly fingerprint?: string | undefined;
  readonly backup?: Backup | undefined;
  /** What must still be so before the first change of the set is made: that moves it, so it is `CHECKED` from then on. */
  readonly sources?: readonly Source[] | undefined;
}

/** Something that was copied, and its state then. */
interface Source {
  readonly place: Place;
  readonly fingerprint: string;
}

/** Stands for the state of what a change before this one moves: on another disk it becomes another inode. */
export const CHECKED = "checked before the first change";

/**
 * What is replaced, where its store is on another disk: it is copied there beforehand, and steps aside on its own disk
 * until all has happened, so that the way back is a rename as well.
 */
interface Backup {
  /** Absent for a mounted file, which cannot step aside: it is written in place. */
  readonly hidden: SafePath | undefined;
  /** The state of what was copied. */
  readonly fingerprint: string;
}

/** A change with its names chosen, before anything is made. */
export interface StagingPlan extends Omit<StagedChange, "fingerprint" | "backup" | "sources"> {
  readonly replaced?:
    | { readonly from: Place; readonly hidden: SafePath | undefined; readonly isMoved?: boolean }
    | undefined;
  /** Changes before this one move what is copied. */
  readonly isMoved?: boolean | undefined;
  readonly content?: Content | undefined;
  readonly staging?: Staging | undefined;
  readonly appended?: Uint8Array | undefined;
  /** How much of a copy is wanted. */
  readonly size?: number | undefined;
}

/** Where things are while a change set is staged: the changes before this one are still to be made. */
interface StagingContext {
  readonly writer: StorageWriter;
  readonly tree: OverlayTree<true>;
  readonly mounted: MountPoints;
}

/** Chooses what to make beside the files, by a name that is unique; where something is mounted, in the store. */
export function planStaging(context: StagingContext, change: Change, name: string): StagingPlan {
  const { writer, mounted } = context;
  const own = OWN_NAMES + name;
  const path = targetOf(change);
  requireUnmounted(change, mounted);
  const inPlace = mounted.has(path) ? newContentOf(change) : undefined;
  if (inPlace) return { ...inPlace, ...inStorePlaces(writer, path, name), staging: {} };
  const plan = planOwn(context, change, own, name);
  const isReplacing = plan.temp !== undefined || change.kind === "move" || change.kind === "restore";
  if (!isReplacing || change.kind === "remove") return plan;
  const from = originOf(context, path);
  if (from === undefined || !isTaken(writer, from, replacedBy(change))) return plan;
  if (writer.isSameDisk(siblingOf(context, path), plan.object)) return plan;
  requireUnaltered(context, path);
  const hidden = childOf(parentOf(path) as SafePath, `${own}-aside`);
  return { ...plan, replaced: { from, hidden, isMoved: isMoved(context, path) } };
}

/** Places at which something is mounted. */
export type MountPoints = ReadonlySet<SafePath>;

/** What is mounted keeps its name, and nothing else gets it. */
export function requireUnmounted(change: Change, mounted: MountPoints): void {
  if (change.kind !== "remove" && change.kind !== "move") return;
  if (mounted.has(change.path)) throw mountedFault(change.path, change.kind === "move" ? "move" : "delete");
  if (change.kind === "move" && mounted.has(change.to)) throw mountedFault(change.to, "replace");
}

/** Says that something is mounted, and what can be done instead. */
export const mountedFault = (path: SafePath, doing: string): Fault =>
  new Fault("no_permission", `Cannot ${doing} ${JSON.stringify(path)}: it is a mount point`, {
    path,
    hint: "Change the content of a mounted file with write or edit; only the user can unmount it",
  });

/** Beside a mounted file there may be no right to make anything: the new content and a copy of the old wait in the store. */
const inStorePlaces = (
  writer: StorageWriter,
  path: SafePath,
  name: string,
): Pick<StagingPlan, "object" | "temp" | "replaced"> => ({
  object: writer.objectFor(path, "objects", name),
  temp: writer.objectFor(path, "objects", `${name}-new`),
  replaced: { from: path, hidden: undefined },
});

/** Undefined for what gives nothing a new content. */
function newContentOf(change: Change): Pick<StagingPlan, "content" | "size" | "appended"> | undefined {
  switch (change.kind) {
    case "write":
      return { content: contentOf(change.content, change.path), size: sizeOf(change.content) };
    case "append":
      return { content: { copyOf: change.path }, appended: change.bytes };
    case "copy":
      return { content: { copyOf: change.path } };
    case "restore":
      return { content: { copyOf: change.object } };
    case "move":
    case "remove":
    case "mkdir":
    case "chmod":
      return undefined;
  }
}

/** Whether something is at a place. What is expected there is believed: nothing is done unless the commit finds it so. */
const isTaken = (writer: StorageWriter, place: Place, expected: Expected): boolean =>
  expected === undefined ? writer.stat(place) !== null : expected !== null;

/** Where that is now which the change will find at a place; undefined when there will be nothing, or only what is made. */
const originOf = ({ tree }: StagingContext, place: Place): Place | undefined => tree.at(place)?.origin;

const isMoved = ({ tree }: StagingContext, place: Place): boolean => tree.at(place)?.isMoved === true;

/** What is copied to another disk is copied beforehand, as it is: what the same set alters in it would be missing. */
function requireUnaltered({ tree }: StagingContext, place: Place): void {
  const there = tree.at(place);
  if (!there?.made && !there?.children.size) return;
  throw new Fault("conflict", `Cannot change ${JSON.stringify(place)} and bring it to another disk at once`, {
    ...(isPath(place) && { path: place }),
    hint: "Nothing was changed: do it in several calls; undo one change at a time, newest first, or one path of it",
  });
}

function replacedBy(change: Change): Expected {
  if (change.kind === "move" || change.kind === "copy" || change.kind === "restore") return change.replaces;
  return "expect" in change ? change.expect : undefined;
}

/** Everything a plan makes. */
export const newPlaces = ({ temp, replaced, object }: StagingPlan): readonly Place[] => [
  ...(temp === undefined ? [] : [temp]),
  ...(replaced ? [object] : []),
];

function planOwn(context: StagingContext, change: Change, own: string, name: string): StagingPlan {
  const { writer } = context;
  const object = cameFrom(change) ?? writer.objectFor(targetOf(change), folderOf(change), name);
  const temp = (path: SafePath): SafePath => childOf(directoryFor(context, path), own);
  const hidden = (path: SafePath): SafePath => childOf(parentOf(path) as SafePath, `${own}-old`);
  const copied = (place: Place): Pick<StagingPlan, "content" | "staging" | "isMoved"> => {
    requireUnaltered(context, place);
    return {
      content: { copyOf: originOf(context, place) ?? place },
      staging: { keepTimes: true },
      isMoved: isMoved(context, place),
    };
  };
  switch (change.kind) {
    case "write":
      return { object, temp: temp(change.path), ...planWrite(context, change) };
    case "append":
      return isAppendedTo(context, change.path)
        ? { object }
        : { object, temp: temp(change.path), ...copied(change.path), appended: change.bytes };
    case "copy": {
      // It may take long, and the directory may move meanwhile: where possible it is made out of everybody's way.
      const inStore = writer.objectFor(change.to, "objects", `${name}-new`);
      const made = writer.isSameDisk(siblingOf(context, change.to), inStore) ? inStore : temp(change.to);
      return { object, temp: made, ...copied(change.path), staging: {} };
    }
    case "move":
      if (parentOf(change.path) === parentOf(change.to)) return { object };
      if (writer.isSameDisk(siblingOf(context, change.path), siblingOf(context, change.to))) return { object };
      return { object, temp: temp(change.to), ...copied(change.path), hidden: hidden(change.path) };
    case "restore":
      if (writer.isSameDisk(change.object, siblingOf(context, change.path))) return { object };
      return { object, temp: temp(change.path), ...copied(change.object) };
    case "remove":
      if (change.into === "nowhere") return { object, hidden: hidden(change.path) };
      if (writer.isSameDisk(siblingOf(context, change.path), object)) return { object };
      return { object, temp: object, ...copied(change.path), hidden: hidden(change.path) };
    case "mkdir":
    case "chmod":
      return { object };
  }
}

/** How much of the file is wanted, where only its start is. */
const sizeOf = (content: WriteContent): number | undefined =>
  typeof content === "object" && "size" in content ? content.size : undefined;

/** The new file takes over from the one that it replaces, which may still be elsewhere. */
function planWrite(
  context: StagingContext,
  { path, content, mode, expect }: Extract<Change, { kind: "write" }>,
): Pick<StagingPlan, "content" | "staging" | "size" | "isMoved"> {
  const origin = originOf(context, path);
  const isFile = (place: Place): boolean =>
    expect === undefined ? context.writer.stat(place)?.kind === "file" : expect !== null;
  const like = origin !== undefined && isFile(origin) ? origin : undefined;
  const size = sizeOf(content);
  const staging = { like, mode };
  return {
    content: contentOf(content, origin ?? path),
    staging,
    size,
    isMoved: size !== undefined && isMoved(context, path),
  };
}

/** Whether bytes can be added in place: what a change before this one makes has no other name. */
function isAppendedTo({ writer, tree }: StagingContext, path: SafePath): boolean {
  const there = tree.at(path);
  return there?.origin === undefined || there.made === true || writer.stat(there.origin)?.links === 1;
}

function contentOf(content: WriteContent, itself: Place): Content {
  if (typeof content === "string") return { copyOf: content };
  return content instanceof Uint8Array ? { bytes: content } : { copyOf: itself };
}

const targetOf = (change: Change): SafePath =>
  change.kind === "move" || change.kind === "copy" ? change.to : change.path;

/** What is put back to where it was brought from. */
function cameFrom(change: Change): ObjectName | undefined {
  const into = change.kind === "remove" ? change.into : undefined;
  return into === "trash" || into === "history" || into === "nowhere" ? undefined : into;
}

const folderOf = (change: Change): "objects" | "trash" =>
  change.kind === "remove" && change.into === "trash" ? "trash" : "objects";

/**
 * Returns the nearest directory above that is there now and still will be: the ones between are made, moved or brought
 * back by changes before this one.
 */
function directoryFor(context: StagingContext, path: SafePath): SafePath {
  const above = parentOf(path) as SafePath;
  const isStaying = context.tree.at(above)?.isMoved === false && context.writer.hasParent(path);
  return above === path || isStaying ? above : directoryFor(context, above);
}

/** Some place on the disk that a path is or will be on. */
const siblingOf = (context: StagingContext, path: SafePath): SafePath => childOf(directoryFor(context, path), "new");

/** Makes it. Where nothing is to be made, nothing happens. */
export async function stageChange(
  writer: StorageWriter,
  plan: StagingPlan,
  checkpoint: Checkpoint,
): Promise<StagedChange> {
  const { temp, content, staging, appended, object, hidden } = plan;
  const { backup, sources: replaced = [] } = await stageBackup(writer, plan, checkpoint);
  if (temp === undefined || content === undefined) return { object, hidden, backup, sources: replaced };
  const source = "copyOf" in content ? content.copyOf : undefined;
  const fingerprint = source === undefined ? undefined : fingerprintOf(writer, source);
  const { like, mode, keepTimes } = staging ?? {};
  await writer.stage(temp, content, { like, mode, keepTimes, checkpoint });
  if (plan.size !== undefined) writer.truncate(temp as SafePath, plan.size);
  if (appended) writer.append(temp as SafePath, appended, writer.stat(temp)?.size ?? 0);
  if (!plan.isMoved || source === undefined || fingerprint === undefined)
    return { temp, object, hidden, fingerprint, backup, sources: replaced };
  const sources = [...replaced, { place: source, fingerprint }];
  return { temp, object, hidden, fingerprint: CHECKED, backup, sources };
}

async function stageBackup(
  writer: StorageWriter,
  { replaced, object }: StagingPlan,
  checkpoint: Checkpoint,
): Promise<Pick<StagedChange, "backup" | "sources">> {
  if (!replaced) return {};
  const { from, hidden, isMoved: isElsewhere } = replaced;
  const fingerprint = fingerprintOf(writer, from);
  await writer.stage(object, { copyOf: from }, { keepTimes: true, checkpoint });
  if (!isElsewhere) return { backup: { hidden, fingerprint } };
  return { backup: { hidden, fingerprint: CHECKED }, sources: [{ place: from, fingerprint }] };
}

/** Without it a change made meanwhile could be lost with the original. */
function fingerprintOf(writer: StorageWriter, place: Place): string {
  const fingerprint = writer.fingerprint(place, Infinity);
  if (fingerprint !== null) return fingerprint;
  throw new Fault("too_large", `Cannot copy ${JSON.stringify(place)}: it is gone, or its directories are too deep`);
}
