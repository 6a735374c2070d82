import { Fault, hasCode } from "../../../base/errors.ts";
import { type VerbForms, conditionalOf } from "../../../text/verb-forms.ts";
import { quoted } from "../../../text/quote.ts";
import { wholeSession } from "../changes.ts";
import { type Ask, withCliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { print, colored, usage } from "../terminal.ts";

interface UndoResult {
  readonly undone: readonly string[];
  readonly files: readonly { readonly path: string; readonly action: VerbForms }[];
  /** Absent in a dry run. */
  readonly change_id?: string;
  readonly warnings?: readonly string[];
}

/** Runs `holdfast undo [<change-id>]`: undoes one change, those of a session, or all since a time. */
export async function undo(settings: CliSettings): Promise<number> {
  const { words, session, since, path, dryRun, json } = settings;
  if (words.length + ((session ?? since) ? 1 : 0) > 1)
    return usage("undo", "give one change, or --session, or --since", "holdfast undo --since 10m --dry-run");
  return withCliWorkspace(settings, async ({ ask }) => {
    const which = await selectionOf(settings, ask);
    // A person has no session of their own, so the default is the last change of any session.
    const input = { ...which, any_session: true, path, dry_run: dryRun };
    const done = await ask<UndoResult>("undo", input).catch((error: unknown) => {
      throw hasCode(error, "conflict", "no_change") ? withAlternatives(error, which, path) : error;
    });
    print(json ? JSON.stringify(done) : undoText(done));
  });
}

interface UndoSelection {
  readonly change_id?: string;
  readonly session?: string | undefined;
  readonly since?: string | undefined;
}

/** Returns the changes that are named. An empty selection means the last change. */
async function selectionOf({ words: [id], session, since }: CliSettings, ask: Ask): Promise<UndoSelection> {
  if (session !== undefined || since !== undefined) return { session: await wholeSession(ask, session), since };
  return id === undefined ? {} : { change_id: id };
}

/** Adds the commands that undo something else instead. */
function withAlternatives(fault: Fault, { session, since }: UndoSelection, path: string | undefined): Fault {
  const { next_change: next, free_path: free, conflicts } = fault.details as WaysOut;
  if (next === undefined && fault.code === "no_change") return fault;
  const pathFlag = path === undefined ? "" : ` --path ${quoted(path)}`;
  const other = session === undefined && since === undefined ? "the change before" : "another change";
  const ways = [
    next !== undefined && `To undo ${other}: holdfast undo ${next}${pathFlag}`,
    free !== undefined &&
      `To undo one file of this one: holdfast undo ${conflicts?.[0]?.changes[0]} --path ${quoted(free)}`,
  ].filter((way) => way !== false);
  const hint = ["Nothing was changed; holdfast history lists all changes", ...ways].join("\n");
  return new Fault(fault.code, `${fault.message}\n${hint}`, { ...fault.details, hint });
}

/** Holds the alternatives in the details of a refused undo. */
interface WaysOut {
  readonly next_change?: string;
  readonly free_path?: string;
  readonly conflicts?: readonly { readonly changes: readonly string[] }[];
}

function undoText({ undone, files, change_id, warnings = [] }: UndoResult): string {
  const isDone = change_id !== undefined;
  const head = isDone ? "Undid" : "Nothing was changed; this would undo";
  const redo = !isDone ? [] : [colored("dim", `To revert this undo: holdfast undo ${change_id}`)];
  const notes = warnings.map((warning) => `Note: ${warning}`);
  const lines = files.map(({ path, action }) => `  ${isDone ? action : conditionalOf(action)} ${quoted(path)}`);
  return [`${head} ${colored("id", undone.join(", "))}`, ...lines, ...notes, ...redo].join("\n");
}
