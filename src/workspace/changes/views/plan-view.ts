import { Fault } from "../../../base/errors.ts";
import { parentOf } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { HarvestedEntry, LeftEntry, RefusedEntry } from "../../../storage/views.ts";
import type { Snapshot, StorageWriter } from "../../../storage/writer.ts";
import type { Change } from "../change.ts";
import {
  comparableContent,
  type Comparison,
  createComparer,
  type FileVersion,
  renamesAmong,
  type ViewChange,
} from "./change-list.ts";
import { isGitControl, isInGit } from "../git-control.ts";
import type { Harvest, HeldView } from "./held-view.ts";
import { changedNs, changesSince } from "./changes-since.ts";
import type { PlanContext, PlanOptions, PlanParts } from "./plan-context.ts";
import { mergeLeft } from "./merge-left.ts";
import { hasSameContent } from "./same-content.ts";

/** Says what becomes of the changes of a command. With conflicts, nothing of it may be applied. */
export interface ViewPlan {
  readonly changes: readonly Change[];
  readonly conflicts: readonly ViewConflict[];
  readonly list: readonly ViewChange[];
  /** Lists what is not applied, whatever is decided; `refusedCount` counts all of it. */
  readonly refused: readonly RefusedEntry[];
  readonly refusedCount: number;
}

export interface ViewConflict {
  readonly path: SafePath;
  readonly reason: string;
}

/** Says what becomes of one entry. */
interface PlannedEntry {
  readonly changes?: readonly Change[];
  /** Is made after all others: from then on the directory may not be changed. */
  readonly last?: Change;
  readonly conflict?: string;
  readonly line?: Omit<ViewChange, "path" | "isGitControl">;
  readonly created?: FileVersion;
  readonly deleted?: FileVersion;
}

/** Plans what a command left for the workspace as it is now. */
export async function planViewChanges(
  parts: PlanParts,
  view: HeldView,
  { layers }: Harvest,
  options: PlanOptions,
): Promise<ViewPlan> {
  const meanwhile = await changesSince(parts.history, view, options.checkpoint);
  const comparer = createComparer(options.nameOf ?? ((path) => path), options.checkpoint);
  const isRemovedVersion = versionsAmong(() => removedFiles(parts.writer, layers));
  const planned: { readonly entry: HarvestedEntry; readonly plan: PlannedEntry }[] = [];
  for (const [nth, layer] of view.layers.entries())
    for (const entry of layers[nth]?.entries ?? []) {
      await options.checkpoint();
      const plan = await planEntry({ ...parts, ...options, meanwhile, comparer, layer, isRemovedVersion }, entry);
      planned.push({ entry, plan });
    }
  const plans = planned.map(({ plan }) => plan);
  const renames = renamesAmong(
    plans.flatMap(({ created }) => created ?? []),
    plans.flatMap(({ deleted }) => deleted ?? []),
  );
  return {
    changes: [...plans.flatMap(({ changes = [] }) => changes), ...plans.flatMap(({ last }) => last ?? []).toReversed()],
    conflicts: planned.flatMap(({ entry: { path }, plan: { conflict: reason } }) => (reason ? [{ path, reason }] : [])),
    list: planned.flatMap(({ entry, plan: { line } }) => (line ? [withPath(entry, line, renames)] : [])),
    refused: layers.flatMap(({ refused }) => refused),
    refusedCount: layers.reduce((sum, { refusedCount }) => sum + refusedCount, 0),
  };
}

/** Looks at the files only once a version is asked for: that is rare. */
function versionsAmong(find: () => ReadonlySet<string>): (version: string) => boolean {
  let versions: ReadonlySet<string> | undefined;
  return (version) => (versions ??= find()).has(version);
}

const removedFiles = (writer: StorageWriter, layers: Harvest["layers"]): ReadonlySet<string> =>
  new Set(
    layers
      .flatMap(({ entries }) => entries.filter(({ left }) => !left))
      .flatMap(({ path }) => writer.snapshot(path)?.version ?? []),
  );

