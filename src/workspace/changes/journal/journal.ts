import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { nameIn } from "../../../base/paths.ts";
import type { RootIdentity } from "../../../storage/root-identity.ts";
import { type Log, NOBODY, nobodyAfter, PENDING, type State, WAITING } from "../../../storage/state.ts";
import type { Place } from "../../../storage/writer.ts";
import type { ChangeRecord } from "../change.ts";
import { newTag } from "./change-id.ts";
import { CHANGES, headerOf, rootsIn } from "./journal-lines.ts";
import { type ChangedDirectory, countChanges, directoriesIn } from "./directories.ts";
import { archive, newestFirst, newestWith, recordWithId, removeRecord, type StoredRecord } from "./records.ts";
import type { Step } from "../steps.ts";
import { type UnfinishedChangeSet, unfinishedSetsOf } from "./unfinished.ts";
import { giveUpWaiting, type WaitingChange, waitingIn } from "./waiting.ts";

/** Records one change set ahead of the work: everything a rollback needs is written before a step is performed. */
export interface JournalEntry {
  readonly tag: string;
  /** Logs places that are about to be created beside the files. */
  logStaged(places: readonly Place[]): void;
  /** Requires the lock, and a call of `isInterrupted` under it: only that call detects a removed journal file. */
  logSteps(steps: readonly Step[]): void;
  /**
   * Removes the steps from the journal after their rollback. All were logged since the lock was taken. It frees space,
   * so it works on a full disk too.
   */
  retract(): void;
  /** Commits the change set: from now on it has happened. `temporaryFiles` may be erased afterwards. */
  commit(record: ChangeRecord, temporaryFiles: readonly Place[]): void;
  /** Ends the change set: nothing is left to do for it. */
  end(): void;
  /**
   * Leaves the change set to recovery: before the next change, in any process, where steps are left to roll back, else
   * when a process starts. The entry must not be used afterwards.
   */
  abandon(): void;
}

/**
 * Holds the unfinished change sets of one journal: of a process that has exited, or those that this process abandoned.
 */
export interface UnfinishedTransaction {
  /** Names the file, with its folder. */
  readonly file: string;
  /** Identifies the process that began it. */
  readonly owner: string;
  /** Is true when this process still writes to the journal. */
  readonly isOwn: boolean;
  /** Lists the roots of that process, which hold all places of the change sets. */
  readonly roots: readonly RootIdentity[];
  readonly sets: readonly UnfinishedChangeSet[];
}

/**
 * A write-ahead log: pending/<name>.<owner> grows line by line while a process makes its changes; its first line names
 * the roots. Once the file is long, or its process has exited and nothing in it is unfinished, it is renamed to
 * changes/<first>-<last>, after the ids in it. The owner must be known from the first moment on, so it is part of the
 * name.
 */
export interface Journal {
  beginEntry(): JournalEntry;
  /**
   * Returns whether a process died under the lock, or could not roll back: only then may a change set be half done.
   * Nothing of other processes is read. Also detects that our own file was removed. Requires the lock.
   */
  isInterrupted(): boolean;
  /** Returns whether this process has abandoned something: files that are left to erase. */
  hasAbandoned(): boolean;
  /** Returns what exited processes left unfinished and what this one abandoned. */
  unfinishedTransactions(): readonly UnfinishedTransaction[];
  /**
   * Moves a journal of another process away, so that it no longer stops every change: its steps are rolled back, or its
   * roots are gone or refuse. Returns it with its new name. Requires the lock.
   */
  moveToWaiting(transaction: UnfinishedTransaction): UnfinishedTransaction;
  /** Reads the half-done changes whose roots are gone or refuse. */
  readWaiting(): readonly WaitingChange[];
  /** Returns those that the last `isInterrupted` has read: nobody may change their places meanwhile. */
  waiting(): readonly WaitingChange[];
  /** Ends a change that waits, and leaves its places as they are. Returns undefined where there is none. */
  giveUp(id: string): Promise<WaitingChange | undefined>;
  /**
   * Logs how many steps are left to roll back. Without it, recovery could take a step for undone that is not: a file
   * with two names looks the same before and after.
   */
  logRemainingSteps(transaction: UnfinishedTransaction, tag: string, left: number): void;
  finish(transaction: UnfinishedTransaction): void;
  /** Yields all records of the history of this machine, newest first. */
  records(): Iterable<StoredRecord>;
  /** Yields the records that hold a string with this start, and all undos; undefined now and then for the others. */
  recordsWith(start: string): Iterable<StoredRecord | undefined>;
  /** Returns the roots of all journals: the directories in which something was changed. */
  directories(): readonly ChangedDirectory[];
  /** Returns the roots that the changes of this process are made in. */
  roots(): readonly RootIdentity[];
  /** Counts all records of the history. */
  count(): number;
  /** Returns a text that differs after every change, whichever process makes it. */
  state(): string;
  /** Resolves once no commit is in progress: a change that is visible in the files by then can be read here too. */
  whenIdle(): Promise<void>;
  /** Returns null when the record was removed, or never completely written. */
  read(id: string): StoredRecord | null;
  remove(id: string): void;
}

