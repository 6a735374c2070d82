import { LIMITS } from "../../../base/limits.ts";
import { quoted } from "../../../text/quote.ts";
import { type ChangePage, type ListedChange, type ListedFile, shortSession, wholeSession } from "../changes.ts";
import { withCliWorkspace } from "../cli-workspace.ts";
import type { CliSettings } from "../flags.ts";
import { formatTable, type Cell, localTime, print, colored, usage } from "../terminal.ts";

/** Runs `holdfast history [<path>]`: lists changes, newest first. */
export async function history(settings: CliSettings): Promise<number> {
  const { words, since, limit, json } = settings;
  const [path, ...extra] = words;
  if (extra.length > 0) return usage("show history", "give one path at most", "holdfast history src/main.ts --limit 5");
  return withCliWorkspace(settings, async ({ ask, name }) => {
    const session = await wholeSession(ask, settings.session);
    const page = await ask<ChangePage>("history", { path, session, since, limit });
    if (json) return print(JSON.stringify(page));
    if (page.changes.length === 0) return print(nothingIn(name, [path, session, since].some(Boolean)));
    print(tableOf(page.changes));
    const more = Math.min(2 * page.changes.length, LIMITS.historyEntriesMost);
    if (page.truncated) print(colored("dim", `[Cut: there are older changes; --limit ${more}]`));
  });
}

function nothingIn(name: string, isNarrowed: boolean): string {
  if (isNarrowed) return `No matching changes in ${name}; holdfast history shows all, use --root for another directory`;
  return `No changes in ${name}; use --root for another directory`;
}

function tableOf(changes: readonly ListedChange[]): string {
  return formatTable(changes.flatMap(rowsOf));
}

/** Returns a row per file. Only the first has the columns of the change. */
function rowsOf({ change_id, time, session, tool, files, undoes, undone }: ListedChange): Cell[][] {
  const head: Cell[] = [["id", change_id], localTime(time), ["dim", shortSession(session)], ["strong", tool]];
  const notes = [undone && "undone", undoes && `undoes ${undoes.join(", ")}`].filter(Boolean);
  const [first = "no files", ...others] = files.map(fileText);
  const what = [first, ...notes.map((note) => colored("dim", `(${note})`))].join(" ");
  return [[...head, what], ...others.map((text) => [...head.map(() => ""), text])];
}

function fileText({ action, path, from, added, removed, replaced_unseen: isUnseen }: ListedFile): string {
  const name = from === undefined ? quoted(path) : `${quoted(from)} → ${quoted(path)}`;
  const counts = [added && colored("good", `+${added}`), removed && colored("bad", `-${removed}`)];
  return [action, name, ...counts, isUnseen && colored("dim", "(replaced unseen)")].filter(Boolean).join(" ");
}
