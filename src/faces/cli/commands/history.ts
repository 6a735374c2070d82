import { LIMITS } from "../../../base/limits.ts";
import { plural } from "../../../text/plural.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { type ChangePage, type ListedChange, type ListedFile, shortSession, wholeSession } from "../changes.ts";
import type { CliSettings } from "../flags.ts";
import { withScope } from "../scope.ts";
import { formatTable, type Cell, localTime, print, colored, usage } from "../terminal.ts";

/** Runs `holdfast history [<path>]`: lists changes, newest first. */
export async function history(settings: CliSettings): Promise<number> {
  const { words, since, limit, json } = settings;
  const [path, ...extra] = words;
  if (extra.length > 0) return usage("show history", "give one path at most", "holdfast history src/main.ts --limit 5");
  return withScope(settings, async ({ ask, name }) => {
    const session = await wholeSession(ask, settings.session);
    const page = await ask<ChangePage>("history", { path, session, since, limit });
    if (json) return print(JSON.stringify(page));
    if (page.changes.length === 0)
      return print(nothingIn(settings.all ? undefined : name, [path, session, since].some(Boolean)));
    print(tableOf(page.changes));
    const more = Math.min(2 * page.changes.length, LIMITS.historyEntriesMost);
    if (page.truncated) print(colored("dim", `[Cut: there are older changes; --limit ${more}]`));
  });
}

function nothingIn(name: string | undefined, isNarrowed: boolean): string {
  const what = isNarrowed ? "No matching changes" : "No changes";
  return name === undefined ? what : `${what} in ${name}; use --root for another directory, --all for all`;
}

function tableOf(changes: readonly ListedChange[]): string {
  return formatTable(changes.flatMap(rowsOf));
}

/** Returns a row per file. Only the first has the columns of the change. */
function rowsOf({
  change_id,
  time,
  session,
  tool,
  command,
  files,
  undoes,
  undone,
  elsewhere,
  other_directory: isOther,
}: ListedChange): Cell[][] {
  const head: Cell[] = [["id", change_id], localTime(time), ["dim", shortSession(session)], ["strong", tool]];
  const more = elsewhere && `and ${plural(elsewhere, "file")} elsewhere`;
  const notes = [
    command && visible(firstLine(command)),
    isOther && OTHER_DIRECTORY,
    more,
    undone && "undone",
    undoes && `undoes ${undoes.join(", ")}`,
  ].filter(Boolean);
  const [first = "no files", ...others] = files.map(fileText);
  const what = [first, ...notes.map((note) => colored("dim", `(${note})`))].join(" ");
  return [[...head, what], ...others.map((text) => [...head.map(() => ""), text])];
}

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? "";

const OTHER_DIRECTORY = "in another directory that had this path";

function fileText({ action, path, from, added, removed, replaced_unseen: isUnseen }: ListedFile): string {
  const name = from === undefined ? quoted(path) : `${quoted(from)} → ${quoted(path)}`;
  const counts = [added && colored("good", `+${added}`), removed && colored("bad", `-${removed}`)];
  return [action, name, ...counts, isUnseen && colored("dim", "(replaced unseen)")].filter(Boolean).join(" ");
}
