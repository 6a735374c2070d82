import type { State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { CHANGES, journalLineOf, PENDING } from "./journal-lines.ts";

/** Everything in a state that has happened, newest first, each once; with an id, what is older. */
export function* newestFirst(state: State, before?: string): Generator<ChangeRecord> {
  let last = before;
  for (const { id, line } of inOrder(state, before)) {
    if (last !== undefined && id >= last) continue;
    last = id;
    const record = journalLineOf(line)?.record;
    if (record) yield record;
  }
}

/** A line that holds a record. */
interface RecordLine {
  readonly id: string;
  readonly line: string;
}

/**
 * A file of the history is read when its newest record is due. Those of several processes overlap; the pending ones, of
 * which nothing is known, come first: what is filed meanwhile is seen twice, not never.
 */
function* inOrder(state: State, before: string | undefined): Generator<RecordLine> {
  let waiting = state.list(PENDING).flatMap((name) => recordLinesIn(state.read(`${PENDING}/${name}`)));
  const files = filesOf(state, (file) => before === undefined || file.first < before);
  for (;;) {
    const file = files.pop();
    const isDue = ({ id }: RecordLine): boolean => file === undefined || id > file.last;
    yield* waiting.filter(isDue).toSorted((one, other) => (one.id < other.id ? 1 : -1));
    if (!file) return;
    waiting = [...waiting.filter((each) => !isDue(each)), ...recordLinesIn(state.read(file.path))];
  }
}

/** A file of the history, named for the first and the last id in it. */
interface HistoryFile {
  readonly path: string;
  readonly first: string;
  readonly last: string;
}

/** By their newest record, the newest last. */
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

/** The id is in front, so that most lines need not be parsed. */
const RECORD = /^\{"tag":"[0-9a-z]+","record":\{"id":"([0-9a-z]+)"/;

function recordLinesIn(text: string | null): readonly RecordLine[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => {
    const id = RECORD.exec(line)?.[1];
    return id === undefined ? [] : [{ id, line }];
  });
}

/** Ids of the records in a file, oldest first. */
export const idsIn = (text: string | null): readonly string[] => recordLinesIn(text).map(({ id }) => id);

/** The record with an id; null when it is gone, or was never whole. */
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

/** The pending ones first, for the reason above. */
function* pathsThatMayHold(state: State, id: string): Generator<string> {
  for (const name of state.list(PENDING)) yield `${PENDING}/${name}`;
  for (const { path } of filesOf(state, ({ first, last }) => first <= id && id <= last)) yield path;
}

/**
 * Makes a record unreadable where it is, in one byte: nothing is written anew, and the line still says that it has
 * happened. The last one in a file takes it along.
 */
export function removeRecord(state: State, id: string): void {
  const it = locateRecord(state, id);
  if (!it) return;
  const { path, text, line } = it;
  // It may be filed at this moment, and is looked for where it is then.
  const at = text.indexOf(line) + line.indexOf(KEY);
  if (!state.overwrite(path, Buffer.byteLength(text.slice(0, at)), "-")) return removeRecord(state, id);
  if (path.startsWith(`${CHANGES}/`) && recordLinesIn(text).length === 1) state.remove(path);
}
