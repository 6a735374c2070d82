import { quoted, visible } from "../../src/text/quote.ts";
import type { Answer } from "./scenario-answer.ts";

type Data = Readonly<Record<string, unknown>>;

/** Checks that the text of an answer contains the value of one field of its data. */
type FieldCheck = (value: unknown, text: string, around: Data) => boolean;

/** The text shows the value as it is. */
const asIs: FieldCheck = (value, text) => [value].flat().every((each) => text.includes(String(each)));

/** The text says it in words of its own wherever it is so. */
const inWords =
  (...words: readonly string[]): FieldCheck =>
  (value, text) =>
    value === false || value === undefined || words.some((word) => text.includes(word));

/** Only the data has it: a model needs it for nothing that it can do next, or has check it itself. */
const onlyData: FieldCheck = () => true;

/** The fields below say it, each for itself. */
const byItsFields: FieldCheck = () => true;

/** An offset goes on as well as a cursor does. */
const oneWayOn: FieldCheck = (cursor, text, { next_offset: offset, truncated }) =>
  truncated !== true || [cursor, offset].some((way) => way !== undefined && text.includes(`=${wordOf(way)}`));

const wordOf = (way: unknown): string => (typeof way === "string" ? JSON.stringify(way) : String(way));

/**
 * Every field of an answer of a native tool, and how a model that is shown only the text learns of it. A field that is
 * missing here fails the test: whoever adds one decides how its tool says it.
 */
const FIELDS: Readonly<Record<string, FieldCheck>> = {
  notes: (notes, text) => (notes as readonly string[]).every((note) => text.includes(`[${note}]`)),
  warnings: (warnings, text) => (warnings as readonly string[]).every((each) => text.includes(`Note: ${each}`)),
  truncated: (is, _, { notes, tree }) => is === false || /Cut|Stopped/.test(JSON.stringify([notes, tree])),
  cursor: oneWayOn,
  next_offset: oneWayOn,
  diff: (diff, text) => text.includes(String(diff).trimEnd()),
  document: byItsFields,
  documents_not_searched: inWords("document"),
  format: onlyData,
  unit: onlyData,
  first: onlyData,
  last: onlyData,
  content: asIs,
  tree: asIs,
  sha256: (sum, text, around) => "source" in around || "reclaim" in around || asIs(sum, text, around),
  encoding: (label, text) => ["utf-8", "base64"].includes(String(label)) || text.includes(String(label)),
  session_id: asIs,
  problems: asIs,
  profile: asIs,
  containment: asIs,
  guarantees: onlyData,
  watch_id: (id, text, around) => "events" in around || asIs(id, text, around),
  dry_run: inWords("dry run"),
  unchanged: inWords("Left as it is"),
  replaced_unseen: inWords("has not read", "replaced unseen"),
  overflow: inWords("Overflow"),
  at_least: inWords("at least", "more than", "more matches", "Not counted"),
  cancelled: inWords("Ended"),
  outside: inWords("leads outside"),
  dangling: inWords("leads to nothing"),
  nearest: inWords("did you mean"),
  binary: inWords("binary file", ".bin", "\n", ": "),
  elsewhere: inWords("elsewhere"),
  other_directory: inWords("another directory"),
  undone: (is, text) => Array.isArray(is) || is === false || text.includes("undone"),
  exists: (is, text) => is === true || text.includes("does not exist"),
  counted: (is, text) => is === true || text.includes("at least"),
  tier: (tier, text) => tier === "exact" || text.includes(String(tier).replace("_", " ")),
  message: (message, text) => text.includes(visible(String(message))),
  hint: asIs,
  note: asIs,
  reason: asIs,
  trash_id: (id, text, around) => !("deleted" in around) || asIs(id, text, around),
  deleted: asIs,
  total_matches: (total, text, { truncated }) =>
    truncated !== true || /\bmatches\b|=/.test(text) || asIs(total, text, {}),
  not_compared: asIs,
  unreadable: asIs,
  blocked: asIs,
  change_id: (id, text, around) => !("tool" in around) || asIs(id, text, around),
  ...all(asIs, "packed", "extracted"),
  ...all(onlyData, "archive", "into", "to"),
  ...all(
    byItsFields,
    "skipped",
    "files",
    "entries",
    "matches",
    "groups",
    "duplicates",
    "events",
    "changes",
    "roots",
    "others",
    "net",
  ),
  ...all(byItsFields, "hidden_tools", "not_searched", "needs_approval", "stopped", "enclosing", "error", "conflicts"),
  ...all(onlyData, "process_id", "status", "exit_code", "signal", "duration_ms", "cwd", "applied"),
  command: (command, text) => text.includes(quoted(String(command))),
  output: asIs,
  undo: asIs,
  not_applied: asIs,
  ...all(byItsFields, "processes", "diagnostics"),
  ...all(byItsFields, "resumed", "before", "after", "paths", "limits", "counters"),
  // Names and numbers of what is listed: a scenario compares them as a whole.
  ...all(onlyData, "path", "name", "type", "size", "count", "value", "key", "line", "column", "text", "by", "from"),
  ...all(
    onlyData,
    "read",
    "write",
    "tool",
    "time",
    "action",
    "added",
    "removed",
    "reclaim",
    "target",
    "total",
    "shown",
  ),
  // For the operator: the reason names the word that hides a tool, and a refused call says what would bring it back.
  fix: onlyData,
  // For programs, or what the caller has just check.
  ...all(onlyData, "version", "modified", "created", "accessed", "permissions", "owner", "mime", "bytes", "code"),
  ...all(onlyData, "source", "destination", "replaced", "replacements", "recursive", "session", "undoes"),
  ...all(onlyData, "trash_path", "recoverable_until", "total_lines", "total_files", "truncated_by"),
};

