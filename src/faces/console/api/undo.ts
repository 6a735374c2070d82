import * as z from "zod";
import { type Ask, createAsk } from "../../../app/ask.ts";
import { type Fault, hasCode } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isoOf } from "../../../base/time.ts";
import type { UndoConflict, UndoneFile, UndoOutcome } from "../contract.ts";
import { namedFiles } from "./change-entry.ts";
import { type ApiCall, type Endpoint, idText, parsed, pathText } from "./endpoint.ts";
import { rootsOfChange, rootsOfSession, wholeHistory, withDirectories } from "./scope.ts";

const body = z
  .strictObject({
    change: idText.optional(),
    session: idText.optional(),
    path: pathText.optional(),
    dryRun: z.boolean(),
  })
  .refine(({ change, session }) => (change === undefined) !== (session === undefined), {
    message: "give a change or a session",
  });

type UndoBody = z.output<typeof body>;

/** Undoes something as the person: the rules of its directories apply, and the click is the approval. */
export const undo: Endpoint = {
  method: "POST",
  path: "/api/undo",
  async handle(call): Promise<UndoOutcome> {
    const wanted = parsed(body, call.body);
    const { change = "", session, dryRun: isDryRun } = wanted;
    const roots = session === undefined ? rootsOfChange(call, change) : await rootsOfSession(call, session);
    return withDirectories(call, roots, async (app) => {
      const ask = createAsk(app.session);
      try {
        return outcomeOf(await undone(ask, wanted, isDryRun));
      } catch (error) {
        if (hasCode(error, "no_change")) return { ...NOTHING, notes: [error.message] };
        if (!hasCode(error, "conflict") || error.details["conflicts"] === undefined) throw error;
        if (!isDryRun) return withConflicts(error);
        return withLaterChanges(call, wanted, await tried(ask, wanted, await pathsOf(call, wanted)));
      }
    });
  },
};

/** The answer of the tool. */
interface ToolAnswer {
  readonly files: readonly { readonly path: string; readonly action: string }[];
  readonly change_id?: string;
  readonly warnings?: readonly string[];
}

const undone = (ask: Ask, { change, session, path }: UndoBody, isDryRun: boolean): Promise<ToolAnswer> =>
  ask<ToolAnswer>("undo", { change_id: change, session, path, dry_run: isDryRun });

const NOTHING: UndoOutcome = { done: false, files: [], conflicts: [], notes: [] };

const outcomeOf = ({ files, change_id: id, warnings = [] }: ToolAnswer): UndoOutcome => ({
  done: id !== undefined,
  ...(id !== undefined && { change: id }),
  files: files.map(undoneFileOf),
  conflicts: [],
  notes: warnings,
});

const undoneFileOf = ({ path, action }: ToolAnswer["files"][number]): UndoneFile => ({
  path,
  action,
  ...(action === "Merged" && { keeps: "later edits of it stay" }),
});

const withConflicts = (fault: Fault): UndoOutcome => ({ ...NOTHING, conflicts: conflictsIn(fault) });

const conflictsIn = ({ details }: Fault): UndoOutcome["conflicts"] =>
  (details["conflicts"] as UndoOutcome["conflicts"]).map(({ path, reason }) => ({ path, reason }));

/** Lists the files that the selected changes touched, by the names that the tool takes. */
async function pathsOf(call: ApiCall, { change: id, session, path }: UndoBody): Promise<readonly string[]> {
  const paths = new Set<string>();
  let seen = 0;
  for await (const change of wholeHistory(call).changes()) {
    if (seen++ === LIMITS.consoleChanges) break;
    const isSelected = id === undefined ? change.session === session && !change.isUndone : change.id === id;
    if (!isSelected) continue;
    for (const file of namedFiles(change.effects, change)) paths.add(file.path);
    if (id !== undefined) break;
  }
  return [...paths].filter((each) => path === undefined || each === path || each.startsWith(`${path}/`));
}

/** Names the newest later change of each file in conflict, which is where a person looks next. */
async function withLaterChanges(call: ApiCall, { change: id }: UndoBody, outcome: UndoOutcome): Promise<UndoOutcome> {
  if (id === undefined) return outcome;
  const later = new Map<string, NonNullable<UndoConflict["later"]>>();
  for await (const change of wholeHistory(call).changes()) {
    if (change.id <= id) break;
    if (change.isUndone || change.undoes) continue;
    const entry = { change: change.id, agent: call.sessions.agentOf(change.session), time: isoOf(change.timeMs) };
    for (const { path } of namedFiles(change.effects, change)) if (!later.has(path)) later.set(path, entry);
  }
  const named = (conflict: UndoConflict): UndoConflict => {
    const found = later.get(conflict.path);
    return found ? { ...conflict, later: found } : conflict;
  };
  return { ...outcome, conflicts: outcome.conflicts.map(named) };
}

/** Tries the first files one by one, and says so where there are more. */
async function tried(ask: Ask, wanted: UndoBody, paths: readonly string[]): Promise<UndoOutcome> {
  const most = LIMITS.consoleUndoTries;
  const outcome = await triedAlone(ask, wanted, paths.slice(0, most));
  if (paths.length <= most) return outcome;
  return { ...outcome, notes: [...outcome.notes, `Only the first ${most} of ${paths.length} files are listed`] };
}

/** Says for each file whether it can be undone alone. */
async function triedAlone(ask: Ask, wanted: UndoBody, paths: readonly string[]): Promise<UndoOutcome> {
  const files = new Map<string, UndoneFile>();
  const conflicts = new Map<string, UndoOutcome["conflicts"][number]>();
  const notes = new Set<string>();
  for (const path of paths) {
    try {
      const outcome = outcomeOf(await undone(ask, { ...wanted, path }, true));
      for (const file of outcome.files) files.set(file.path, file);
      for (const note of outcome.notes) notes.add(note);
    } catch (error) {
      if (hasCode(error, "no_change")) continue;
      if (!hasCode(error, "conflict") || error.details["conflicts"] === undefined) throw error;
      for (const conflict of conflictsIn(error)) conflicts.set(conflict.path, conflict);
    }
  }
  const free = [...files.values()].filter(({ path }) => !conflicts.has(path));
  return { done: false, files: free, conflicts: [...conflicts.values()], notes: [...notes] };
}
