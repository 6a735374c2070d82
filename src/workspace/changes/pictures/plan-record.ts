import { childOf, isWithin, relativePath } from "../../../base/paths.ts";
import { versionOfFacts } from "../../../base/version.ts";
import type { PictureEntry } from "../../../storage/picture-entries.ts";
import { isCopyOf } from "../../../storage/pictures.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { ObjectName } from "../../../storage/writer.ts";
import type { Effect, FileState } from "../change.ts";
import { fileStateOf, stateWithTree } from "../file-states.ts";
import type { MoveStep } from "../steps.ts";
import { comparableContent, type ViewChange } from "../views/change-list.ts";
import { isGitControl, isInGit } from "../git-control.ts";
import { type Attributed, attributedAt, isRecorded } from "./attribution.ts";
import { keptTree } from "./kept-tree.ts";
import { entriesBelow, type Planning, type RecordContext, type RootDifferences } from "./planning.ts";

/** Holds what is recorded of an interval: effects, and the moves that make backups of copies. */
export interface PlannedRecord {
  readonly effects: readonly Effect[];
  readonly steps: readonly MoveStep[];
  readonly list: readonly ViewChange[];
  /** Counts the files that were changed or deleted without a copy. */
  readonly uncopied: number;
}

/** Plans what is recorded of the differences: whole directories as one effect, in an order that undo can reverse. */
export async function planRecord(context: RecordContext, roots: readonly RootDifferences[]): Promise<PlannedRecord> {
  const planned: PlannedEffect[] = [];
  for (const root of roots) {
    const attributed = root.differences.flatMap(({ path, before, after }) =>
      attributedAt(childOf(root.root, path), before, after, context.meanwhile),
    );
    const positions = new Map(root.differences.map(({ path }, nth) => [path, nth]));
    const planning = { ...context, ...root, positions, nextName: () => `${planned.length}` };
    for (const each of removalsIn(planning, attributed)) planned.push(await planRemoval(planning, each));
    for (const each of attributed.filter(isChange)) planned.push(...(await planChange(planning, each)));
    for (const each of arrivalsIn(planning, attributed)) planned.push(await planArrival(planning, each));
  }
  const ordered = planned.toSorted((a, b) => orderOf(a) - orderOf(b));
  return {
    effects: ordered.map(({ effect }) => effect),
    steps: ordered.flatMap(({ step }) => step ?? []),
    list: planned.map(({ line }) => line).toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    uncopied: planned.reduce((sum, { effect }) => sum + (effect.uncopied ?? 0), 0),
  };
}

export interface PlannedEffect {
  readonly effect: Effect;
  readonly step?: MoveStep | undefined;
  readonly line: ViewChange;
}

/** Undo goes backwards: a directory that could not be written to before is closed last, and opened first. */
function orderOf({ effect: { action, before } }: PlannedEffect): number {
  if (action !== "chmod") return 1;
  return before?.kind === "directory" && (before.mode & OWNER_CHANGES) !== OWNER_CHANGES ? 0 : 2;
}

const OWNER_CHANGES = 0o300;

const isChange = ({ before, after }: Attributed): boolean =>
  before !== null && after !== null && before.kind === after.kind && before.kind !== "symlink";

const isRemoval = (each: Attributed): boolean => each.before !== null && !isChange(each);

const isArrival = (each: Attributed): boolean => each.after !== null && !isChange(each);

/** Lists what went, a directory after its entries; one that went as a whole stands for all of them. */
const removalsIn = ({ meanwhile }: Planning, all: readonly Attributed[]): readonly Attributed[] =>
  folded(
    all.filter(isRemoval),
    ({ before, path }) => before?.kind === "directory" && !meanwhile.hasWithin(path),
  ).toReversed();

/** Lists what came, a directory before its entries; one that is new as a whole stands for all of them. */
const arrivalsIn = ({ meanwhile }: Planning, all: readonly Attributed[]): readonly Attributed[] =>
  folded(all.filter(isArrival), ({ after, path }) => after?.kind === "directory" && !meanwhile.hasWithin(path));

