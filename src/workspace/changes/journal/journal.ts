import { randomBytes } from "node:crypto";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Place } from "../../../storage/writer.ts";
import type { Log, State } from "../../../storage/state.ts";
import type { ChangeRecord } from "../change.ts";
import { CHANGES, type JournalLine, journalLinesOf, PENDING } from "./journal-lines.ts";
import { idsIn, newestFirst, recordWithId, removeRecord } from "./records.ts";
import type { Step } from "../steps.ts";

/** A change set on its way: everything it needs to be taken back is written before it is done. */
export interface JournalEntry {
  readonly tag: string;
  /** What is about to be made beside the files, or, with the tag of another change set, what that one left of it. */
  logStaged(places: readonly Place[], of?: string): void;
  /** Under the lock, once `leftovers` was asked there: only that notices when the journal was taken away. */
  logSteps(steps: readonly Step[]): void;
  /** Its steps were taken back, all since the lock was taken: as if they had never been written, even on a full disk. */
  retract(): void;
  /** The instant at which it has happened. `litter` is what may go now. */
  commit(record: ChangeRecord, temporaryFiles: readonly Place[]): void;
  /** Nothing is left to do for it. */
  end(): void;
  /** Gives up: whoever makes the next change finishes it or takes it back. Nothing more can be done with it. */
  abandon(): void;
}

/** A change set that was left half done. */
export interface UnfinishedChangeSet {
  readonly tag: string;
  /** The tag that is in the names of what it made. */
  readonly placesTag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly temporaryFiles: readonly Place[];
  /** Then only litter is left. */
  readonly isCommitted: boolean;
}

/** The journal of a process that is gone, or of this one, with what was given up in it. */
export interface UnfinishedTransaction {
  readonly name: string;
  readonly sets: readonly UnfinishedChangeSet[];
}

/**
 * Written ahead: pending/<name>.<owner> grows line by line while a process makes its changes. Once it is long, or its
 * process is gone and nothing in it is half done, it becomes changes/<first>-<last>, named for the ids in it. Whose it is
 * must be known from the first instant on, so the name says it.
 */
export interface Journal {
  beginEntry(): JournalEntry;
  /** What processes that are gone left, and what was given up. Notices as well when our own file was taken away. */
  unfinishedTransactions(): readonly UnfinishedTransaction[];
  /** Notes that so many steps are left to take back: where a file has two names, the others look as if they were. */
  logRemainingSteps(transaction: UnfinishedTransaction, tag: string, left: number): void;
  finish(transaction: UnfinishedTransaction): void;
  /** All that has happened and is not forgotten, newest first; with an id, what is older. */
  records(before?: string): Iterable<ChangeRecord>;
  /** Another text after every change, whichever process makes it. */
  state(): string;
  /** Once nothing is half made: what can be seen of a change by then can be read here as well. */
  whenIdle(): Promise<void>;
  /** Null when it is gone, or was never whole. */
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
      // The same list again says that nothing was put there or taken away since.
      if (current && names !== listed && !isInPlace(current, names)) journalsInPlace.delete(current.name);
      listed = names;
      return names.flatMap((name) => unfinishedOf(state, name));
    },
    logRemainingSteps: ({ name }, tag, left) => appendLine(state, name, JSON.stringify({ tag, left })),
    finish: (transaction) => finishTransaction(state, transaction),
    records: (before) => newestFirst(state, before),
    state: () => [CHANGES, ...state.list(PENDING).map((name) => `${PENDING}/${name}`)].map(state.changedMs).join(" "),
    whenIdle: () => whenIdle(state),
    read: (id) => recordWithId(state, id),
    remove: (id) => removeRecord(state, id),
  };
}

/** A lock that cannot be had is not waited for for ever. */
const whenIdle = async (state: State): Promise<void> =>
  state.list(PENDING).length > 0 ? state.locked(() => {}).catch(() => {}) : undefined;

/** A file that this process writes to; it is open while a change set is under way, and a little longer. */
interface OwnFile {
  readonly name: string;
  log: Log | undefined;
  closing: NodeJS.Timeout | undefined;
  /** How long it was when it was last closed. */
  length: number;
  /** Tags of the change sets that are being made, and of those that were given up. */
  readonly active: Set<string>;
  readonly abandoned: Set<string>;
}

type OpenFile = OwnFile & { readonly log: Log };

/**
 * Those of all journals of this process that are in place, by name: another one of the same process must not take them
 * for left over, and nothing is done that only a file which was taken away would tell of.
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

/** Undefined when it has been filed, or taken for that of a process that is gone, or removed by hand with all state. */
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
  /** There is something to erase, should nobody say that it is over. */
  let mayLeaveFiles = false;
  const end = (finish: () => void): void => {
    if (!active.has(tag)) return;
    finish();
    active.delete(tag);
    if (active.size === 0) archiveOrCloseSoon(state, file);
  };
  const requireInPlace = (): void => {
    if (journalsInPlace.has(file.name)) return;
    throw new Fault("stale", "Cannot change anything: the journal was taken away meanwhile");
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

/** What cannot be said now is left to the next change: then what is gone is erased once more, which does no harm. */
function logEnd({ log, abandoned }: OwnFile, tag: string): void {
  try {
    log?.add(JSON.stringify({ tag, isOver: true }));
  } catch {
    abandoned.add(tag);
  }
}

/** Once it is long it is filed. Until then the next change is likely to come soon, or not for a while. */
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

/** Nothing in it is half done. */
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
  // One that cannot be seen may only have nothing to do.
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

/** The last line of a process that is gone may have been cut off. */
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

/** What tells our change sets from those of other processes. */
const PROCESS = randomBytes(5).toString("hex");
let tagCount = 0;
const newTag = (): string => `${PROCESS}${(++tagCount).toString(36)}`;

/** Sorts by time of commit: those of one process exactly, those of several by the millisecond. */
export function newChangeId(): string {
  lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
  return `${lastMicros.toString(36).padStart(11, "0")}${PROCESS.slice(0, 4)}`;
}

let lastMicros = 0;
