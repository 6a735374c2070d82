import type { Place } from "../../../storage/writer.ts";
import type { ChangeRecord } from "../change.ts";
import { isChangeId, isOwnPlace, isChangeRecord, isStep } from "./record-schema.ts";
import type { Step } from "../steps.ts";

/** Names the folder of journals that still grow. */
export const PENDING = "pending";
/** Names the folder of the history. */
export const CHANGES = "changes";

/** Describes one line of a journal. A line belongs to one change set, whatever the file is called. */
export interface JournalLine {
  readonly tag: string;
  /** The tag in the names of the places. It differs from `tag` in a change set that only cleans up after another. */
  readonly placesTag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly record: ChangeRecord | undefined;
  /** Is true when the line commits a change set, even if its record was removed from the history since. */
  readonly isCommitted: boolean;
  readonly temporaryFiles: readonly Place[];
  /** Counts the steps that a rollback has not undone yet. */
  readonly remainingSteps: number | undefined;
  /** Is true when the change set needs no recovery. */
  readonly isEnded: boolean;
}

/** Skips a last line that was cut off: a line is written before the work that it announces begins. */
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

/** Holds the keys of a line on disk. */
interface StoredLine {
  readonly tag?: unknown;
  readonly of?: unknown;
  readonly staged?: unknown;
  readonly steps?: unknown;
  readonly record?: unknown;
  readonly litter?: unknown;
  readonly left?: unknown;
  readonly isOver?: unknown;
}

/** Leaves out damaged values, and places that no change set with this tag made. */
function validLine({ tag, of = tag, staged, steps, record, litter, left, isOver }: StoredLine): JournalLine {
  const isOwn = (place: unknown): place is Place => isChangeId(of) && isOwnPlace(place, of);
  const isOwnStep = (step: unknown): step is Step => isStep(step) && (!("kept" in step) || isOwn(step.kept));
  return {
    tag: isChangeId(tag) ? tag : "",
    placesTag: isChangeId(of) ? of : "",
    staged: listIn(staged).filter(isOwn),
    steps: listIn(steps).filter(isOwnStep),
    record: isChangeRecord(record) ? record : undefined,
    isCommitted: litter !== undefined,
    temporaryFiles: listIn(litter).filter(isOwn),
    remainingSteps: typeof left === "number" ? left : undefined,
    isEnded: isOver === true,
  };
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
