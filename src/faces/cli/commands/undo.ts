import { Fault, hasCode } from "../../../base/errors.ts";
import { type VerbForms, conditionalOf } from "../../../text/verb-forms.ts";
import { quoted } from "../../../text/quote.ts";
import { wholeSession } from "../changes.ts";
import type { Ask } from "../../../app/ask.ts";
import type { CliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { withChanges, withScope } from "../scope.ts";
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
  const { words, session, since, all } = settings;
  const [id] = words;
  if (words.length + ((session ?? since) ? 1 : 0) > 1)
    return usage("undo", "give one change, or --session, or --since", "holdfast undo --since 10m --dry-run");
  if (id === undefined && !all) return undoHere(settings);
  const choose = async ({ ask }: CliWorkspace) =>
    id === undefined ? (await undone(settings, ask, true)).undone : [id];
  return withChanges(settings, choose, (workspace, elsewhere) => undoIn(workspace, settings, elsewhere));
}

/** Undoes changes in the scope of the command. If the last one also changed other directories, it is undone by its id. */
async function undoHere(settings: CliSettings): Promise<number> {
  let across: string | undefined;
  const isOne = (settings.session ?? settings.since) === undefined;
  const code = await withScope(settings, (workspace) =>
    undoIn(workspace, settings).catch((error: unknown) => {
      across = changeAcross(error);
      if (across === undefined) throw error;
      if (!isOne) throw new Fault("denied", `Cannot undo ${across}: it also changed other directories; add --all`);
    }),
  );
  return isOne && across !== undefined ? undo({ ...settings, words: [across] }) : code;
}

/** Returns the id of a change that cannot be undone here because it also changed other directories. */
const changeAcross = (error: unknown): string | undefined =>
  hasCode(error, "denied") && typeof error.details["id"] === "string" ? error.details["id"] : undefined;

async function undoIn({ ask }: CliWorkspace, settings: CliSettings, elsewhere?: string): Promise<void> {
  const done = await undone(settings, ask, settings.dryRun);
  print(settings.json ? JSON.stringify(done) : undoText(done, elsewhere));
}

/** Undoes the selected changes, or only says what that would do. */
async function undone(settings: CliSettings, ask: Ask, isDryRun: boolean): Promise<UndoResult> {
  const which = await selectionOf(settings, ask);
  // A person has no session of their own, so the default is the last change of any session.
  const input = { ...which, any_session: true, path: settings.path, dry_run: isDryRun };
  return ask<UndoResult>("undo", input).catch((error: unknown) => {
    throw hasCode(error, "conflict", "no_change") ? withAlternatives(error, which, settings.path) : error;
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

function undoText({ undone: ids, files, change_id, warnings = [] }: UndoResult, elsewhere?: string): string {
  const isDone = change_id !== undefined;
  const head = isDone ? "Undid" : "Nothing was changed; this would undo";
  const redo = !isDone ? [] : [colored("dim", `To revert this undo: holdfast undo ${change_id}`)];
  const notes = warnings.map((warning) => `Note: ${warning}`);
  const lines = files.map(({ path, action }) => `  ${isDone ? action : conditionalOf(action)} ${quoted(path)}`);
  const where = elsewhere === undefined ? "" : ` in ${elsewhere}`;
  return [`${head} ${colored("id", ids.join(", "))}${where}`, ...lines, ...notes, ...redo].join("\n");
}