/** Leaves out what lies in a directory that stands for all of it. Such a directory comes before its entries. */
function folded(all: readonly Attributed[], isWhole: (each: Attributed) => boolean): readonly Attributed[] {
  let whole: SafePath | undefined;
  return all.filter((each) => {
    if (whole !== undefined && isWithin(each.path, whole) && each.path !== whole) return false;
    whole = isWhole(each) ? each.path : undefined;
    return true;
  });
}

async function planRemoval(planning: Planning, { path, before }: Attributed): Promise<PlannedEffect> {
  await planning.checkpoint();
  const folder = isInGit(path) ? "objects" : "trash";
  if (before?.kind !== "directory") {
    const { state, step } = await backedUp(planning, path, before as PictureEntry | FileState, folder);
    const uncopied = step ? undefined : 1;
    const line = lineOf(path, { action: "deleted", kind: state.kind, bytes: state.size, uncopied });
    return { effect: { action: "delete", path, before: state, after: null, uncopied }, step, line };
  }
  const tree = await keptTree(planning, path, before);
  const { state, step } = movedTo(planning, path, tree.state, tree.place, folder);
  const uncopied = tree.uncopied === 0 ? undefined : tree.uncopied;
  const line = lineOf(path, { action: "deleted", kind: "directory", bytes: tree.bytes, files: tree.files, uncopied });
  return { effect: { action: "delete", path, before: state, after: null, uncopied }, step, line };
}

interface BackedUp {
  readonly state: FileState;
  readonly step?: MoveStep | undefined;
}

/** Describes a file or link that was there, with its copy as the backup where there is one. */
async function backedUp(
  planning: Planning,
  path: SafePath,
  before: PictureEntry | FileState,
  folder: "objects" | "trash",
): Promise<BackedUp> {
  const place = isRecorded(before) ? await rebuilt(planning, before) : copyAt(planning, before);
  const copy = place === undefined ? null : planning.writer.snapshot(place);
  const version = copy?.version ?? (isRecorded(before) ? before.version : versionOfFacts(before));
  const state = stateOf(before, version);
  return copy && place !== undefined ? movedTo(planning, path, state, place, folder) : { state };
}

/** Returns where the whole copy of an entry is. */
function copyAt({ writer, copies }: Planning, entry: PictureEntry): ObjectName | undefined {
  const place = childOf(copies, entry.path);
  return isCopyOf(entry, writer.stat(place)) ? place : undefined;
}

/** Rebuilds what another change left from the history, in a copy of its own. */
async function rebuilt(planning: Planning, state: FileState): Promise<ObjectName | undefined> {
  const { history, checkpoint, writer, copies, nextName } = planning;
  const bytes = state.kind === "file" ? await history.contentOfVersion(state.version, checkpoint, () => true) : null;
  if (!bytes) return undefined;
  const place = `${copies}-rebuilt-${nextName()}` as ObjectName;
  await writer.erase(place);
  await writer.stage(place, { bytes }, { mode: state.mode });
  return place;
}

function movedTo(
  { writer, tag, nextName }: Planning,
  path: SafePath,
  state: FileState,
  from: ObjectName,
  folder: "objects" | "trash",
): BackedUp {
  const to = writer.objectFor(path, folder, `${tag}-${nextName()}`);
  const identity = writer.stat(from)?.identity ?? "";
  return { state: { ...state, object: to }, step: { do: "move", from, to, identity } };
}

const stateOf = ({ kind, size, mode, modifiedMs, identity }: PictureEntry | FileState, version: string): FileState => ({
  kind,
  version,
  size,
  mode,
  modifiedMs,
  identity,
});

