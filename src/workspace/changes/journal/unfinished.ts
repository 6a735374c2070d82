import { nameIn } from "../../../base/paths.ts";
import { OWN_NAMES } from "../../../base/product.ts";
import { isPath, objectParts } from "../../../storage/place.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { Place } from "../../../storage/writer.ts";
import type { Step } from "../steps.ts";
import { type JournalLine, journalLinesOf } from "./journal-lines.ts";

/** Describes a change set that was interrupted. */
export interface UnfinishedChangeSet {
  readonly tag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly temporaryFiles: readonly Place[];
  /** Is true when only temporary files are left to erase. */
  readonly isCommitted: boolean;
}

/** Returns the change sets in the text of a journal that were not finished. */
export function unfinishedSetsOf(text: string | null): readonly UnfinishedChangeSet[] {
  const byTag = new Map<string, JournalLine[]>();
  for (const line of journalLinesOf(text)) {
    const lines = byTag.get(line.tag);
    if (lines) lines.push(line);
    else byTag.set(line.tag, [line]);
  }
  return [...byTag].flatMap(([tag, lines]) => unfinished(tag, lines));
}

function unfinished(tag: string, lines: readonly JournalLine[]): readonly UnfinishedChangeSet[] {
  const isCommitted = lines.some((line) => line.isCommitted);
  const temporaryFiles = lines.flatMap((line) => line.temporaryFiles);
  if (lines.some(({ isEnded }) => isEnded) || (isCommitted && temporaryFiles.length === 0)) return [];
  const remaining = lines.findLast((line) => line.remainingSteps !== undefined)?.remainingSteps;
  const staged = lines.flatMap((line) => line.staged);
  const steps = lines.flatMap((line) => line.steps).slice(0, remaining);
  return [{ tag, staged, steps, temporaryFiles, isCommitted }];
}

/** Checks that some steps of a change set were made and others not. */
export const isHalfDone = ({ steps, isCommitted }: UnfinishedChangeSet): boolean => steps.length > 0 && !isCommitted;

/** Returns the places in the workspace that the steps of a change set name, without its temporary files. */
export const pathsOf = ({ steps }: UnfinishedChangeSet): readonly SafePath[] =>
  steps
    .flatMap((step) => ("path" in step ? [step.path] : [step.from, step.to].filter(isPath)))
    .filter((path) => !nameIn(path).startsWith(OWN_NAMES));

/** Returns the places whose names hold the tag of a change set: nothing else has them. */
export function ownPlacesOf({ tag, staged, steps, temporaryFiles }: UnfinishedChangeSet): readonly Place[] {
  const ofSteps = steps.flatMap((step) => ("kept" in step ? [step.kept] : "to" in step ? [step.to] : []));
  return [...staged, ...temporaryFiles, ...ofSteps].filter((place) =>
    isPath(place) ? nameIn(place).startsWith(`${OWN_NAMES}${tag}-`) : objectParts(place).name.startsWith(`${tag}-`),
  );
}
