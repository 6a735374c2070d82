import { userInfo } from "node:os";

/** The result of a call as a scenario compares it. */
export interface Answer {
  readonly isError: boolean;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const TIMES = ["modified", "created", "accessed", "deleted", "recoverable_until", "time"];

/** Fields that differ from machine to machine or from run to run. */
const VOLATILE = new Set([
  ...TIMES,
  "version",
  "session_id",
  "session",
  "containment",
  "change_id",
  "trash_id",
  "trash_path",
]);

/** Lists of such values, and what each of them is. */
const LISTS: Readonly<Record<string, string>> = { undone: "change_id", undoes: "change_id", others: "trash_id" };

/** The same answers on every machine: each value that cannot be foreseen gives way to its name. */
export function steady(answers: readonly Answer[], root: string): readonly Answer[] {
  const names = new Map<string, string>([[root, "<root>"]]);
  const datas = answers.map(({ data }) => steadied(data, names));
  const seen = [...names].toSorted(([a], [b]) => b.length - a.length);
  const unmistakable = seen.filter(([value]) => value.length >= UNMISTAKABLE);
  return answers.map(({ isError, text }, index) => ({
    isError,
    text: replaced(text, seen),
    data: JSON.parse(replaced(JSON.stringify(datas[index]), unmistakable.map(asInJson))) as Answer["data"],
  }));
}

/** A shorter value may stand in an answer by chance. */
const UNMISTAKABLE = 12;

type Replacement = readonly [value: string, name: string];

const asInJson = ([value, name]: Replacement): Replacement => [JSON.stringify(value).slice(1, -1), name];

const replaced = (text: string, all: readonly Replacement[]): string =>
  all.reduce((rest, [value, name]) => rest.replaceAll(value, name), text);

function steadied(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => steadied(each, names));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, nameFor(key, each, value, names) ?? steadied(each, names)]),
  );
}

function nameFor(key: string, value: unknown, of: object, names: Map<string, string>): unknown {
  if (key === "size" && "type" in of && of.type === "directory")
    return remember("<size>", `${String(value)} bytes`, names);
  const listed = LISTS[key];
  if (listed !== undefined && Array.isArray(value)) {
    return value.map((each) => nameFor(listed, each, of, names) ?? steadied(each, names));
  }
  if (typeof value !== "string") return undefined;
  if (key === "owner" && value === userInfo().username) return remember("<owner>", `, ${value}`, names);
  const isOpaque = key === "cursor" && value.length > SHORT_CURSOR;
  return VOLATILE.has(key) || isOpaque ? remember(`<${key}>`, value, names) : undefined;
}

/** The cursors of ls are plain numbers, and the same everywhere. */
const SHORT_CURSOR = 9;

/** A text does not tell which time it shows, and may cut it to seconds. */
function remember(name: string, value: string, names: Map<string, string>): string {
  const isTime = TIMES.includes(name.slice(1, -1));
  if (isTime) names.set(`${value.slice(0, 19)}Z`, "<time>");
  names.set(value, isTime ? "<time>" : `${value.startsWith(", ") ? ", " : ""}${name}`);
  return name;
}