const withPath = (
  { path, left }: HarvestedEntry,
  line: Omit<ViewChange, "path" | "isGitControl">,
  renames: ReadonlyMap<SafePath, SafePath>,
): ViewChange => ({
  path,
  ...line,
  from: renames.get(path),
  isGitControl: left?.hasGit === true || isGitControl(path, line.kind === "directory" && line.action !== "permissions"),
});

async function planEntry(context: PlanContext, entry: HarvestedEntry): Promise<PlannedEntry> {
  const now = context.writer.snapshot(entry.path);
  if (!entry.left) return now ? planRemoval(context, entry.path, now) : {};
  if (entry.isMerged) return planDirectoryMode(context, entry.path, now, entry.left);
  const fresh = context.writer.snapshot(entry.left.object);
  if (!fresh) throw goneFault(entry.path);
  const isSame = now !== null && (await hasSameContent(context, { path: entry.path, now, fresh, left: entry.left }));
  if (isSame) return planMode(entry.path, now, entry.left);
  const reason = whyConflicting(context, entry, now, fresh);
  if (reason === undefined || context.prefer === "theirs") return takeLeft(context, entry.path, now, fresh, entry.left);
  if (context.prefer === "ours") return {};
  const merged = now && (await mergeLeft(context, { path: entry.path, now, fresh, left: entry.left }));
  if (!merged) return { conflict: reason };
  return typeof merged === "string" ? { conflict: merged } : { ...merged };
}

const goneFault = (path: SafePath): Fault =>
  new Fault("not_found", `Cannot apply the change of ${JSON.stringify(path)}: it was applied or discarded already`, {
    path,
  });

/** Returns why what a command left does not fit what is there now; undefined when it does. */
function whyConflicting(
  context: PlanContext,
  entry: HarvestedEntry,
  now: Snapshot | null,
  fresh: Snapshot,
): string | undefined {
  const { meanwhile, layer } = context;
  const { path } = entry;
  if (!now) return wasRemoved(context, entry, fresh) ? "it was removed meanwhile" : undefined;
  const isLater = changedNs(now.facts) > BigInt(layer.startNs);
  return isLater || meanwhile.hasTouched(path) ? "it was changed meanwhile" : undefined;
}

/**
 * Checks whether others may have removed what the command changed. It may also have renamed a copy to a new name: then
 * no entry of the directory has come or gone since the view began, or the command removed a file with this content.
 */
function wasRemoved(context: PlanContext, { path, isCopied }: HarvestedEntry, { version }: Snapshot): boolean {
  const { views, meanwhile, layer } = context;
  const changed = views.changedNs(parentOf(path) as SafePath);
  if (changed === null || meanwhile.hasTouched(path)) return true;
  return isCopied === true && changed > BigInt(layer.startNs) && !context.isRemovedVersion(version);
}

/** Plans to put what a command left in place of what is there. */
async function takeLeft(
  context: PlanContext,
  path: SafePath,
  now: Snapshot | null,
  fresh: Snapshot,
  left: LeftEntry,
): Promise<PlannedEntry> {
  const { object, kind, size, mode, counted, names } = left;
  const isReplaced = now?.facts.kind === "file" && kind === "file";
  const { diff, ...compared } = await compareFiles(context, path, isReplaced ? now : null, fresh, left);
  const removal = now && !isReplaced ? await removalOf(context, path, now, "history") : undefined;
  const replaces = isReplaced ? now.version : null;
  const hasGitControl = holdsGitControl(path, left);
  const adopt: Change = { kind: "adopt", object, path, replaces, size, counted, names, hasGitControl, ...compared };
  return {
    changes: [...(removal ? [removal] : []), adopt],
    ...(isUnwritable(left) && { last: { kind: "chmod", path, mode } }),
    line: {
      action: now ? "changed" : "created",
      kind,
      bytes: counted?.bytes ?? size,
      files: counted?.files,
      mode: isReplaced && now.facts.mode !== mode ? mode : undefined,
      lines: compared.lines,
      diff,
    },
    ...(!now && kind === "file" && { created: { path, version: fresh.version, size } }),
  };
}

