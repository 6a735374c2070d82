import { Fault, hasCode } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, isWithin } from "../../../base/paths.ts";
import type { Checkpoint } from "../../../base/time-slicing.ts";
import type { PictureBytes } from "../../../storage/picture-entries.ts";
import type { PictureDirectories } from "../../../storage/pictures.ts";
import type { State } from "../../../storage/state.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { ObjectName, StorageWriter } from "../../../storage/writer.ts";
import type { Author, ChangeRecord } from "../change.ts";
import type { History } from "../history.ts";
import { newTag, nextChangeIdAt } from "../journal/change-id.ts";
import type { RecordObserved } from "../observed.ts";
import { createComparer, type ViewChange } from "../views/change-list.ts";
import { comparePictures } from "./compare.ts";
import { createCopying, type Copying } from "./copying.ts";
import { createPictureNotes, type HeldPicture, type PictureNotes } from "./held-picture.ts";
import { recordedSince } from "./recorded-since.ts";
import { planRecord, type PlannedRecord } from "./plan-record.ts";
import type { RootDifferences } from "./planning.ts";

/** Takes pictures of roots before commands change them, and records what they changed. */
export interface CommandPictures {
  /** Takes a picture and copies files, some of them while the command runs. Says why where it cannot. */
  take(roots: readonly SafePath[], options: TakeOptions): Promise<TakenPicture>;
  /** Keeps a picture for days, also when its process exits: a job has it now. */
  hold(id: string): void;
  /**
   * Records what was changed since the last picture as one change set, and takes the next picture; with `isLast` erases
   * it instead, also where there are too many files to compare. Returns null where another process has done so, or the
   * picture is gone.
   */
  reconcile(id: string, options: ReconcileOptions): Promise<RecordedInterval | null>;
  /** Erases a picture, with its copies. */
  discard(id: string): Promise<void>;
  /** Erases pictures that no job ever had, and old ones. */
  expire(nowMs: number): Promise<void>;
}

export interface TakeOptions {
  readonly checkpoint: Checkpoint;
  /** Waits for the copies of everything that git does not have, however long that takes. */
  readonly isPatient: boolean;
}

/** A picture, or why there is none. */
export type TakenPicture = { readonly id: string } | { readonly why: string };

export interface ReconcileOptions {
  readonly author: Author;
  readonly checkpoint: Checkpoint;
  readonly isLast: boolean;
  readonly nameOf?: ((path: SafePath) => string) | undefined;
  /** Accepts places that are ours for the time of a command: they are no change. */
  readonly isOwn?: ((path: SafePath) => boolean) | undefined;
}

/** Says what was recorded of an interval. */
export interface RecordedInterval {
  readonly record: ChangeRecord | null;
  readonly list: readonly ViewChange[];
  readonly uncopied: number;
}

export interface PictureContext {
  readonly writer: StorageWriter;
  readonly state: State;
  readonly history: Pick<History, "records" | "contentOfVersion">;
  readonly recordObserved: RecordObserved;
}

/** Returns undefined where the storage takes no pictures. */
export function createCommandPictures({ writer, state, ...rest }: PictureContext): CommandPictures | undefined {
  const { pictures } = writer;
  if (!pictures) return undefined;
  const parts: Parts = { writer, pictures, notes: createPictureNotes(state), ...rest };
  const { notes } = parts;
  const copying = createCopying({ writer, pictures });
  const turns = new Map<string, Promise<unknown>>();
  const discard = async (id: string): Promise<void> => {
    await copying.stop(id);
    for (const { object } of notes.read(id)?.roots ?? []) await writer.erase(object);
    notes.remove(id);
  };
  return {
    async take(roots, options) {
      const id = newTag();
      try {
        return await takePicture(parts, copying, { id, roots, owner: state.self }, options);
      } catch (error) {
        await discard(id);
        if (!hasCode(error, "disk_full")) throw error;
        return { why: "the disk has no room for copies" };
      }
    },
    hold: (id) => notes.write({ ...requirePicture(notes, id), keptUntilMs: Date.now() + LIMITS.pictureMs }),
    reconcile: (id, options) =>
      inTurn(turns, id, async () => {
        await copying.stop(id);
        const reconciled = await reconcilePicture(parts, copying, id, options).catch(async (error: unknown) => {
          if (!options.isLast) resumeCopying(parts, copying, id);
          // There would be as many files the next time.
          else if (hasCode(error, "too_large")) await discard(id);
          throw error;
        });
        if (options.isLast) await discard(id);
        return reconciled;
      }),
    discard,
    async expire(nowMs) {
      for (const id of notes.ids()) if (isOver(state, notes, id, nowMs)) await discard(id);
    },
  };
}

