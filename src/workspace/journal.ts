import { randomBytes } from "node:crypto";
import { LIMITS } from "../base/limits.ts";
import type { Place } from "../storage/hands.ts";
import type { State } from "../storage/state.ts";
import type { ChangeRecord } from "./change.ts";
import type { Step } from "./steps.ts";

/** A change set on its way: everything it needs to be taken back is written before it is done. */
export interface Entry {
  readonly tag: string;
  /** What is about to be made beside the files. */
  stages(places: readonly Place[]): void;
  steps(steps: readonly Step[]): void;
  /** The instant at which it has happened. `litter` is what may go now. */
  commit(record: ChangeRecord, litter: readonly Place[]): void;
  /** Nothing is left to do for it. */
  file(): void;
  /** Nothing of it is left. */
  drop(): void;
  /** Gives up: whoever makes the next change finishes it or takes it back. Nothing more can be done with it. */
  leave(): void;
}

/** What was left half done. With a record it has happened, and only litter is left. */
export interface Leftover {
  readonly name: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly litter: readonly Place[];
  readonly record?: ChangeRecord | undefined;
}

/**
 * Written ahead: pending/<tag>.<owner> grows line by line while a change is made, and becomes changes/<id> once all is
 * done. Whose it is must be known from the first instant on, so the name says it.
 */
export interface Journal {
  begin(): Entry;
  /** Change sets of processes that are gone, and those that were given up. */
  leftovers(): readonly Leftover[];
  /** Notes that so many steps are left to take back: where a file has two names, the others look as if they were. */
  note(leftover: Leftover, left: number): void;
  settle(leftover: Leftover): void;
  /** Ids of all changes, oldest first. */
  ids(): readonly string[];
  /** Null when it is gone, or was never whole. */
  read(id: string): ChangeRecord | null;
  remove(id: string): void;
}

export function createJournal(state: State): Journal {
  return {
    begin: () => begin(state),
    leftovers: () => state.list(PENDING).flatMap((name) => leftoverOf(state, name)),
    note: ({ name }, left) => state.append(`${PENDING}/${name}`, `\n${JSON.stringify({ left })}\n`),
    settle({ name, record }) {
      if (record) state.move(`${PENDING}/${name}`, `${CHANGES}/${record.id}`);
      else state.remove(`${PENDING}/${name}`);
    },
    ids: () => state.list(CHANGES).toSorted(),
    read: (id) => linesOf(state.read(`${CHANGES}/${id}`)).at(-1)?.record ?? null,
    remove: (id) => state.remove(`${CHANGES}/${id}`),
  };
}

function begin(state: State): Entry {
  const tag = `${PROCESS}${(++begun).toString(36)}`;
  const log = state.open(`${PENDING}/${tag}.${state.self}`);
  underWay.add(tag);
  let id = "";
  /** Whatever comes of it: it is under way no more. */
  const end = (finish: () => void): void => {
    if (underWay.delete(tag)) finish();
  };
  return {
    tag,
    stages: (staged) => log.add(JSON.stringify({ staged })),
    steps: (steps) => log.add(JSON.stringify({ steps })),
    commit(record, litter) {
      id = record.id;
      log.add(JSON.stringify({ record, litter }));
    },
    file: () => end(() => log.file(`${CHANGES}/${id}`)),
    drop: () => end(log.drop),
    leave: () => end(log.close),
  };
}

/** Tags of the change sets that this process is working on; its others were given up. */
const underWay = new Set<string>();

/** What tells our change sets from those of other processes. */
const PROCESS = randomBytes(5).toString("hex");
let begun = 0;

const PENDING = "pending";
const CHANGES = "changes";

interface Line {
  readonly staged?: readonly Place[];
  readonly steps?: readonly Step[];
  readonly record?: ChangeRecord;
  readonly litter?: readonly Place[];
  readonly left?: number;
}

/** The last line may have been cut off: then what it speaks of was not begun. */
function linesOf(text: string | null): readonly Line[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function leftoverOf(state: State, name: string): readonly Leftover[] {
  if (isUnderWay(state, name)) return [];
  const lines = linesOf(state.read(`${PENDING}/${name}`));
  const all = <T>(part: (line: Line) => readonly T[] | undefined): readonly T[] =>
    lines.flatMap((line) => part(line) ?? []);
  return [
    {
      name,
      staged: all((line) => line.staged),
      steps: all((line) => line.steps).slice(0, lines.findLast(({ left }) => left !== undefined)?.left),
      litter: all((line) => line.litter),
      record: lines.at(-1)?.record,
    },
  ];
}

function isUnderWay(state: State, name: string): boolean {
  const dot = name.indexOf(".");
  const [tag, owner] = [name.slice(0, dot), name.slice(dot + 1)];
  if (tag.startsWith(PROCESS)) return underWay.has(tag);
  const isSilent = Date.now() - state.changedMs(`${PENDING}/${name}`) > LIMITS.pendingSilentMs;
  return !state.isGone(owner, isSilent);
}

/** Sorts by time of commit: those of one process exactly, those of several by the millisecond. */
export function newChangeId(): string {
  lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
  return `${lastMicros.toString(36).padStart(11, "0")}${PROCESS.slice(0, 4)}`;
}

let lastMicros = 0;
