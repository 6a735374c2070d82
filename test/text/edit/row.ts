import { type Edit, type EditOptions, planEdits } from "../../../src/text/edit/edit.ts";
import { applySplices } from "../../../src/text/edit/splice.ts";
import { runAtOnce } from "../run-at-once.ts";

/** A row of a table: one edit of one text. */
export interface EditRow {
  readonly name: string;
  readonly text: string;
  readonly old: string;
  readonly new: string;
  readonly count?: number;
  readonly options?: EditOptions;
}

/** A row that works, and what becomes of the text. */
export interface DoneRow extends EditRow {
  readonly want: string;
}

/** Returns the edited text and the tier that matched. */
export function edited(row: EditRow): { text: string; tier: string } {
  const { splices, tier } = runAtOnce(planEdits(row.text, [editOf(row)], row.options));
  return { text: applySplices(row.text, splices), tier };
}

const editOf = ({ old: oldText, new: newText, count }: EditRow): Edit => ({
  oldText,
  newText,
  ...(count !== undefined && { count }),
});