interface Parts extends Omit<PictureContext, "state"> {
  readonly pictures: PictureDirectories;
  readonly notes: PictureNotes;
}

/** Runs one after another what concerns the same picture. */
function inTurn<T>(turns: Map<string, Promise<unknown>>, id: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(id) ?? Promise.resolve()).then(work, work);
  turns.set(id, turn);
  const forget = (): void => void (turns.get(id) === turn && turns.delete(id));
  turn.then(forget, forget);
  return turn;
}

function requirePicture(notes: PictureNotes, id: string): HeldPicture {
  const picture = notes.read(id);
  if (picture) return picture;
  throw new Fault("not_found", "Cannot find the picture of this command: it was erased");
}

async function takePicture(
  { writer, pictures, notes }: Parts,
  copying: Copying,
  { id, roots, owner }: { readonly id: string; readonly roots: readonly SafePath[]; readonly owner: string },
  { checkpoint, isPatient }: TakeOptions,
): Promise<TakenPicture> {
  const held: HeldPicture = {
    id,
    interval: 0,
    owner,
    firstChange: nextChangeIdAt(Date.now()),
    roots: roots
      .filter(isOutermost)
      .map((root, nth) => ({ root, object: writer.objectFor(root, "pictures", `${id}-${nth}`) })),
  };
  // Noted before it exists: if we die in between, it is erased by its note.
  notes.write(held);
  const seen: PictureBytes[] = [];
  for (const { root, object } of held.roots) {
    const bytes = await pictures.scan(root, LIMITS.pictureEntries, checkpoint);
    if (!bytes) {
      for (const each of held.roots) await writer.erase(each.object);
      notes.remove(id);
      return { why: `the directories hold more than ${LIMITS.pictureEntries} files` };
    }
    pictures.create(object);
    pictures.create(copiesIn(object));
    await writer.stage(pictureAt(object, 0), { bytes }, {});
    seen.push(bytes);
  }
  await copying.start(id, copiedRoots(held, seen), { isPatient });
  return { id };
}

/** Leaves out a root inside another one, whose picture shows it as well. */
const isOutermost = (root: SafePath, _: number, roots: readonly SafePath[]): boolean =>
  !roots.some((other) => other !== root && isWithin(root, other));

const copiesIn = (object: ObjectName): ObjectName => childOf(object, "tree");
const pictureAt = (object: ObjectName, interval: number): ObjectName => childOf(object, `picture-${interval}`);

const copiedRoots = ({ roots }: HeldPicture, seen: readonly PictureBytes[]) =>
  roots.map(({ root, object }, nth) => ({ root, copies: copiesIn(object), bytes: seen[nth] as PictureBytes }));

