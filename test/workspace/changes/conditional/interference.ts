import type { Key, ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import type { Log, State } from "../../../../src/storage/state.ts";

/** One call of a store or of the state. */
export interface Call {
  readonly method: string;
  readonly key: Key;
}

/** Acts right before and right after a call; what it throws is what the caller gets. */
export interface Interference {
  before?(call: Call): unknown;
  after?(call: Call): unknown;
}

/** A store in which something happens around every call. */
export function interfered(objects: ObjectStore, { before, after }: Interference): ObjectStore {
  const around = async <T>(method: string, key: Key, act: () => Promise<T>): Promise<T> => {
    await before?.({ method, key });
    const answer = await act();
    await after?.({ method, key });
    return answer;
  };
  return {
    ...objects,
    head: (key) => around("head", key, () => objects.head(key)),
    get: (key, ...rest) => around("get", key, () => objects.get(key, ...rest)),
    put: (key, ...rest) => around("put", key, () => objects.put(key, ...rest)),
    remove: (key, match) => around("remove", key, () => objects.remove(key, match)),
    async *list(prefix, depth) {
      await before?.({ method: "list", key: prefix });
      yield* objects.list(prefix, depth);
    },
  };
}

/** Dies at one of the calls that change something, before or after it is made; then nothing works any more. */
export function createLife(deadline: number, when: "before" | "after") {
  let calls = 0;
  let isDead = false;
  const die = (): never => {
    isDead = true;
    throw new Error("killed");
  };
  return {
    isDead: () => isDead,
    before({ method }: Call): void {
      if (isDead) throw new Error("killed");
      if (CHANGING.has(method) && ++calls === deadline && when === "before") die();
    },
    after({ method }: Call): void {
      if (isDead) throw new Error("killed");
      if (CHANGING.has(method) && calls === deadline && when === "after") die();
    },
  };
}

const CHANGING = new Set(["put", "remove", "write", "append", "open", "move", "drop", "add"]);

/** A state that dies with its store. */
export function mortalState(state: State, { before, after }: Required<Interference>): State {
  const around =
    <Args extends readonly unknown[], T>(method: string, act: (...args: Args) => T) =>
    (...args: Args): T => {
      before({ method, key: String(args[0]) });
      const answer = act(...args);
      after({ method, key: String(args[0]) });
      return answer;
    };
  const mortalLog = (log: Log): Log => ({ ...log, add: around("add", log.add) });
  return {
    ...state,
    append: around("append", state.append),
    write: around("write", state.write),
    open: around("open", (name) => mortalLog(state.open(name))),
    move: around("move", state.move),
    remove: around("drop", state.remove),
  };
}