/** Opens the journal of a workspace. `roots` returns the directories that its roots are now. */
export function createJournal(state: State, roots: () => readonly RootIdentity[]): Journal {
  let current: OwnFile | undefined;
  let listed: readonly string[] | undefined;
  let waiting: readonly WaitingChange[] = [];
  return {
    beginEntry() {
      const file = (current && reopened(state, current, roots)) ?? newFile(state, roots());
      current = file;
      return begin(state, file);
    },
    isInterrupted() {
      const names = state.list(PENDING);
      if (current?.isHalfDone) return true;
      // The same array again means that no file was added or removed since.
      if (names === listed && waiting.length === 0) return false;
      if (current && !isInPlace(current, names)) journalsInPlace.delete(current.name);
      listed = names;
      waiting = waitingIn(state);
      return names.some(isNobodys);
    },
    hasAbandoned: () => [...journalsInPlace.values()].some(({ abandoned }) => abandoned.size > 0),
    unfinishedTransactions: () => [...unfinishedIn(state, PENDING), ...unfinishedIn(state, WAITING)],
    moveToWaiting(transaction) {
      const own = journalsInPlace.get(nameIn(transaction.file));
      if (own) {
        own.isHalfDone = false;
        return transaction;
      }
      const file = `${WAITING}/${nameIn(transaction.file)}`;
      state.move(transaction.file, file);
      return { ...transaction, file };
    },
    readWaiting: () => waitingIn(state),
    waiting: () => waiting,
    giveUp: (id) => state.locked(() => giveUpWaiting(state, id)),
    logRemainingSteps: ({ file }, tag, left) => appendLine(state, file, JSON.stringify({ tag, left })),
    finish: (transaction) => finishTransaction(state, transaction),
    records: () => newestFirst(state),
    recordsWith: (start) => newestWith(state, start),
    directories: () => directoriesIn(state),
    roots: () => current?.roots ?? [],
    count: () => countChanges(state),
    state: () => [CHANGES, ...state.list(PENDING).map((name) => `${PENDING}/${name}`)].map(state.changedMs).join(" "),
    whenIdle: () => whenIdle(state),
    read: (id) => recordWithId(state, id),
    remove: (id) => removeRecord(state, id),
  };
}

/** Returns as well when the lock times out: a reader must not wait forever. */
const whenIdle = async (state: State): Promise<void> =>
  state.list(PENDING).length > 0 ? state.locked(() => {}).catch(() => {}) : undefined;

/** Describes a journal file of this process. It stays open during a change set and for a short time after it. */
interface OwnFile {
  readonly name: string;
  readonly roots: readonly RootIdentity[];
  log: Log | undefined;
  closing: NodeJS.Timeout | undefined;
  /** The length of the file when it was last closed. */
  length: number;
  /** Holds the tags of the change sets in progress; `abandoned` holds those left to recovery. */
  readonly active: Set<string>;
  readonly abandoned: Set<string>;
  /** Is true when steps of an abandoned change set are left to roll back. */
  isHalfDone: boolean;
}

type OpenFile = OwnFile & { readonly log: Log };

/**
 * Holds the files of all journals of this process that are still in place, by name. Another journal of the same process
 * must not take them for unfinished, and nothing may be done that is recorded only in a file that was removed.
 */
const journalsInPlace = new Map<string, OwnFile>();

function newFile(state: State, roots: readonly RootIdentity[]): OpenFile {
  const name = `${newTag()}.${state.self}`;
  const log = state.open(`${PENDING}/${name}`);
  log.add(headerOf(roots));
  const tags = { active: new Set<string>(), abandoned: new Set<string>() };
  const file = { name, roots, log, closing: undefined, length: 0, ...tags, isHalfDone: false };
  journalsInPlace.set(name, file);
  return file;
}

const isNobodys = (name: string): boolean => name.includes(`.${NOBODY}.`);

const isInPlace = ({ name, log }: OwnFile, names: readonly string[]): boolean =>
  names.includes(name) && (log?.isInPlace() ?? true);

/**
 * Returns undefined when the file was archived, was taken for that of an exited process, was removed by hand with all
 * state, or names a root that another directory has replaced since.
 */
function reopened(state: State, file: OwnFile, roots: () => readonly RootIdentity[]): OpenFile | undefined {
  if (!journalsInPlace.has(file.name)) return undefined;
  if (!file.log && headerOf(roots()) !== headerOf(file.roots)) {
    endFile(state, file);
    return undefined;
  }
  const log = file.log ?? state.reopen(`${PENDING}/${file.name}`);
  return log && Object.assign(file, { log });
}

