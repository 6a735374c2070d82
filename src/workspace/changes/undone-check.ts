import type { ChangeRecord } from "./change.ts";

/**
 * Creates a check that says whether a change was undone as a whole by an undo that is still in effect. The check
 * expects the changes newest first.
 */
export function createUndoneCheck(): (record: ChangeRecord) => boolean {
  const undone = new Set<string>();
  return function isUndone({ id, undoes = [], undoneAt }) {
    if (undone.has(id)) return true;
    if (undoneAt === undefined) for (const each of undoes) undone.add(each);
    return false;
  };
}