async function reconcilePicture(
  parts: Parts,
  copying: Copying,
  id: string,
  { author, checkpoint, isLast, nameOf = (path) => path, isOwn = () => false }: ReconcileOptions,
): Promise<RecordedInterval | null> {
  const { notes, history, recordObserved } = parts;
  const held = notes.read(id);
  if (!held || held.isOver) return null;
  const firstChange = nextChangeIdAt(Date.now());
  const seen = await picturesNow(parts, held, checkpoint);
  const roots = differencesIn(parts, held, seen, isOwn);
  if (roots.every(({ differences }) => differences.length === 0)) {
    if (isLast) notes.write({ ...held, isOver: true });
    else copying.resume(id, copiedRoots(held, seen));
    return NOTHING;
  }
  const meanwhile = await recordedSince(history, held, checkpoint);
  const comparer = createComparer(nameOf, checkpoint);
  let planned: PlannedRecord | undefined;
  const next = isLast ? { ...held, isOver: true } : nextInterval(held, firstChange);
  if (!isLast) await storePictures(parts, next, seen);
  const record = await recordObserved({
    author,
    plan: async (tag) => (planned = await planRecord({ ...parts, meanwhile, comparer, checkpoint, tag }, roots)),
    isCurrent: () => isSameInterval(notes.read(id), held),
    afterCommit: (made) => notes.write({ ...next, lastRecord: made?.id }),
  });
  if (!isLast) copying.resume(id, copiedRoots(held, seen));
  // Another process was faster.
  if (!planned || (!record && planned.effects.length > 0)) return null;
  return { record, list: planned.list, uncopied: planned.uncopied };
}

/** Goes on to copy what a picture shows, after a comparison that failed. */
function resumeCopying({ notes, writer }: Parts, copying: Copying, id: string): void {
  const held = notes.read(id);
  if (!held) return;
  const shown = held.roots.flatMap(({ object }) => writer.contentOf(pictureAt(object, held.interval)) ?? []);
  if (shown.length === held.roots.length) copying.resume(id, copiedRoots(held, shown));
}

const nextInterval = (held: HeldPicture, firstChange: string): HeldPicture => ({
  ...held,
  interval: held.interval + 1,
  firstChange,
  keptUntilMs: Date.now() + LIMITS.pictureMs,
});

const isSameInterval = (now: HeldPicture | null, held: HeldPicture): boolean =>
  now?.interval === held.interval && !now.isOver;

const NOTHING: RecordedInterval = { record: null, list: [], uncopied: 0 };

/** Allows for more entries than at the start: a command may have made many. */
async function picturesNow(
  { pictures }: Parts,
  { roots }: HeldPicture,
  checkpoint: Checkpoint,
): Promise<readonly PictureBytes[]> {
  const seen: PictureBytes[] = [];
  for (const { root } of roots) {
    const bytes = await pictures.scan(root, LIMITS.pictureEntriesLater, checkpoint);
    if (!bytes)
      throw new Fault(
        "too_large",
        `Cannot list what was changed: there are more than ${LIMITS.pictureEntriesLater} files`,
      );
    seen.push(bytes);
  }
  return seen;
}

const differencesIn = (
  { writer }: Parts,
  { roots, interval }: HeldPicture,
  seen: readonly PictureBytes[],
  isOwn: (path: SafePath) => boolean,
): readonly RootDifferences[] =>
  roots.map(({ root, object }, nth) => {
    const before = writer.contentOf(pictureAt(object, interval));
    if (!before) throw new Fault("not_found", "Cannot compare the files: the picture of the command is gone");
    const all = comparePictures(before, seen[nth] as PictureBytes);
    const differences = all.filter(({ path }) => !isOwn(childOf(root, path)));
    return { root, copies: copiesIn(object), differences };
  });

/** Stores the next pictures beside the ones that count. What an interrupted attempt left is replaced. */
async function storePictures(
  { writer }: Parts,
  { roots, interval }: HeldPicture,
  seen: readonly PictureBytes[],
): Promise<void> {
  for (const [nth, { object }] of roots.entries()) {
    await writer.erase(pictureAt(object, interval));
    await writer.erase(pictureAt(object, interval - 2));
    await writer.stage(pictureAt(object, interval), { bytes: seen[nth] as PictureBytes }, {});
  }
}

/** Checks that nobody needs a picture. Its note may have been damaged: then only its age counts. */
function isOver(state: State, notes: PictureNotes, id: string, nowMs: number): boolean {
  const picture = notes.read(id);
  const isOld = nowMs - notes.writtenMs(id) > LIMITS.pictureMs;
  if (!picture) return isOld;
  return picture.keptUntilMs === undefined ? state.hasExited(picture.owner, isOld) : picture.keptUntilMs <= nowMs;
}
