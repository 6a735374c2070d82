import { plural } from "../../text/plural.ts";
import { noteOf, withoutSequences, withVisibleText } from "./neutralise.ts";

/** Turns raw lines into visible ones; folds lines that overwrite themselves, and repetitions of a line. */
export function foldedLines(text: string): string {
  const lines = withoutSequences(text).split("\n").map(lastStateOf);
  return foldRepeated(lines).join("\n");
}

/** Shows the last state of a line that was overwritten by carriage returns or backspaces, as progress bars are. */
function lastStateOf(raw: string): string {
  if (!OVERWRITES.test(raw)) return withVisibleText(raw);
  const plain = raw.replace(OVERSTRUCK, "");
  const states = plain.split(/\r+/).filter((state) => state.trim() !== "");
  const last = states.at(-1) ?? "";
  const kept = last.replace(ERASED, "");
  const dropped = Math.max(0, states.length - 1) + (kept === last ? 0 : 1);
  const shown = withVisibleText(kept);
  return dropped > 0 ? `${shown} ${noteOf(`${plural(dropped, "earlier state")} of this line left out`)}` : shown;
}

const OVERWRITES = /[\r\b]/;
/** Matches bold and underlined text of manual pages: a character over itself, or over an underscore. */
const OVERSTRUCK = /(?:_[\b](?=[^\b])|([^\b])[\b](?=\1))/gu;
/** Matches characters that a backspace goes back over. */
const ERASED = /(?:[^\b][\b])+/gu;

/** Replaces repetitions of a line by their number. */
function foldRepeated(lines: readonly string[]): readonly string[] {
  const folded: string[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at] as string;
    let end = at + 1;
    while (end < lines.length && lines[end] === line) end += 1;
    if (end - at >= LEAST_REPEATED) folded.push(line, noteOf(`the line above ${end - at - 1} more times`));
    else folded.push(...lines.slice(at, end));
    at = end;
  }
  return folded;
}

/** Two equal lines are as short as a line and a note. */
const LEAST_REPEATED = 4;
