import { plural } from "./plural.ts";
import { quoted } from "./quote.ts";

/** A changed path as people see it, and the line that shows it alone. */
export interface ChangedPath {
  readonly action: string;
  readonly path: string;
  readonly line: string;
  /** Is never folded, and comes first where others are: somebody has to see it. */
  readonly isRemarkable?: boolean | undefined;
}

/**
 * Returns at most so many lines about changes: where there are more, those of one kind in one directory become one
 * line, and what is still too long is counted.
 */
export function foldedChanges(changes: readonly ChangedPath[], most: number): readonly string[] {
  if (changes.length <= most) return changes.map(({ line }) => line);
  const remarkable = changes.filter(({ isRemarkable }) => isRemarkable).map((change) => [change]);
  const groups = [...remarkable, ...byDirectory(changes.filter(({ isRemarkable }) => !isRemarkable))];
  const lines = groups.slice(0, most).map(groupLine);
  const left = groups.slice(most).reduce((sum, { length }) => sum + length, 0);
  return left === 0 ? lines : [...lines, plural(left, "more change")];
}

function byDirectory(changes: readonly ChangedPath[]): readonly (readonly ChangedPath[])[] {
  const groups = new Map<string, ChangedPath[]>();
  for (const change of changes) {
    const key = `${change.action} ${directoryOf(change.path)}`;
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()];
}

/** Says where all changes can be seen that an answer has folded. */
export const foldedNotes = (count: number, most: number): readonly string[] =>
  count <= most ? [] : [`${count} changes, folded by directory; history lists each, and holdfast diff shows it`];

const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/"))) || ".";

function groupLine(group: readonly ChangedPath[]): string {
  const [first] = group;
  if (first === undefined) return "";
  if (group.length === 1) return first.line;
  return `${first.action} ${plural(group.length, "entry", "entries")} in ${quoted(directoryOf(first.path))}`;
}
