import type { Place } from "../../../storage/writer.ts";
import type { ChangeRecord } from "../change.ts";
import { isChangeId, isOwnPlace, isChangeRecord, isStep } from "./record-schema.ts";
import type { Step } from "../steps.ts";

/** Where journals are while something is added to them, and where the history is. */
export const PENDING = "pending";
export const CHANGES = "changes";

/** One line of a journal. It is of one change set, whatever the file is called. */
export interface JournalLine {
  readonly tag: string;
  /** The tag that is in the names of the places: that of another change set, where this one only clears up after it. */
  readonly of: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly record: ChangeRecord | undefined;
  /** It speaks of what has happened, though the record may be forgotten by now. */
  readonly hasHappened: boolean;
  readonly litter: readonly Place[];
  /** So many steps are left to take back. */
  readonly left: number | undefined;
  /** Nothing is left to do. */
  readonly isOver: boolean;
}

/** The last line may have been cut off: then what it speaks of was not begun. */
export function journalLinesOf(text: string | null): readonly JournalLine[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => journalLineOf(line) ?? []);
}

export function journalLineOf(text: string): JournalLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? validLine(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What is damaged, or speaks of what no change set of this tag made, is left out. */
function validLine({
  tag,
  of = tag,
  staged,
  steps,
  record,
  litter,
  left,
  isOver,
}: { readonly [Key in keyof JournalLine]?: unknown }): JournalLine {
  const isOwn = (place: unknown): place is Place => isChangeId(of) && isOwnPlace(place, of);
  const isOwnStep = (step: unknown): step is Step => isStep(step) && (!("kept" in step) || isOwn(step.kept));
  return {
    tag: isChangeId(tag) ? tag : "",
    of: isChangeId(of) ? of : "",
    staged: listIn(staged).filter(isOwn),
    steps: listIn(steps).filter(isOwnStep),
    record: isChangeRecord(record) ? record : undefined,
    hasHappened: litter !== undefined,
    litter: listIn(litter).filter(isOwn),
    left: typeof left === "number" ? left : undefined,
    isOver: isOver === true,
  };
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
