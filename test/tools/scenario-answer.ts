import { userInfo } from "node:os";

/** What a call gave, as a scenario compares it. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Fields that differ from machine to machine or from run to run. */
const VOLATILE = new Set(["version", "modified", "created", "session_id", "containment"]);

/** The same answer on every machine: each value that cannot be foreseen gives way to its name. */
export function steady({ isError, text, data }: Answer, root: string): Answer {
  const told = new Map<string, string>([[root, "<root>"]]);
  const steadyData = steadied(data, told);
  const seen = [...told].toSorted(([a], [b]) => b.length - a.length);
  const shown = seen.reduce((rest, [value, name]) => rest.replaceAll(value, name), text);
  return { isError, text: shown, data: JSON.parse(replacedRoot(JSON.stringify(steadyData), root)) };
}

function steadied(value: unknown, told: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => steadied(each, told));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, nameFor(key, each, value, told) ?? steadied(each, told)]),
  );
}

function nameFor(key: string, value: unknown, of: object, told: Map<string, string>): string | undefined {
  if (key === "size" && "type" in of && of.type === "directory")
    return remember("<size>", `${String(value)} bytes`, told);
  if (typeof value !== "string") return undefined;
  if (key === "owner" && value === userInfo().username) return remember("<owner>", `, ${value}`, told);
  const isOpaque = key === "cursor" && value.length > SHORT_CURSOR;
  return VOLATILE.has(key) || isOpaque ? remember(`<${key}>`, value, told) : undefined;
}

/** The cursors of ls are plain numbers, and the same everywhere. */
const SHORT_CURSOR = 9;

/** A text does not tell which time it shows, and may cut it to seconds. */
function remember(name: string, value: string, told: Map<string, string>): string {
  const isTime = name === "<modified>" || name === "<created>";
  if (isTime) told.set(`${value.slice(0, 19)}Z`, "<time>");
  told.set(value, isTime ? "<time>" : `${value.startsWith(", ") ? ", " : ""}${name}`);
  return name;
}

const replacedRoot = (json: string, root: string): string =>
  json.replaceAll(JSON.stringify(root).slice(1, -1), "<root>");

/** The arguments of a call, with "<root>" and the "<cursor>" of the answer before put in. */
export function given(input: unknown, root: string, before: Answer | undefined): unknown {
  const cursor = String(before?.data["cursor"]);
  return JSON.parse(JSON.stringify(input).replaceAll('"<cursor>"', JSON.stringify(cursor)).replaceAll("<root>", root));
}
