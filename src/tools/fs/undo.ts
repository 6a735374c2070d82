import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import type { SafePath } from "../../storage/storage.ts";
import { foldedChanges, foldedNotes } from "../../text/folded-changes.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import { alteredWithin, type ChangeRecord, type Effect } from "../../workspace/changes/change.ts";
import { isAllOlder } from "../../workspace/changes/journal/change-id.ts";
import type { ShownChange } from "../../workspace/changes/shown-change.ts";
import { type Conflict, planUndo, type UndoPlan } from "../../workspace/changes/undo/undo.ts";
import type { View } from "../../workspace/view.ts";
import { change, changed, type ChangeSummary, mutating } from "./changing/change-answer.ts";
import { pathInput } from "../paths.ts";
import { fixedTime, sinceInput, timeIn } from "../time-argument.ts";
import { DESTRUCTIVE, defineTool, type SessionFacts } from "../tool.ts";
import { UNLISTED } from "../unlisted.ts";

const input = z.strictObject({
  change_id: z.string().max(LIMITS.argumentChars).optional(),
  session: z.string().max(LIMITS.argumentChars).optional().describe("All of a session"),
  since: sinceInput
    .describe("Back to an ISO time, or an age such as 10m; takes back later undos too")
    .transform(fixedTime),
  path: pathInput.optional().describe("Only here and below"),
  any_session: z
    .boolean()
    .default(false)
    .describe("The last change of whichever session, where none is named")
    .meta(UNLISTED.rare),
  ...mutating,
});

type Input = z.output<typeof input>;

export const undo = defineTool({
  name: "undo",
  title: "Undo",
  description: "Take back changes: the last one of this session, or those named. Later edits elsewhere in a file stay.",
  annotations: DESTRUCTIVE,
  catalogue: { group: "fs", order: 150 },
  input,
  output: z.object({
    undone: z.array(z.string()),
    files: z.array(z.object({ path: z.string(), action: z.string() })),
    conflicts: z.array(z.object({ path: z.string(), reason: z.string() })),
    ...changed,
  }),

  async plan(args, view, session) {
    const place = args.path === undefined ? undefined : (await view.resolveTarget(args.path, "keep")).place;
    const { records, plan, warnings } = await chooseChanges(args, place, view, session);
    const { changes, conflicts, files } = plan;
    const before = (): Promise<string | undefined> => changeBefore(records, args, place, view);
    if (conflicts.length > 0)
      throw conflictFault(conflicts, records, await alternativesTo(records, conflicts, before, view));
    if (changes.length === 0) throw nothingFault(reasonForNothing(records, place, view), await before());
    const undone = records.map(({ id }) => id);
    const intent = change({
      isDryRun: args.dry_run,
      changes,
      undoes: undone,
      ...(!isAll(records, place) && { undoneAt: place }),
      lines: linesFor(files),
      warnings: [
        ...warnings,
        ...plan.notes,
        ...foldedNotes(files.length, LIMITS.changeLines),
        ...(await earlierOfCommand(records, view)),
      ],
      data: () => ({ undone, files: files.slice(0, LIMITS.changeLines), conflicts: [] }),
    });
    return { ...intent, undoesCommands: records.every(({ command }) => command !== undefined) };
  },
});

function linesFor(files: UndoPlan["files"]): readonly ChangeSummary[] {
  if (files.length <= LIMITS.changeLines) return files.map(({ path, action }) => [action, quoted(path)]);
  const shown = files.map(({ path, action }) => ({ path, action, line: `${action} ${quoted(path)}` }));
  return foldedChanges(shown, LIMITS.changeLines);
}

/** Names what the same command changed right before and is not undone: one that was polled has several changes. */
async function earlierOfCommand(records: readonly ChangeRecord[], view: View): Promise<readonly string[]> {
  const [oldest] = records.toReversed();
  if (oldest?.command === undefined) return [];
  const earlier: string[] = [];
  for await (const { id, session, command } of effectiveChanges(view, undefined)) {
    if (id >= oldest.id) continue;
    if (session !== oldest.session || command !== oldest.command || earlier.length >= LIMITS.refusedNames) break;
    earlier.push(id);
  }
  const named = `earlier changes by the same command are still in effect: undo ${earlier.join(", ")} as well`;
  return earlier.length > 0 ? [named] : [];
}

/** Returns true if undoing at this place undoes the changes completely. */
const isAll = (records: readonly ChangeRecord[], place: SafePath | undefined): boolean =>
  records.every((record) => alteredWithin(record, record.effects, place).length === record.effects.length);

