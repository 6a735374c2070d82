import { LIMITS } from "../../../base/limits.ts";
import type { ChangeHistory } from "../../../runtime/change-history.ts";
import { hunksIn } from "../../../text/diff/hunks.ts";
import type { ChangedFile, FileDiff } from "../contract.ts";

type ComparedFile = Awaited<ReturnType<ChangeHistory["diffsOf"]>>[number];

/** Gives out the lines of diffs until an answer is full. */
export interface DiffPages {
  pageOf(file: ChangedFile, compared: Pick<ComparedFile, "diff" | "note">, from?: number): FileDiff;
  /** Stands for a diff that did not fit: the page asks for it alone. */
  leftOut(file: ChangedFile): FileDiff;
}

export function createDiffPages(): DiffPages {
  let left: number = LIMITS.consoleDiffLines;
  return {
    pageOf(file, { diff = "", note }, from = 0) {
      const mostChars = LIMITS.consoleLineChars;
      const { hunks, lines, next } = hunksIn(diff, { from, mostLines: left, mostChars });
      left -= lines;
      return { ...namesOf(file), hunks, ...(note !== undefined && { note }), ...(next !== undefined && { next }) };
    },
    leftOut: (file) => ({ ...namesOf(file), hunks: [], next: 0 }),
  };
}

const namesOf = ({ path, from, action }: ChangedFile): Pick<FileDiff, "path" | "from" | "action"> => ({
  path,
  action,
  ...(from !== undefined && { from }),
});
