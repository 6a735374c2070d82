import type { ChangeWithDiff } from "../../../runtime/admin.ts";
import { quoted, visible } from "../../../text/quote.ts";
import { shortSession } from "../changes.ts";
import type { CliSettings } from "../flags.ts";
import { coloredPatchLine } from "../patch-colors.ts";
import { withChanges } from "../scope.ts";
import { localTime, print, colored, usage } from "../terminal.ts";

/** Runs `holdfast diff <change-id>`: prints a change as a patch, which `git apply` accepts if every file is text. */
export async function diff(settings: CliSettings): Promise<number> {
  const { words, json } = settings;
  const [id, ...extra] = words;
  if (id === undefined || extra.length > 0)
    return usage("show a change", "give one change; holdfast history lists them", "holdfast diff 0mb2q7k1x9a4f3c");
  const choose = async () => [id];
  return withChanges(settings, choose, async ({ admin }, elsewhere) => {
    const change = await admin.diff(id);
    print(json ? JSON.stringify(change) : textOf(change, elsewhere));
  });
}

function textOf({ change_id, time, session, tool, files }: ChangeWithDiff, elsewhere: string | undefined): string {
  const where = elsewhere === undefined ? "" : `  in ${elsewhere}`;
  const head = `change ${change_id}  ${localTime(time)}  ${shortSession(session)}  ${tool}${where}`;
  return [colored("id", head), ...files.flatMap(linesOf)].join("\n");
}

function linesOf({ path, action, from, diff: text = "", note }: ChangeWithDiff["files"][number]): readonly string[] {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n").map(coloredLine);
  if (text !== "" && note === undefined) return lines;
  const name = from === undefined ? quoted(path) : `${quoted(from)} → ${quoted(path)}`;
  return [`${action} ${name}${note === undefined ? "" : `: ${note}`}`, ...lines];
}

/** Escapes control characters on a terminal. Elsewhere the patch stays byte for byte. */
function coloredLine(line: string): string {
  return coloredPatchLine(line, process.stdout.isTTY ? line.split("\t").map(visible).join("\t") : line);
}
