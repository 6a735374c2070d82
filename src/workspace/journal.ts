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
}

/** What a process that ended left half done. With a record it has happened, and only litter is left. */
export interface Leftover {
  readonly tag: string;
  readonly staged: readonly Place[];
  readonly steps: readonly Step[];
  readonly litter: readonly Place[];
  readonly record?: ChangeRecord | undefined;
}

/** Written ahead: pending/<tag> grows line by line while a change is made, and becomes changes/<id> once all is done. */
export interface Journal {
  begin(): Entry;
  /** Change sets of processes that are gone. */
  leftovers(): readonly Leftover[];
  settle(leftover: Leftover): void;
  /** Ids of all changes, oldest first. */
  ids(): readonly string[];
  /** Null when it is gone, or was never whole. */
  read(id: string): ChangeRecord | null;
  remove(id: string): void;
}

export function createJournal(state: State): Journal {
  const own = new Set<string>();
  return {
    begin: () => begin(state, own),
    leftovers: () =>
      state
        .list(PENDING)
        .filter((tag) => !own.has(tag))
        .flatMap((tag) => leftoverOf(state, tag)),
    settle({ tag, record }) {
      if (record) state.move(`${PENDING}/${tag}`, `${CHANGES}/${record.id}`);
      else state.remove(`${PENDING}/${tag}`);
    },
    ids: () => state.list(CHANGES).toSorted(),
    read: (id) => linesOf(state.read(`${CHANGES}/${id}`)).at(-1)?.record ?? null,
    remove: (id) => state.remove(`${CHANGES}/${id}`),
  };
}

function begin(state: State, own: Set<string>): Entry {
  const tag = `${PROCESS}${(++begun).toString(36)}`;
  own.add(tag);
  const log = state.open(`${PENDING}/${tag}`);
  log.add(JSON.stringify({ owner: state.self }));
  let id = "";
  return {
    tag,
    stages: (staged) => log.add(JSON.stringify({ staged })),
    steps: (steps) => log.add(JSON.stringify({ steps })),
    commit(record, litter) {
      id = record.id;
      log.add(JSON.stringify({ record, litter }));
    },
    file() {
      own.delete(tag);
      log.file(`${CHANGES}/${id}`);
    },
    drop() {
      own.delete(tag);
      log.drop();
    },
  };
}

/** What tells our change sets from those of other processes. */
const PROCESS = randomBytes(5).toString("hex");
let begun = 0;

const PENDING = "pending";
const CHANGES = "changes";

interface Line {
  readonly owner?: string;
  readonly staged?: readonly Place[];
  readonly steps?: readonly Step[];
  readonly record?: ChangeRecord;
  readonly litter?: readonly Place[];
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

function leftoverOf(state: State, tag: string): readonly Leftover[] {
  const name = `${PENDING}/${tag}`;
  const isSilent = Date.now() - state.changedMs(name) > LIMITS.pendingSilentMs;
  const lines = linesOf(state.read(name));
  const owner = lines[0]?.owner;
  if (owner === undefined ? !isSilent : !state.isGone(owner, isSilent)) return [];
  const all = <T>(part: (line: Line) => readonly T[] | undefined): readonly T[] =>
    lines.flatMap((line) => part(line) ?? []);
  return [
    {
      tag,
      staged: all((line) => line.staged),
      steps: all((line) => line.steps),
      litter: all((line) => line.litter),
      record: lines.at(-1)?.record,
    },
  ];
}

/** Sorts by time of commit: those of one process exactly, those of several by the millisecond. */
export function newChangeId(): string {
  lastMicros = Math.max(lastMicros + 1, Date.now() * 1000);
  return `${lastMicros.toString(36).padStart(11, "0")}${PROCESS.slice(0, 4)}`;
}

let lastMicros = 0;
