import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { createCheckpoint } from "../../base/time-slicing.ts";
import type { Job } from "../../exec/jobs/job.ts";
import { heldMountPoints } from "../../exec/sandbox/docker/mount-points.ts";
import { foldedChanges, foldedNotes } from "../../text/folded-changes.ts";
import { plural } from "../../text/plural.ts";
import type { Author } from "../../workspace/changes/change.ts";
import type { RecordedInterval } from "../../workspace/changes/pictures/pictures.ts";
import type { View } from "../../workspace/view.ts";
import { unrestrictedView } from "../pipeline/unrestricted-view.ts";
import { changedPath } from "./change-line.ts";
import type { CommandParts } from "./command-parts.ts";
import type { PictureReport } from "./picture-report.ts";

/** Says what the mode "picture" could not cover, in every answer about such a command. */
const PICTURE_NOTE =
  "the command changes the real files; its changes, and those of other programs meanwhile, are listed afterwards, and " +
  "undo restores files of which a copy was kept";

const PICTURE_BEGUN: PictureReport = { changes: [], notes: [PICTURE_NOTE] };

const pictureIn = ({ description: { notes } }: Job): string | undefined => notes?.["picture"];

/** Reports on a command that has just been started. Returns undefined for a job without a picture. */
export const begunReport = (job: Job): PictureReport | undefined =>
  pictureIn(job) === undefined ? undefined : PICTURE_BEGUN;

/**
 * Records what a job changed on the files themselves, and reports everything that was not reported yet. Returns
 * undefined for a job without a picture.
 */
export async function pictureReport(parts: CommandParts, job: Job): Promise<PictureReport | undefined> {
  if (pictureIn(job) === undefined) return undefined;
  await reconcilePicture(parts, job);
  const last = parts.comparisons.get(job.id);
  if (last) parts.comparisons.set(job.id, { ...last, unreported: undefined });
  return last?.unreported ?? PICTURE_BEGUN;
}

/** Records what a job changed when it ends, also where nobody polls it. What fails here is tried again by a poll. */
export function followPicture(parts: CommandParts, job: Job): void {
  job.ended
    .then(() => reconcilePicture(parts, job))
    .then(() => forgetGone(parts, parts.jobs.list()))
    .catch(() => {});
}

/**
 * Records what ended jobs changed and nobody recorded yet: jobs of this process and of exited ones. A failure keeps
 * neither the other jobs nor the caller from anything: returns false then, so that it is tried again.
 */
export async function reconcileEnded(parts: CommandParts): Promise<boolean> {
  const jobs = parts.jobs.list();
  forgetGone(parts, jobs);
  let isDone = true;
  for (const job of jobs.filter((each) => pictureIn(each) !== undefined))
    if (job.state().kind !== "running") await reconcilePicture(parts, job).catch(() => void (isDone = false));
  return isDone;
}

/** Forgets jobs that were removed, by whatever process. */
function forgetGone({ comparisons, polled }: CommandParts, jobs: readonly Job[]): void {
  const ids = new Set(jobs.map(({ id }) => id));
  for (const remembered of [comparisons, polled])
    for (const id of remembered.keys()) if (!ids.has(id)) remembered.delete(id);
}

/** Compares the files with the picture of a job, unless that was done a moment ago, or after its end. */
async function reconcilePicture(parts: CommandParts, job: Job): Promise<void> {
  const pictures = parts.workspace.writing?.pictures;
  const id = pictureIn(job);
  const isLast = job.state().kind !== "running";
  if (!pictures || id === undefined || !isInside(parts, job) || !(isLast || isDue(parts, job))) return;
  const began = performance.now();
  const { nameOf } = unrestrictedView(parts.workspace, { aborted: false });
  let placeholders: Set<string> | undefined;
  /** Asks once what changed is known: what another command has put there meanwhile is among them. */
  const isOwn = (path: string): boolean => {
    const known = parts.comparisons.get(job.id)?.placeholders ?? [];
    placeholders ??= new Set([...known, ...parts.placeholders(), ...heldMountPoints()]);
    return placeholders.has(path);
  };
  const options = { author: authorOf(job), checkpoint: createCheckpoint({ aborted: false }), isLast, nameOf, isOwn };
  const reconciled = await pictures.reconcile(id, options).catch((error: unknown) => {
    if (isFault(error)) return error;
    throw error;
  });
  if (!reconciled) return;
  const found = isFault(reconciled) ? failureReport(reconciled.message) : intervalReport(reconciled, nameOf);
  const unreported = mergedReports(parts.comparisons.get(job.id)?.unreported, found);
  const endedMs = performance.now();
  const seen = placeholders ?? parts.comparisons.get(job.id)?.placeholders ?? new Set();
  parts.comparisons.set(job.id, { endedMs, tookMs: endedMs - began, placeholders: seen, unreported });
}

/** Keeps comparing below a tenth of the time: on a large tree it takes long, and callers poll often. */
function isDue({ comparisons }: CommandParts, { id }: Job): boolean {
  const last = comparisons.get(id);
  return !last || performance.now() - last.endedMs > last.tookMs * 10;
}

/** Checks that this session has all roots of a job: otherwise it cannot see everything that the picture shows. */
const isInside = ({ owner }: CommandParts, { description: { roots } }: Job): boolean =>
  roots.every((root) => owner.roots.some((own) => own === root));

const authorOf = ({ description: { session, principal, command } }: Job): Author => ({
  session,
  principal: principal === "user" ? "user" : "agent",
  tool: "exec",
  command,
});

const failureReport = (message: string): PictureReport => ({
  changes: [],
  notes: [PICTURE_NOTE, `what it changed could not be recorded: ${message}`],
});

function intervalReport({ record, list, uncopied }: RecordedInterval, nameOf: View["nameOf"]): PictureReport {
  const shown = list.map((change) => changedPath(change, nameOf));
  const folded = foldedNotes(shown.length, LIMITS.changeLines);
  const notes = [PICTURE_NOTE, ...folded, ...(uncopied === 0 ? [] : [uncopiedNote(uncopied)])];
  return { changeId: record?.id, changes: foldedChanges(shown, LIMITS.changeLines), notes };
}

const uncopiedNote = (count: number): string =>
  `no copy was kept of ${plural(count, "changed file")}: undo cannot restore ${count === 1 ? "it" : "them"}`;

/** Merges two reports. Undo takes back the newest set; the history names the others. */
const mergedReports = (older: PictureReport | undefined, newer: PictureReport): PictureReport =>
  older
    ? {
        changeId: newer.changeId ?? older.changeId,
        changes: [...older.changes, ...newer.changes],
        notes: [...new Set([...older.notes, ...newer.notes])],
      }
    : newer;