function conflictFault(
  conflicts: readonly Conflict[],
  records: readonly ChangeRecord[],
  alternatives: Alternatives,
): Fault {
  const nameOf = (id: string): string => `${records.find((record) => record.id === id)?.tool} ${id}`;
  const words = conflicts.map(
    ({ path, reason, changes }) => `${JSON.stringify(path)}: ${reason} (${changes.map(nameOf).join(", ")})`,
  );
  const { next_change: next, free_path: free } = alternatives;
  const another = next === undefined ? "undo another change by its change_id" : `undo change_id "${next}"`;
  const part = free === undefined ? "" : `, or only some files of this one, such as path ${JSON.stringify(free)}`;
  return new Fault("conflict", `Cannot undo: something is in the way\n${words.join("\n")}`, {
    conflicts,
    ...alternatives,
    hint: `Nothing was changed: put that right, or ${another}${part}; history lists all changes`,
  });
}

/** Suggests what can be undone instead. */
interface Alternatives {
  /** Names one of the changes that has no conflict, or else the change before them. */
  readonly next_change?: string;
  /** Names a file of the only change that has no conflict. */
  readonly free_path?: string;
}

async function alternativesTo(
  records: readonly ChangeRecord[],
  conflicts: readonly Conflict[],
  before: () => Promise<string | undefined>,
  view: View,
): Promise<Alternatives> {
  const free = records.find(({ id }) => !conflicts.some(({ changes }) => changes.includes(id)));
  const next = free?.id ?? (await before());
  const path = records.length === 1 ? freePath(records[0]?.effects ?? [], conflicts, view) : undefined;
  return { ...(next !== undefined && { next_change: next }), ...(path !== undefined && { free_path: path }) };
}

function freePath(effects: readonly Effect[], conflicts: readonly Conflict[], view: View): string | undefined {
  const stopped = new Set(conflicts.map(({ path }) => path));
  const isFree = ({ path, from = path }: Effect): boolean =>
    [path, from].every((place) => view.isVisible(place) && !stopped.has(view.nameOf(place)));
  const free = effects.find((effect) => effect.action !== "mkdir" && isFree(effect));
  return free && view.nameOf(free.path);
}

/** Returns the last change before all of these that is still in effect, of the same session or of any session. */
async function changeBefore(
  records: readonly ChangeRecord[],
  { any_session: isAny }: Input,
  place: SafePath | undefined,
  view: View,
): Promise<string | undefined> {
  const oldest = records.at(-1);
  if (!oldest) return undefined;
  for await (const record of effectiveChanges(view, place)) {
    const isSelected = isAny || record.session === oldest.session;
    const isBefore = record.id < oldest.id && isSelected && concerns(record, place);
    if (isBefore && record.effects.every(({ path }) => view.isVisible(path))) return record.id;
  }
  return undefined;
}

/** Explains why there is nothing to undo although no file is in conflict. */
function reasonForNothing(records: readonly ChangeRecord[], place: SafePath | undefined, view: View): string {
  const what = records.length === 1 ? "that change" : "those changes";
  if (place !== undefined && !records.some((record) => concerns(record, place)))
    return `${what} did nothing to ${JSON.stringify(view.nameOf(place))}`;
  return `the files are already as they were before ${what}`;
}

const nothingFault = (reason: string, other?: string): Fault =>
  new Fault("no_change", `Cannot undo: ${reason}`, {
    ...(other !== undefined && { next_change: other }),
    hint:
      other === undefined
        ? "The history tool lists what can be undone"
        : `Undo the change before by change_id "${other}"; history lists all changes`,
  });

interface ChosenChanges {
  /** Lists the changes that are marked as undone afterwards. */
  readonly records: readonly ChangeRecord[];
  readonly plan: UndoPlan;
  readonly warnings: readonly string[];
}

async function chooseChanges(
  args: Input,
  place: SafePath | undefined,
  view: View,
  session: SessionFacts,
): Promise<ChosenChanges> {
  const named = await recordsFor(args, place, view);
  const records = named && (await withGroups(named, view));
  records?.forEach(requireAllInside);
  if (records) return { records, plan: await planUndo(records, place, view), warnings: [] };
  return lastOf(args.any_session ? undefined : session.id, place, view);
}

/** Returns the named changes, newest first, or undefined when the last change of this session is meant. */
async function recordsFor(
  { change_id, session: ofSession, since }: Input,
  place: SafePath | undefined,
  view: View,
): Promise<readonly ShownChange[] | undefined> {
  if ([change_id, ofSession ?? since].filter((each) => each !== undefined).length > 1)
    throw new Fault("invalid_input", "Cannot undo: give a change_id, or a session, or a time, not several", {
      argument: "change_id",
    });
  if (change_id !== undefined) return [recordOf(change_id, view)];
  if (ofSession === undefined && since === undefined) return undefined;
  const found: ShownChange[] = [];
  const sinceMs = since === undefined ? 0 : timeIn(since);
  for await (const record of effectiveChanges(view, place, { session: ofSession, sinceMs })) {
    if (isAllOlder(record.id, sinceMs)) break;
    if (record.timeMs >= sinceMs && isOf(ofSession, record) && concerns(record, place)) found.push(record);
  }
  if (found.length === 0) throw nothingFault("no change of that session or time is still in effect");
  return found;
}

