import { PENDING, type State, WAITING } from "../../../storage/state.ts";
import { CHANGES } from "./journal-lines.ts";
import { filesIn, type RecordLine, recordLinesIn } from "./records.ts";

/** A directory in which something was changed: a root of some session. */
export interface ChangedDirectory {
  readonly path: string;
  readonly changes: number;
  /** Holds the tags of the change sets; the names of their backups begin with them. */
  readonly tags: ReadonlySet<string>;
}

/** Returns the roots of all journals, with the changes in each. Reads the whole history, but parses no record. */
export function directoriesIn(state: State): readonly ChangedDirectory[] {
  const found = new Map<string, Set<string>>();
  for (const each of recordLines(state)) {
    for (const { path } of each.roots) {
      if (each.roots.length > 1 && !each.line.includes(startOf(path))) continue;
      const tags = found.get(path) ?? new Set();
      found.set(path, tags.add(tagOf(each)));
    }
  }
  return [...found].map(([path, tags]) => ({ path, changes: tags.size, tags }));
}

/** Counts the changes of the whole history, and parses none. */
export function countChanges(state: State): number {
  return new Set([...recordLines(state)].map(({ id }) => id)).size;
}

function* recordLines(state: State): Generator<RecordLine> {
  for (const folder of [CHANGES, PENDING, WAITING])
    for (const file of filesIn(state, folder)) yield* recordLinesIn(state.read(file));
}

/** Returns the start of every path below a root, as a record quotes it. */
const startOf = (root: string): string => JSON.stringify(root.endsWith("/") ? root : `${root}/`).slice(0, -1);

/** Finds the tag without parsing the line: it is always at the front. */
const tagOf = ({ line }: RecordLine): string => line.slice(TAG.length, line.indexOf('"', TAG.length));

const TAG = '{"tag":"';