/** Plans what is recorded of something that is still there: another content, other permissions, or nothing. */
async function planChange(planning: Planning, { path, before, after }: Attributed): Promise<readonly PlannedEffect[]> {
  await planning.checkpoint();
  const [old, fresh] = [before as PictureEntry | FileState, after as PictureEntry | FileState];
  const now = nowAt(planning, path, fresh);
  if (!now) return [];
  if (old.kind !== "file") return modeChange(path, old, now);
  const { state, step } = await backedUp(planning, path, old, "objects");
  const isTouched = old.size !== now.size || old.modifiedMs !== now.modifiedMs || old.identity !== now.identity;
  if (step || isRecorded(old) ? state.version === now.version : !isTouched) return modeChange(path, old, now);
  const compared = await comparison(planning, path, step?.from as ObjectName | undefined, now);
  const uncopied = step ? undefined : 1;
  const mode = old.mode === now.mode ? undefined : now.mode;
  const line = lineOf(path, {
    action: "changed",
    kind: "file",
    bytes: now.size,
    mode,
    uncopied,
    lines: compared.lines,
    diff: compared.diff,
  });
  const { lines, delta } = compared;
  return [{ effect: { action: "replace", path, before: state, after: now, lines, delta, uncopied }, step, line }];
}

/** Describes what is at a path now, or was when a change was recorded meanwhile; null where it has just gone. */
const nowAt = ({ writer }: Planning, path: SafePath, state: PictureEntry | FileState): FileState | null =>
  isRecorded(state) ? { ...state, object: undefined } : fileStateOf(writer.snapshot(path));

function modeChange(path: SafePath, old: PictureEntry | FileState, now: FileState): readonly PlannedEffect[] {
  if (old.mode === now.mode) return [];
  const before = { ...now, mode: old.mode };
  const line = lineOf(path, {
    action: "permissions",
    kind: now.kind,
    bytes: old.kind === "file" ? now.size : 0,
    mode: now.mode,
  });
  return [{ effect: { action: "chmod", path, before, after: now }, line }];
}

async function comparison(
  { writer, comparer }: Planning,
  path: SafePath,
  copy: ObjectName | undefined,
  now: FileState,
) {
  const [was, is] = [copy === undefined ? null : writer.snapshot(copy), writer.snapshot(path)];
  if (copy === undefined || !was || is?.version !== now.version) return {};
  const [old, fresh] = [comparableContent(writer, was, copy), comparableContent(writer, is, path)];
  return old && fresh ? comparer.compare(path, old, fresh) : {};
}

async function planArrival(planning: Planning, { path, after }: Attributed): Promise<PlannedEffect> {
  await planning.checkpoint();
  const { writer, meanwhile } = planning;
  const fresh = after as PictureEntry | FileState;
  const isWhole = fresh.kind === "directory" && !meanwhile.hasWithin(path);
  const counted = isWhole ? countedIn(planning, path) : undefined;
  const state = isRecorded(fresh)
    ? nowAt(planning, path, fresh)
    : isWhole
      ? stateWithTree(writer, path, counted)
      : fileStateOf(writer.snapshot(path));
  const action = fresh.kind === "directory" && !isWhole ? "mkdir" : "create";
  const line = lineOf(path, {
    action: "created",
    kind: fresh.kind,
    bytes: counted?.bytes ?? (fresh.kind === "directory" ? 0 : fresh.size),
    files: counted?.files,
  });
  return {
    effect: {
      action,
      path,
      before: null,
      after: state ?? stateOf(fresh, isRecorded(fresh) ? fresh.version : versionOfFacts(fresh)),
    },
    line,
  };
}

function countedIn(planning: Planning, path: SafePath): { files: number; bytes: number } {
  const inside = entriesBelow(planning, relativePath(planning.root, path)).flatMap(({ after }) => after ?? []);
  const files = inside.filter(({ kind }) => kind !== "directory");
  const bytes = files.reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0);
  return { files: files.length, bytes };
}

const lineOf = (path: SafePath, line: Omit<ViewChange, "path" | "isGitControl">): ViewChange => ({
  path,
  ...line,
  isGitControl: isGitControl(path, line.kind === "directory" && line.action !== "permissions"),
});
