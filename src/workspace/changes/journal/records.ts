import type { State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { CHANGES, journalLineOf, PENDING } from "./journal-lines.ts";

/** Yields the records of the whole history, newest first and each once. */
export function* newestFirst(state: State): Generator<ChangeRecord> {
  for (const line of linesOf(state)) {
    const record = journalLineOf(line)?.record;
    if (record) yield record;
  }
}

/**
 * Yields the records that hold a string with this start, such as a path or a version, and all undos, which may undo one
 * of them. The other lines are not parsed: undefined stands for each, so that a caller can pause.
 */
export function* newestWith(state: State, start: string): Generator<ChangeRecord | undefined> {
  const quoted = JSON.stringify(start).slice(0, -1);
  for (const line of linesOf(state))
    yield line.includes(quoted) || line.includes('"undoes":') ? journalLineOf(line)?.record : undefined;
}

function* linesOf(state: State): Generator<string> {
  let last: string | undefined;
  for (const { id, line } of inOrder(state)) {
    if (last !== undefined && id >= last) continue;
    last = id;
    yield line;
  }
}

/** A line that holds a record. */
interface RecordLine {
  readonly id: string;
  readonly line: string;
}

/**
 * Merges the history files by id and reads a file only when its newest record is due. Files of several processes
 * overlap. The range of a pending file is unknown, so pending files are read first: a file that is archived meanwhile
 * is then read twice rather than never.
 */
function* inOrder(state: State): Generator<RecordLine> {
  let waiting = state.list(PENDING).flatMap((name) => recordLinesIn(state.read(`${PENDING}/${name}`)));
  const files = filesOf(state, () => true);
  for (;;) {
    const file = files.pop();
    const isDue = ({ id }: RecordLine): boolean => file === undefined || id > file.last;
    yield* waiting.filter(isDue).toSorted((one, other) => (one.id < other.id ? 1 : -1));
    if (!file) return;
    waiting = [...waiting.filter((each) => !isDue(each)), ...recordLinesIn(state.read(file.path))];
  }
}

/** Describes a file of the history; its name holds the first and the last id in it. */
interface HistoryFile {
  readonly path: string;
  readonly first: string;
  readonly last: string;
}

/** Sorts by the newest record, the newest file last. */
const filesOf = (state: State, isWanted: (file: HistoryFile) => boolean): HistoryFile[] =>
  state
    .list(CHANGES)
    .map((name): HistoryFile => {
      const [first = "", last = first] = name.split("-");
      return { path: `${CHANGES}/${name}`, first, last };
    })
    .filter(isWanted)
    .toSorted((one, other) => (one.last < other.last ? -1 : 1));

const KEY = "record";

/** Finds the id without parsing the line: it is always at the front. */
const RECORD = /^\{"tag":"[0-9a-z]+","record":\{"id":"([0-9a-z]+)"/;

function recordLinesIn(text: string | null): readonly RecordLine[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => {
    const id = RECORD.exec(line)?.[1];
    return id === undefined ? [] : [{ id, line }];
  });
}

/** Returns the ids of the records in a file, oldest first. */
export const idsIn = (text: string | null): readonly string[] => recordLinesIn(text).map(({ id }) => id);

/** Returns null when the record was removed, or never completely written. */
export function recordWithId(state: State, id: string): ChangeRecord | null {
  const line = locateRecord(state, id)?.line;
  return (line === undefined ? undefined : journalLineOf(line)?.record) ?? null;
}

interface LocatedRecord {
  readonly path: string;
  readonly text: string;
  readonly line: string;
}

function locateRecord(state: State, id: string): LocatedRecord | undefined {
  for (const path of pathsThatMayHold(state, id)) {
    const text = state.read(path);
    const line = recordLinesIn(text).find((each) => each.id === id)?.line;
    if (text !== null && line !== undefined) return { path, text, line };
  }
  return undefined;
}

/** Yields pending files first, for the same reason as `inOrder`. */
function* pathsThatMayHold(state: State, id: string): Generator<string> {
  for (const name of state.list(PENDING)) yield `${PENDING}/${name}`;
  for (const { path } of filesOf(state, ({ first, last }) => first <= id && id <= last)) yield path;
}

/**
 * Makes a record unreadable by overwriting one byte of its key: the file is not rewritten, and the line still says that
 * the change set was committed. Removes the file with its last record.
 */
export function removeRecord(state: State, id: string): void {
  const located = locateRecord(state, id);
  if (!located) return;
  const { path, text, line } = located;
  // The file may be archived at this moment; then the record is looked up again.
  const at = text.indexOf(line) + line.indexOf(KEY);
  if (!state.overwrite(path, Buffer.byteLength(text.slice(0, at)), "-")) return removeRecord(state, id);
  if (path.startsWith(`${CHANGES}/`) && recordLinesIn(text).length === 1) state.remove(path);
}