/** Adds the changes that belong to these in other storages, and returns all of them newest first. */
async function withGroups(records: readonly ShownChange[], view: View): Promise<readonly ShownChange[]> {
  const all = new Map(records.map((record) => [record.id, record]));
  for (const { group } of records) {
    if (group === undefined) continue;
    for await (const other of view.history.records(view.checkpoint, group))
      if (other.group === group) all.set(other.id, other);
  }
  return [...all.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
}

function recordOf(id: string, view: View): ShownChange {
  const record = view.history.read(id);
  if (record) return record;
  throw new Fault("not_found", `Cannot undo ${JSON.stringify(id)}: there is no such change; history lists them`, {
    id,
    hint: "The history tool lists what can be undone",
  });
}

/** Leaves a change that also altered other directories to the user, who may see them. */
function requireAllInside({ id, elsewhere }: ShownChange): void {
  if (elsewhere === undefined) return;
  throw new Fault(
    "denied",
    `Cannot undo ${id}: it also changed ${plural(elsewhere, "file")} outside of these directories`,
    {
      id,
      hint: `Ask the user to run: holdfast undo ${id}`,
    },
  );
}

const isOf = (session: string | undefined, record: ChangeRecord): boolean =>
  session === undefined || record.session === session;

/**
 * Returns the newest change, of a session or of any, that still has an effect. Later changes without an effect are
 * marked as undone too.
 */
async function lastOf(session: string | undefined, place: SafePath | undefined, view: View): Promise<ChosenChanges> {
  const passed: ChangeRecord[] = [];
  for await (const record of effectiveChanges(view, place)) {
    if (!isOf(session, record) || !concerns(record, place)) continue;
    const group = await withGroups([record], view);
    group.forEach(requireAllInside);
    const plan = await planUndo(group, place, view);
    if (plan.conflicts.length > 0) return { records: group, plan, warnings: [] };
    if (plan.changes.length > 0) return { records: [...group, ...passed], plan, warnings: passed.map(passedNote) };
    passed.push(record);
  }
  if (session === undefined) throw nothingFault("nothing was changed here, or all changes were undone");
  throw nothingFault(place === undefined ? NOTHING : "this session has no change there that is still in effect");
}

const passedNote = ({ id, tool }: ChangeRecord): string =>
  `the later change ${id} (${tool}) had nothing left to undo; it counts as undone`;

const NOTHING = "this session has changed nothing, or all its changes were undone";

/** Checks whether a change altered something at a place or below. */
const concerns = ({ effects }: ChangeRecord, place: SafePath | undefined): boolean =>
  place === undefined || alteredWithin({}, effects, place).length > 0;

/** Selects the changes that are undone together: those of one session, or of all sessions, since a time. */
interface Scope {
  readonly session: string | undefined;
  readonly sinceMs: number;
}

/**
 * Yields the changes that are in effect, at a place if one is given, newest first. An undo is skipped together with the
 * changes that it undid. With a scope, an undo of a change outside the scope counts as a change of its own: it is
 * yielded, and so are the changes inside the scope that it undid, because they are in effect again once the undo is
 * undone.
 */
async function* effectiveChanges(view: View, place: SafePath | undefined, scope?: Scope): AsyncGenerator<ShownChange> {
  const undone = new Set<string>();
  for await (const record of view.history.records(view.checkpoint, place)) {
    if (undone.has(record.id)) continue;
    const { undoes, undoneAt } = record;
    const isChange = !undoes || (scope !== undefined && undoesOutside(record, undoes, scope, view));
    // A record without effects has nothing to undo; one of a directory that was replaced is undone by its id only.
    if (isChange && record.effects.length > 0 && !record.isOfReplaced) yield record;
    const isUndoneHere = !isChange && (undoneAt === undefined || (place !== undefined && isWithin(place, undoneAt)));
    if (isUndoneHere) for (const id of undoes ?? []) undone.add(id);
  }
}

/**
 * Returns true if an undo inside the scope undid a change outside of it. If the history has lost that change, only its
 * age decides.
 */
function undoesOutside(
  record: ChangeRecord,
  undoes: readonly string[],
  { session, sinceMs }: Scope,
  view: View,
): boolean {
  if (record.timeMs < sinceMs || !isOf(session, record)) return false;
  return undoes.some((id) => {
    const target = view.history.read(id);
    return target ? target.timeMs < sinceMs || !isOf(session, target) : sinceMs > 0;
  });
}