const holdsGitControl = (path: SafePath, { kind, hasGit }: LeftEntry): boolean =>
  hasGit === true || isGitControl(path, kind === "directory");

async function compareFiles(
  { writer, comparer }: PlanContext,
  path: SafePath,
  now: Snapshot | null,
  fresh: Snapshot,
  { object }: LeftEntry,
): Promise<Comparison> {
  const after = comparableContent(writer, fresh, object);
  const before = now && comparableContent(writer, now, path);
  return after && (before || !now) ? comparer.compare(path, before, after) : {};
}

/** Checks for a directory that had to be made writable so that it could be moved. */
const isUnwritable = ({ kind, mode }: LeftEntry): boolean => kind === "directory" && (mode & 0o200) === 0;

/** The content is the same: at most the permissions are new. */
function planMode(path: SafePath, { facts, version }: Snapshot, { mode, kind, size }: LeftEntry): PlannedEntry {
  if (kind === "symlink" || facts.mode === mode) return {};
  return {
    changes: [{ kind: "chmod", path, mode, expect: version }],
    line: { action: "permissions", kind, bytes: size, mode },
  };
}

/** Opens a directory before its entries are changed, and closes it afterwards. */
function planDirectoryMode(
  { meanwhile }: PlanContext,
  path: SafePath,
  now: Snapshot | null,
  { mode }: LeftEntry,
): PlannedEntry {
  if (now?.facts.kind !== "directory" || now.facts.mode === mode) return {};
  if (meanwhile.firstAt(path)?.action === "chmod") return { conflict: "its permissions were changed meanwhile" };
  const change: Change = { kind: "chmod", path, mode, expect: now.version };
  const line = { action: "permissions", kind: "directory", bytes: 0, mode } as const;
  return (mode & OWNER_CHANGES) === OWNER_CHANGES ? { changes: [change], line } : { last: change, line };
}

const OWNER_CHANGES = 0o300;

async function planRemoval(context: PlanContext, path: SafePath, now: Snapshot): Promise<PlannedEntry> {
  const { facts, version } = now;
  const survey = facts.kind === "directory" ? await context.views.survey(path, context.checkpoint) : null;
  const lastNs = survey?.changedNs ?? changedNs(facts);
  const isChanged = lastNs > BigInt(context.layer.startNs) || context.meanwhile.hasTouched(path);
  if (isChanged && context.prefer === "ours") return {};
  if (isChanged && context.prefer === undefined)
    return { conflict: survey ? "something in it was changed meanwhile" : "it was changed meanwhile" };
  const { files, bytes } = survey ?? { files: undefined, bytes: facts.size };
  return {
    changes: [removalWith(path, now, isInGit(path) ? "history" : "trash", survey)],
    line: { action: "deleted", kind: facts.kind, bytes, files },
    ...(facts.kind === "file" && { deleted: { path, version, size: facts.size } }),
  };
}

async function removalOf(
  { views, checkpoint }: PlanContext,
  path: SafePath,
  now: Snapshot,
  into: "history" | "trash",
): Promise<Change> {
  return removalWith(path, now, into, now.facts.kind === "directory" ? await views.survey(path, checkpoint) : null);
}

const removalWith = (
  path: SafePath,
  { version }: Snapshot,
  into: "history" | "trash",
  survey: { readonly files: number; readonly bytes: number } | null,
): Change => ({
  kind: "remove",
  path,
  expect: version,
  into,
  ...(survey && { counted: { files: survey.files, bytes: survey.bytes } }),
});
