import { randomBytes } from "node:crypto";
import { LIMITS } from "../base/limits.ts";
import type { Place } from "../storage/hands.ts";
import type { State } from "../storage/state.ts";
import type { ChangeRecord } from "./change.ts";
import { isChangeId, isOwnPlace, isRecord, isStep } from "./sound.ts";
import type { Step } from "./steps.ts";

/** A change set on its way: everything it needs to be taken back is written before it is done. */
export interface Entry {
  readonly tag: string;
  /** What is about to be made beside the files, or, with the tag of another change set, what that one left of it. */
  stages(places: readonly Place[], of?: string): void;
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
  /** The tag that is in the names of what it made. */
  readonly tag: string;
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
  /** Changes that are younger than this one; also those that have happened and are not filed yet. */
  since(id: string): readonly ChangeRecord[];
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
    ids: () => idsIn(state),
    // The pending ones first: what is filed meanwhile is seen twice, not never.
    since: (id) => [
      ...state.list(PENDING).flatMap((name) => linesOf(state.read(`${PENDING}/${name}`)).at(-1)?.record ?? []),
      ...idsIn(state).flatMap((each) => (each > id ? (readIn(state, each) ?? []) : [])),
    ],
    read: (id) => readIn(state, id),
    remove: (id) => state.remove(`${CHANGES}/${id}`),
  };
}

const idsIn = (state: State): readonly string[] => state.list(CHANGES).filter(isChangeId).toSorted();

function readIn(state: State, id: string): ChangeRecord | null {
  const record = linesOf(state.read(`${CHANGES}/${id}`)).at(-1)?.record;
  return record?.id === id ? record : null;
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
    stages: (staged, of = tag) => log.add(JSON.stringify({ tag: of, staged })),
    steps: (steps) => log.add(JSON.stringify({ tag, steps })),
    commit(record, litter) {
      id = record.id;
      log.add(JSON.stringify({ tag, record, litter }));
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
  /** Whose names the places have. A line is of one change set, whatever the file is called. */
  readonly tag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly record: ChangeRecord | undefined;
  readonly litter: readonly Place[];
  readonly left: number | undefined;
}

/** The last line may have been cut off: then what it speaks of was not begun. */
function linesOf(text: string | null): readonly Line[] {
  const whole = (text ?? "").split("\n").slice(0, -1);
  return whole.flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? soundOf(value) : undefined;
  } catch {
    return undefined;
  }
}

/** What is damaged, or speaks of what no change set of this tag made, is left out. */
function soundOf({ tag, staged, steps, record, litter, left }: { readonly [Key in keyof Line]?: unknown }): Line {
  const isOwn = (place: unknown): place is Place => isChangeId(tag) && isOwnPlace(place, tag);
  const isOwnStep = (step: unknown): step is Step => isStep(step) && placesKept(step).every(isOwn);
  return {
    tag: isChangeId(tag) ? tag : "",
    staged: listIn(staged).filter(isOwn),
    steps: listIn(steps).filter(isOwnStep),
    record: isRecord(record) ? record : undefined,
    litter: listIn(litter).filter(isOwn),
    left: typeof left === "number" ? left : undefined,
  };
}

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Where a step keeps what it replaces: the way back removes it there. */
function placesKept(step: Step): readonly Place[] {
  if (step.do === "keep") return [step.object];
  return step.do === "move" && step.kept !== undefined ? [step.kept] : [];
}

function leftoverOf(state: State, name: string): readonly Leftover[] {
  if (isUnderWay(state, name)) return [];
  const lines = linesOf(state.read(`${PENDING}/${name}`));
  return [
    {
      name,
      tag: lines.find(({ tag }) => tag !== "")?.tag ?? "",
      staged: lines.flatMap(({ staged }) => staged),
      steps: lines.flatMap(({ steps }) => steps).slice(0, lines.findLast(({ left }) => left !== undefined)?.left),
      litter: lines.flatMap(({ litter }) => litter),
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
