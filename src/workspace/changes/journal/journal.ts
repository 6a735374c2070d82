import { randomBytes } from "node:crypto";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Place } from "../../../storage/writer.ts";
import type { Log, State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { CHANGES, type JournalLine, journalLinesOf, PENDING } from "./journal-lines.ts";
import { idsIn, newestFirst, newestWith, recordWithId, removeRecord } from "./records.ts";
import type { Step } from "../steps.ts";

/** Records one change set ahead of the work: everything a rollback needs is written before a step is performed. */
export interface JournalEntry {
  readonly tag: string;
  /**
   * Logs places that are about to be created beside the files. With the tag of another change set, logs the places
   * which that one left behind.
   */
  logStaged(places: readonly Place[], of?: string): void;
  /**
   * Requires the lock, and a call of `unfinishedTransactions` under it: only that call detects a removed journal file.
   */
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
   * Leaves the change set to recovery: the next change, in any process, finishes it or rolls it back. The entry must
   * not be used afterwards.
   */
  abandon(): void;
}

/** Describes a change set that was interrupted. */
export interface UnfinishedChangeSet {
  readonly tag: string;
  /** The tag in the names of the places that it made. */
  readonly placesTag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly temporaryFiles: readonly Place[];
  /** Is true when only temporary files are left to erase. */
  readonly isCommitted: boolean;
}

/**
 * Holds the unfinished change sets of one journal: of a process that has exited, or those that this process abandoned.
 */
export interface UnfinishedTransaction {
  readonly name: string;
  readonly sets: readonly UnfinishedChangeSet[];
}

/**
 * A write-ahead log: pending/<name>.<owner> grows line by line while a process makes its changes. Once the file is
 * long, or its process has exited and nothing in it is unfinished, it is renamed to changes/<first>-<last>, after the
 * ids in it. The owner must be known from the first moment on, so it is part of the name.
 */
export interface Journal {
  beginEntry(): JournalEntry;
  /**
   * Returns what exited processes left unfinished and what this one abandoned. Also detects that our own file was
   * removed.
   */
  unfinishedTransactions(): readonly UnfinishedTransaction[];
  /**
   * Logs how many steps are left to roll back. Without it, recovery could take a step for undone that is not: a file
   * with two names looks the same before and after.
   */
  logRemainingSteps(transaction: UnfinishedTransaction, tag: string, left: number): void;
  finish(transaction: UnfinishedTransaction): void;
  /** Yields all records of the history, newest first. */
  records(): Iterable<ChangeRecord>;
  /** Yields the records that hold a string with this start, and all undos; undefined for each of the others. */
  recordsWith(start: string): Iterable<ChangeRecord | undefined>;
  /** Returns a text that differs after every change, whichever process makes it. */
  state(): string;
  /** Resolves once no commit is in progress: a change that is visible in the files by then can be read here too. */
  whenIdle(): Promise<void>;
  /** Returns null when the record was removed, or never completely written. */
  read(id: string): ChangeRecord | null;
  remove(id: string): void;
}

export function createJournal(state: State): Journal {
  let current: OwnFile | undefined;
  let listed: readonly string[] | undefined;
  return {
    beginEntry() {
      const file = (current && reopened(state, current)) ?? newFile(state);
      current = file;
      return begin(state, file);
    },
    unfinishedTransactions() {
      const names = state.list(PENDING);
      // The same array again means that no file was added or removed since.
      if (current && names !== listed && !isInPlace(current, names)) journalsInPlace.delete(current.name);
      listed = names;
      return names.flatMap((name) => unfinishedOf(state, name));
    },
    logRemainingSteps: ({ name }, tag, left) => appendLine(state, name, JSON.stringify({ tag, left })),
    finish: (transaction) => finishTransaction(state, transaction),
    records: () => newestFirst(state),
    recordsWith: (start) => newestWith(state, start),
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
  log: Log | undefined;
  closing: NodeJS.Timeout | undefined;
  /** The length of the file when it was last closed. */
  length: number;
  /** Holds the tags of the change sets in progress; `abandoned` holds those left to recovery. */
  readonly active: Set<string>;
  readonly abandoned: Set<string>;
}

type OpenFile = OwnFile & { readonly log: Log };

/**
 * Holds the files of all journals of this process that are still in place, by name. Another journal of the same process
 * must not take them for unfinished, and nothing may be done that is recorded only in a file that was removed.
 */
const journalsInPlace = new Map<string, OwnFile>();

function newFile(state: State): OpenFile {
  const name = `${newTag()}.${state.self}`;
  const log = state.open(`${PENDING}/${name}`);
  const file = { name, log, closing: undefined, length: 0, active: new Set<string>(), abandoned: new Set<string>() };
  journalsInPlace.set(name, file);
  return file;
}

const isInPlace = ({ name, log }: OwnFile, names: readonly string[]): boolean =>
  names.includes(name) && (log?.isInPlace() ?? true);

/**
 * Returns undefined when the file was archived, was taken for that of an exited process, or was removed by hand with
 * all state.
 */
function reopened(state: State, file: OwnFile): OpenFile | undefined {
  if (!journalsInPlace.has(file.name)) return undefined;
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
    logStaged(staged, of) {
      if (!log.isInPlace()) journalsInPlace.delete(file.name);
      requireInPlace();
      mayLeaveFiles = true;
      log.add(JSON.stringify({ tag, of, staged }));
    },
    logSteps(steps) {
      requireInPlace();
      stepsOffset ??= log.addedBytes();
      log.add(JSON.stringify({ tag, steps }));
    },
    retract() {
      if (stepsOffset !== undefined) log.truncate(stepsOffset);
    },
    commit(record, temporaryFiles) {
      log.add(JSON.stringify({ tag, record, litter: temporaryFiles }));
      mayLeaveFiles = temporaryFiles.length > 0;
    },
    end: () => end(() => (mayLeaveFiles ? logEnd(file, tag) : undefined)),
    abandon: () => end(() => abandoned.add(tag)),
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

/** Archives a long file. Keeps a short one open: the next change usually comes soon, or not for a while. */
function archiveOrCloseSoon(state: State, file: OwnFile): void {
  const length = file.length + (file.log?.addedBytes() ?? 0);
  if (length <= LIMITS.journalBytes || file.abandoned.size > 0) return closeSoon(file);
  close(file);
  journalsInPlace.delete(file.name);
  archive(state, file.name);
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

/** Requires that nothing in the file is unfinished. */
function archive(state: State, name: string): void {
  const ids = idsIn(state.read(`${PENDING}/${name}`));
  if (ids.length === 0) state.remove(`${PENDING}/${name}`);
  else state.move(`${PENDING}/${name}`, `${CHANGES}/${ids[0]}-${ids.at(-1)}`);
}

function unfinishedOf(state: State, name: string): readonly UnfinishedTransaction[] {
  const own = journalsInPlace.get(name);
  if (own && own.abandoned.size === 0) return [];
  if (own) return [{ name, sets: unfinishedIn(state, name).filter(({ tag }) => own.abandoned.has(tag)) }];
  const owner = name.slice(name.indexOf(".") + 1);
  if (!state.hasExited(owner, true)) return [];
  const isSure = state.hasExited(owner, false);
  if (!isSure && Date.now() - state.changedMs(`${PENDING}/${name}`) <= LIMITS.pendingSilentMs) return [];
  const sets = unfinishedIn(state, name);
  // A process that cannot be observed may be alive and just have nothing to do.
  return isSure || sets.length > 0 ? [{ name, sets }] : [];
}

function unfinishedIn(state: State, name: string): readonly UnfinishedChangeSet[] {
  const byTag = new Map<string, JournalLine[]>();
  for (const line of journalLinesOf(state.read(`${PENDING}/${name}`))) {
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
  const placesTag = lines.find((line) => line.placesTag !== tag)?.placesTag ?? tag;
  const steps = lines.flatMap((line) => line.steps).slice(0, remaining);
  return [{ tag, placesTag, staged, steps, temporaryFiles, isCommitted }];
}

/** Starts on a new line: the last line of an exited process may have been cut off. */
function appendLine(state: State, name: string, line: string): void {
  const log = journalsInPlace.get(name)?.log;
  if (log) log.add(line);
  else state.append(`${PENDING}/${name}`, `\n${line}\n`);
}

function finishTransaction(state: State, { name, sets }: UnfinishedTransaction): void {
  const own = journalsInPlace.get(name);
  if (!own) return archive(state, name);
  for (const { tag } of sets) appendLine(state, name, JSON.stringify({ tag, isOver: true }));
  own.abandoned.clear();
}

/** Tells the change sets of this process from those of others. */
const PROCESS = randomBytes(5).toString("hex");
let tagCount = 0;
const newTag = (): string => `${PROCESS}${(++tagCount).toString(36)}`;

/** Returns an id that sorts by time of commit: exactly within one process, by the millisecond among several. */
export function newChangeId(): string {
  lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
  return `${lastMicros.toString(36).padStart(11, "0")}${PROCESS.slice(0, 4)}`;
}

let lastMicros = 0;
