import { Fault, hasCode } from "../../../base/errors.ts";
import { type Done, intended } from "../../../text/done.ts";
import { quoted } from "../../../text/quote.ts";
import { lastStanding, standingBefore, wholeSession } from "../changes.ts";
import { type Ask, atDesk } from "../desk.ts";
import type { Settings } from "../flags.ts";
import { print, toned, usage } from "../terminal.ts";

interface Undone {
  readonly undone: readonly string[];
  readonly files: readonly { readonly path: string; readonly action: Done }[];
  /** Absent in a dry run. */
  readonly change_id?: string;
  /** Later changes that had nothing left to undo. */
  readonly passed?: readonly string[];
}

/** `holdfast undo [<change-id>]`: takes back one change, those of a session, or all since a time. */
export async function undo(settings: Settings): Promise<number> {
  const { words, session, since, path, dryRun, json } = settings;
  if (words.length + ((session ?? since) ? 1 : 0) > 1)
    return usage("undo", "give one change, or --session, or --since", "holdfast undo --since 10m --dry-run");
  return atDesk(settings, async ({ ask }) => {
    const undoOne = (which: Which): Promise<Undone> =>
      ask<Undone>("undo", { ...which, path, dry_run: dryRun }).catch(async (error: unknown) => {
        throw hasCode(error, "conflict", "no_change") ? await withWayOut(error, which.change_id, path, ask) : error;
      });
    const which = await whichOf(settings, ask);
    const done = which ? await undoOne(which) : await undoLast(undoOne, path, ask);
    print(json ? JSON.stringify(done) : wordsFor(done));
  });
}

interface Which {
  readonly change_id?: string;
  readonly session?: string | undefined;
  readonly since?: string | undefined;
}

/** Returns what is named; undefined for the last change. */
async function whichOf({ words: [id], session, since }: Settings, ask: Ask): Promise<Which | undefined> {
  if (session !== undefined || since !== undefined) return { session: await wholeSession(ask, session), since };
  return id === undefined ? undefined : { change_id: id };
}

/** Undoes the last change that has an effect left, whoever made it: a person has no session of their own. */
async function undoLast(
  undoOne: (which: Which) => Promise<Undone>,
  path: string | undefined,
  ask: Ask,
): Promise<Undone> {
  const passed: string[] = [];
  for (let { change_id } = await lastStanding(ask, path); ;) {
    try {
      const done = await undoOne({ change_id });
      return passed.length > 0 ? { ...done, passed } : done;
    } catch (error) {
      const next = hasCode(error, "no_change") ? await standingBefore(ask, path, change_id) : undefined;
      if (!next) throw error;
      passed.push(change_id);
      ({ change_id } = next);
    }
  }
}

/** Names the command that undoes something else: whoever sits here undoes changes of every session. */
async function withWayOut(fault: Fault, id: string | undefined, path: string | undefined, ask: Ask): Promise<Fault> {
  const { next_change: offered, free_path: free } = fault.details as { next_change?: string; free_path?: string };
  const next = id === undefined ? offered : (await standingBefore(ask, path, id))?.change_id;
  const behind = path === undefined ? "" : ` --path ${quoted(path)}`;
  const ways = [
    next !== undefined &&
      `To undo ${id === undefined ? "another change" : "the change before"}: holdfast undo ${next}${behind}`,
    free !== undefined && `To undo one file of this one: holdfast undo ${id} --path ${quoted(free)}`,
  ].filter((way) => way !== false);
  const hint = ["Nothing was changed; holdfast history lists all changes", ...ways].join("\n");
  return new Fault(fault.code, `${fault.message}\n${hint}`, { ...fault.details, hint });
}

function wordsFor({ undone, files, change_id, passed = [] }: Undone): string {
  const isDone = change_id !== undefined;
  const head = isDone ? "Undid" : "Nothing was changed; this would undo";
  const back = !isDone ? [] : [toned("dim", `To take that back: holdfast undo ${change_id}`)];
  const notes = passed.map((id) => `Passed over ${toned("id", id)}: it had nothing left to undo`);
  const lines = files.map(({ path, action }) => `  ${isDone ? action : intended(action)} ${quoted(path)}`);
  return [`${head} ${toned("id", undone.join(", "))}`, ...lines, ...notes, ...back].join("\n");
}