function begin(state: State, file: OpenFile): JournalEntry {
  const { log, active, abandoned } = file;
  const tag = newTag();
  active.add(tag);
  let stepsOffset: number | undefined;
  /** Is true while files are recorded that recovery would have to erase. */
  let mayLeaveFiles = false;
  const end = (finish: () => void): void => {
    if (!active.has(tag)) return;
    finish();
    active.delete(tag);
    if (active.size === 0) archiveOrCloseSoon(state, file);
  };
  const requireInPlace = (): void => {
    if (journalsInPlace.has(file.name)) return;
    throw new Fault("stale", "Cannot change anything: the journal was removed meanwhile");
  };
  return {
    tag,
    logStaged(staged) {
      if (!log.isInPlace()) journalsInPlace.delete(file.name);
      requireInPlace();
      mayLeaveFiles = true;
      log.add(JSON.stringify({ tag, staged }));
    },
    logSteps(steps) {
      requireInPlace();
      stepsOffset ??= log.addedBytes();
      log.add(JSON.stringify({ tag, steps }));
    },
    retract() {
      if (stepsOffset !== undefined) log.truncate(stepsOffset);
      stepsOffset = undefined;
    },
    commit(record, temporaryFiles) {
      log.add(JSON.stringify({ tag, record, litter: temporaryFiles }));
      stepsOffset = undefined;
      mayLeaveFiles = temporaryFiles.length > 0;
    },
    end: () => end(() => (mayLeaveFiles ? logEnd(file, tag) : undefined)),
    abandon: () =>
      end(() => {
        abandoned.add(tag);
        if (stepsOffset !== undefined) handOver(state, file);
      }),
  };
}

/**
 * Abandons the change set when the line cannot be written: recovery then erases files that are already gone, which does
 * no harm.
 */
function logEnd({ log, abandoned }: OwnFile, tag: string): void {
  try {
    log?.add(JSON.stringify({ tag, isOver: true }));
  } catch {
    abandoned.add(tag);
  }
}

/** Makes the file nobody's: whoever comes first rolls back the steps that we could not. */
function handOver(state: State, file: OwnFile): void {
  const tag = file.name.slice(0, file.name.indexOf("."));
  try {
    state.move(`${PENDING}/${file.name}`, `${PENDING}/${tag}.${nobodyAfter(state.self)}`);
    close(file);
    journalsInPlace.delete(file.name);
  } catch {
    // A disk that cannot rename lets nobody change anything. Once it can again, we are the first to know.
    file.isHalfDone = true;
  }
}

/** Archives a long file. Keeps a short one open: the next change usually comes soon, or not for a while. */
function archiveOrCloseSoon(state: State, file: OwnFile): void {
  const length = file.length + (file.log?.addedBytes() ?? 0);
  if (length <= LIMITS.journalBytes) return closeSoon(file);
  endFile(state, file);
}

/** Archives a file, unless recovery needs it. */
function endFile(state: State, file: OwnFile): void {
  if (file.abandoned.size > 0) return closeSoon(file);
  close(file);
  journalsInPlace.delete(file.name);
  archive(state, `${PENDING}/${file.name}`);
}

function closeSoon(file: OwnFile): void {
  if (file.closing) return void file.closing.refresh();
  file.closing = setTimeout(() => {
    if (file.active.size === 0) close(file);
  }, LIMITS.journalOpenMs).unref();
}

function close(file: OwnFile): void {
  file.length += file.log?.addedBytes() ?? 0;
  file.log?.close();
  file.log = undefined;
}

function unfinishedIn(state: State, folder: string): readonly UnfinishedTransaction[] {
  return state.list(folder).flatMap((name) => unfinishedOf(state, `${folder}/${name}`));
}

function unfinishedOf(state: State, file: string): readonly UnfinishedTransaction[] {
  const name = nameIn(file);
  const owner = name.slice(name.indexOf(".") + 1);
  const own = journalsInPlace.get(name);
  if (own ? own.abandoned.size === 0 : !hasEnded(state, file, owner)) return [];
  const sets = unfinishedSetsOf(state.read(file));
  const roots = rootsIn(state.firstLine(file));
  if (own) return [{ file, owner, roots, isOwn: true, sets: sets.filter(({ tag }) => own.abandoned.has(tag)) }];
  // A process that cannot be observed may be alive and just have nothing to do.
  return sets.length > 0 || state.hasExited(owner, false) ? [{ file, owner, roots, isOwn: false, sets }] : [];
}

/** Returns whether the process of a journal is gone, for sure or because it is silent. */
function hasEnded(state: State, file: string, owner: string): boolean {
  if (!state.hasExited(owner, true)) return false;
  return state.hasExited(owner, false) || Date.now() - state.changedMs(file) > LIMITS.pendingSilentMs;
}

/** Starts on a new line: the last line of an exited process may have been cut off. */
function appendLine(state: State, file: string, line: string): void {
  const log = journalsInPlace.get(nameIn(file))?.log;
  if (log) log.add(line);
  else state.append(file, `\n${line}\n`);
}

function finishTransaction(state: State, { file, sets }: UnfinishedTransaction): void {
  const own = journalsInPlace.get(nameIn(file));
  if (!own) return archive(state, file);
  // A set whose lines could not be written has nothing to roll back.
  if (sets.length === 0) own.abandoned.clear();
  own.isHalfDone = false;
  for (const { tag } of sets) {
    appendLine(state, file, JSON.stringify({ tag, isOver: true }));
    own.abandoned.delete(tag);
  }
}
