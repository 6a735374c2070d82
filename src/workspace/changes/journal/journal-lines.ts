import * as z from "zod";
import { nameIn } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import { parseStored, validItems } from "../../../base/stored-json.ts";
import { isPath } from "../../../storage/place.ts";
import { type RootIdentity, rootIdentity } from "../../../storage/root-identity.ts";
import type { Place } from "../../../storage/writer.ts";
import type { ChangeRecord } from "../change.ts";
import type { Step } from "../steps.ts";
import { changeId, changeRecord } from "./record-schema.ts";
import { place, step } from "./step-schema.ts";

/** Names the folder of the history. */
export const CHANGES = "changes";

/** Returns the first line of a journal: the roots that its places lie in. */
export const headerOf = (roots: readonly RootIdentity[]): string => JSON.stringify({ roots });

/** Reverses `headerOf`. Returns none for the line of an older version. */
export function rootsIn(header: string): readonly RootIdentity[] {
  return parseStored(storedHeader, header)?.roots ?? [];
}

const storedHeader = z.lazy(() => z.object({ roots: z.array(rootIdentity) }));

/** Describes one line of a journal. A line belongs to one change set, whatever the file is called. */
export interface JournalLine {
  readonly tag: string;
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

/**
 * Returns the lines of change sets: all but the first, which names the roots. Skips a last line that was cut off: a line
 * is written before the work that it announces begins.
 */
export function journalLinesOf(text: string | null): readonly JournalLine[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => journalLineOf(line) ?? []).filter(({ tag }) => tag !== "");
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
function validLine(line: StoredLine): JournalLine {
  const tag = changeId.safeParse(line.tag).data ?? "";
  // An older version cleaned up after other change sets in its own name.
  const placesTag = line.of === undefined ? tag : (changeId.safeParse(line.of).data ?? "");
  const isOwn = (each: Place): boolean => placesTag !== "" && isOwnPlace(each, placesTag);
  return {
    tag,
    staged: validItems(place, line.staged).filter(isOwn),
    steps: validItems(step, line.steps).filter((each) => !("kept" in each) || isOwn(each.kept)),
    record: line.record === undefined ? undefined : changeRecord.safeParse(line.record).data,
    isCommitted: line.litter !== undefined,
    temporaryFiles: validItems(place, line.litter).filter(isOwn),
    remainingSteps: typeof line.left === "number" ? line.left : undefined,
    isEnded: line.isOver === true,
  };
}

/** Checks that a place is in a store, or has a name that only this change set uses. Nothing else is ours to erase. */
function isOwnPlace(at: Place, tag: string): boolean {
  if (!isPath(at)) return true;
  const name = nameIn(at);
  const start = `${OWN_NAMES}${tag}-`;
  return name.startsWith(start) && /^\d+(?:-old|-aside)?$/.test(name.slice(start.length));
}
