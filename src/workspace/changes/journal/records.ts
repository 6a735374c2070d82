import { PENDING, type State, WAITING } from "../../../storage/state.ts";
import type { RootIdentity } from "../../../storage/root-identity.ts";
import type { ChangeRecord } from "../change.ts";
import { CHANGES, journalLineOf, rootsIn } from "./journal-lines.ts";

/** A record as the history of this machine keeps it. */
export interface StoredRecord extends ChangeRecord {
  /** Lists the roots of the workspace that made the change; none for changes of older versions. */
  readonly roots: readonly RootIdentity[];
}

/** Yields the records of the whole history, newest first and each once. */
export function* newestFirst(state: State): Generator<StoredRecord> {
  for (const line of linesOf(state, state.read)) {
    const record = line && recordIn(line);
    if (record) yield record;
  }
}

/**
 * Yields the records that hold a string with this start, such as a path or a version, and all undos, which may undo one
 * of them. Other lines are neither decoded nor parsed. Yields undefined after each file, so that a caller can pause.
 */
export function* newestWith(state: State, start: string): Generator<StoredRecord | undefined> {
  const wanted = [JSON.stringify(start).slice(0, -1), '"undoes":'];
  const readWanted = (path: string): string | null => {
    const bytes = state.readBytes(path);
    return bytes && linesWith(bytes, wanted);
  };
  for (const line of linesOf(state, readWanted)) yield line && recordIn(line);
}

/** Returns the first line of a file, and those that hold one of the texts. */
function linesWith(bytes: Buffer, texts: readonly string[]): string {
  const ends = new Map([[0, bytes.indexOf(LINE_FEED) + 1]]);
  for (const text of texts)
    for (let at = bytes.indexOf(text); at !== -1;) {
      const end = bytes.indexOf(LINE_FEED, at) + 1 || bytes.length;
      ends.set(bytes.lastIndexOf(LINE_FEED, at) + 1, end);
      at = bytes.indexOf(text, end);
    }
  const lines = [...ends].toSorted(([one], [other]) => one - other);
  return lines.map(([start, end]) => bytes.toString("utf8", start, end)).join("");
}

const LINE_FEED = 10;

/** Returns the paths of the files in a folder of the state. */
export const filesIn = (state: State, folder: string): readonly string[] =>
  state.list(folder).map((name) => `${folder}/${name}`);

function* linesOf(state: State, read: State["read"]): Generator<RecordLine | undefined> {
  let last: string | undefined;
  for (const each of inOrder(state, read)) {
    if (each && last !== undefined && each.id >= last) continue;
    last = each?.id ?? last;
    yield each;
  }
}

/** A line that holds a record. */
export interface RecordLine {
  readonly id: string;
  readonly line: string;
  readonly roots: readonly RootIdentity[];
}

function recordIn({ line, roots }: RecordLine): StoredRecord | undefined {
  const record = journalLineOf(line)?.record;
  return record && { ...record, roots };
}

/**
 * Merges the history files by id and reads a file only when its newest record is due. Files of several processes
 * overlap. The range of a pending file is unknown, so pending files are read first: a file that is archived meanwhile
 * is then read twice rather than never. Yields undefined after each file.
 */
function* inOrder(state: State, read: State["read"]): Generator<RecordLine | undefined> {
  const growing = [PENDING, WAITING].flatMap((folder) => filesIn(state, folder));
  let waiting = growing.flatMap((path) => recordLinesIn(read(path)));
  const files = filesOf(state, () => true);
  for (;;) {
    const file = files.pop();
    const isDue = ({ id }: RecordLine): boolean => file === undefined || id > file.last;
    yield* waiting.filter(isDue).toSorted((one, other) => (one.id < other.id ? 1 : -1));
    if (!file) return;
    waiting = [...waiting.filter((each) => !isDue(each)), ...recordLinesIn(read(file.path))];
    yield undefined;
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

/** Finds the lines with records that were not removed, oldest first. Parses only their start. */
export function recordLinesIn(text: string | null): readonly RecordLine[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  const roots = rootsIn(whole[0] ?? "");
  return whole.flatMap((line) => {
    const id = RECORD.exec(line)?.[1];
    return id === undefined ? [] : [{ id, line, roots }];
  });
}

/** Returns the ids of the records in a file, oldest first. */
const idsIn = (text: string | null): readonly string[] => recordLinesIn(text).map(({ id }) => id);

/** Moves a journal to the history, or removes it when it has no record. Requires that nothing in it is unfinished. */
export function archive(state: State, file: string): void {
  const ids = idsIn(state.read(file));
  if (ids.length === 0) state.remove(file);
  else state.move(file, `${CHANGES}/${ids[0]}-${ids.at(-1)}`);
}

/** Returns null when the record was removed, or never completely written. */
export function recordWithId(state: State, id: string): StoredRecord | null {
  const located = locateRecord(state, id);
  return (located && recordIn(located)) ?? null;
}

interface LocatedRecord extends RecordLine {
  readonly path: string;
  readonly text: string;
}

function locateRecord(state: State, id: string): LocatedRecord | undefined {
  for (const path of pathsThatMayHold(state, id)) {
    const text = state.read(path);
    const found = recordLinesIn(text).find((each) => each.id === id);
    if (text !== null && found) return { ...found, path, text };
  }
  return undefined;
}

/** Yields pending files first, for the same reason as `inOrder`. */
function* pathsThatMayHold(state: State, id: string): Generator<string> {
  for (const folder of [PENDING, WAITING]) yield* filesIn(state, folder);
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
