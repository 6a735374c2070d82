import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import type { JobEnd } from "../sessions/job-ends.ts";
import type { Session } from "../sessions/session.ts";
import { type AnswerParts, withNotes } from "./outcome.ts";
import type { Request } from "./request.ts";

/** Adds a note for each background command that has ended since the last answer of the session. */
export function withJobEnds<Answer extends AnswerParts>(
  { jobEnds }: Session,
  { jobEnd }: Request,
  answer: Answer,
): Answer {
  const ends = jobEnds.take();
  if (jobEnd) for (const end of ends) jobEnd(end);
  return withNotes(answer, notesOn(ends));
}

function notesOn(ends: readonly JobEnd[]): readonly string[] {
  const notes = ends.slice(0, LIMITS.jobEndNotes).map(({ note }) => note);
  const more = ends.length - notes.length;
  return more > 0
    ? [...notes, `${plural(more, "more background command")} ended; process with action "list" shows all`]
    : notes;
}
