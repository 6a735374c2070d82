import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { STORE_NAME } from "../../../base/product.ts";
import { parseStored } from "../../../base/stored-json.ts";
import type { State } from "../../../storage/state.ts";

const backupKey = z.string().startsWith(`${STORE_NAME}/`);

/** Describes one object that a change set writes or removes. */
const put = z.object({
  key: z.string(),
  /** The tag that must be there; null for nothing. */
  was: z.string().nullable(),
  /** Holds a copy of what was there. */
  backup: backupKey.optional(),
  /** Tells the new content: by its SHA-256, or by the object that it is copied from. Is null for a removal. */
  will: z.union([z.object({ sha256: z.string() }), z.object({ copyOf: z.string() })]).nullable(),
});

/** Describes a change set before anything of it is made. */
const putPlan = z.lazy(() =>
  z.object({
    root: z.string(),
    /** Identifies the store. */
    store: z.string(),
    puts: z.array(put).readonly(),
    /** Lists everything that it creates in the store. */
    backups: z.array(backupKey).readonly(),
    /** Lists what may be erased once it is recorded. */
    temporary: z.array(backupKey).readonly(),
  }),
);

const progress = z.lazy(() =>
  z.object({
    /** Is true once all backups are made. */
    isBackedUp: z.boolean().optional(),
    /** The index of an object that was put or removed, and its tag; null for one that was removed. */
    made: z.tuple([z.number(), z.string().nullable()]).optional(),
    /** The index of an object that was put back, or whose put was refused. */
    undone: z.number().optional(),
    /** Names the record that commits the change set. */
    record: z.string().optional(),
  }),
);

export type Put = Readonly<z.output<typeof put>>;
export type PutPlan = Readonly<z.output<typeof putPlan>>;
type Progress = z.output<typeof progress>;

/** A journaled change set: the plan, and how far it came. */
export interface PendingSet {
  readonly plan: PutPlan;
  /** Maps the index of each put that was made so far to its tag. */
  readonly made: ReadonlyMap<number, string | null>;
  readonly undone: ReadonlySet<number>;
  readonly isBackedUp: boolean;
  readonly record: string | undefined;
  log(line: Progress): void;
  end(): void;
  /** Gives the change set up: the next change, in any process, adopts it. */
  abandon(): void;
}

/** Journals a change set in a file of its own, before anything of it is made. */
export function beginPending(state: State, tag: string, plan: PutPlan): PendingSet {
  const name = `${tag}.${state.self}`;
  state.write(`${FOLDER}/${name}`, `${JSON.stringify(plan)}\n`);
  active.add(name);
  return pendingSet(state, name, plan, []);
}

/** Takes over what exited processes left of this store, and what this one gave up. */
export const adoptPending = (state: State, at: Pick<PutPlan, "root" | "store">): Promise<readonly PendingSet[]> =>
  state.locked(() => unownedIn(state).flatMap((name) => adoptOne(state, at, name)));

/** Counts the change sets that nobody works on. */
export const countUnowned = (state: State): number => unownedIn(state).length;

const FOLDER = "pending-puts";

/** Names the files that this process works on. */
const active = new Set<string>();

const unownedIn = (state: State): readonly string[] => state.list(FOLDER).filter((name) => isUnowned(state, name));

function isUnowned(state: State, name: string): boolean {
  const owner = name.slice(name.indexOf(".") + 1);
  if (owner === state.self) return !active.has(name);
  const silentMs = Date.now() - state.changedMs(`${FOLDER}/${name}`);
  return state.hasExited(owner, silentMs > LIMITS.pendingSilentMs);
}

/** Leaves a plan of another store, and a damaged one, where it is. */
function adoptOne(state: State, { root, store }: Pick<PutPlan, "root" | "store">, name: string): readonly PendingSet[] {
  const [first = "", ...rest] = (state.read(`${FOLDER}/${name}`) ?? "").split("\n");
  const plan = parseStored(putPlan, first);
  if (plan?.root !== root || plan.store !== store) return [];
  const own = `${name.slice(0, name.indexOf("."))}.${state.self}`;
  state.move(`${FOLDER}/${name}`, `${FOLDER}/${own}`);
  active.add(own);
  return [
    pendingSet(
      state,
      own,
      plan,
      rest.flatMap((line) => parseStored(progress, line) ?? []),
    ),
  ];
}

function pendingSet(state: State, name: string, plan: PutPlan, lines: readonly Progress[]): PendingSet {
  const made = new Map<number, string | null>();
  const undone = new Set<number>();
  let isBackedUp = false;
  let record: string | undefined;
  const apply = (line: Progress): void => {
    if (line.made !== undefined) made.set(...line.made);
    if (line.undone !== undefined) undone.add(line.undone);
    isBackedUp ||= line.isBackedUp === true;
    record = line.record ?? record;
  };
  lines.forEach(apply);
  return {
    plan,
    made,
    undone,
    get isBackedUp() {
      return isBackedUp;
    },
    get record() {
      return record;
    },
    log(line) {
      apply(line);
      state.append(`${FOLDER}/${name}`, `${JSON.stringify(line)}\n`);
    },
    end() {
      state.remove(`${FOLDER}/${name}`);
      active.delete(name);
    },
    abandon: () => void active.delete(name),
  };
}