function all(check: FieldCheck, ...names: readonly string[]): Readonly<Record<string, FieldCheck>> {
  return Object.fromEntries(names.map((name) => [name, check]));
}

/** Fields that nobody has decided about. */
export const undecided = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !Object.hasOwn(FIELDS, name));

/** Lists differences between the text and the data of an answer, because hosts show a model only one of them. */
export function saidOnce({ isError, text, data }: Answer): readonly string[] {
  if (!isError) return [...onlyInData(data, text), ...onlyInText(text, data)];
  const { message, hint } = data["error"] as Data;
  return text === `${visible(String(message))}\n${String(hint)}` ? [] : [`not the message and the hint: ${text}`];
}

function onlyInData(value: unknown, text: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => onlyInData(each, text));
  if (typeof value !== "object" || value === null) return [];
  const around = value as Data;
  return Object.entries(around).flatMap(([name, each]) => [
    ...(each === undefined || (FIELDS[name] ?? onlyData)(each, text, around) ? [] : [`only in data: ${name}`]),
    ...onlyInData(each, text),
  ]);
}

/** Lines in brackets, and notes of a change, that stand in no list of the data. What is shown of files may look alike. */
function onlyInText(text: string, data: Data): readonly string[] {
  const shown = stringsUnder(["content", "tree", "diff", "text", "before", "after"], data);
  // Media have no text: they are named by their type.
  const notes = new Set(stringsUnder(["notes", "mime"], data));
  // A warning may go on for some lines, to show what came from elsewhere.
  const warnings = new Set(stringsUnder(["warnings"], data).map((each) => each.split("\n")[0]));
  const own = shown.filter((each) => each !== "").reduce((rest, each) => rest.replaceAll(each.trimEnd(), ""), text);
  return own.split("\n").flatMap((line) => {
    const [, note, warning] = /^(?:\[(.+)\]|Note: (.+))$/.exec(line) ?? [];
    const isInBoth = (note === undefined || notes.has(note)) && (warning === undefined || warnings.has(warning));
    return isInBoth ? [] : [`only in text: ${line}`];
  });
}

function stringsUnder(names: readonly string[], value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((each) => stringsUnder(names, each));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    names.includes(name) && (typeof each === "string" || isListOfStrings(each))
      ? [each].flat()
      : stringsUnder(names, each),
  );
}

const isListOfStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");
