import type { Key, ObjectStore } from "../../storage/objects/object-store.ts";
import type { Log, State } from "../../storage/state.ts";

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

/** Returns a store in which something happens around every call. */
export function interfered(objects: ObjectStore, { before, after }: Interference): ObjectStore {
  const around = async <T>(method: string, key: Key, act: () => Promise<T>): Promise<T> => {
    const call: Call = { method, key };
    await before?.(call);
    const answer = await act();
    await after?.(call);
    return answer;
  };
  return {
    ...objects,
    isConditional: objects.isConditional,
    isDurable: objects.isDurable,
    head: (...args) => around("head", args[0], () => objects.head(...args)),
    get: (...args) => around("get", args[0], () => objects.get(...args)),
    put: (...args) => around("put", args[0], () => objects.put(...args)),
    remove: (...args) => around("remove", args[0], () => objects.remove(...args)),
    async *list(...args) {
      await before?.({ method: "list", key: args[0] });
      yield* objects.list(...args);
    },
  };
}

/** Acts once, at the first call that matches. */
export function once(method: string, key: Key, act: () => unknown): (call: Call) => Promise<void> {
  let isDone = false;
  return async (call) => {
    if (isDone || call.method !== method || call.key !== key) return;
    isDone = true;
    await act();
  };
}

/** Dies at one of the calls that change something, before or after it is made; then nothing works any more. */
export function createLife(deadline: number, when: "before" | "after") {
  const numbers = new Map<Call, number>();
  let isDead = false;
  const pass = (call: Call, moment: "before" | "after"): void => {
    if (!isDead && moment === when && numbers.get(call) === deadline) isDead = true;
    if (isDead) throw new Error("killed");
  };
  return {
    isDead: () => isDead,
    before(call: Call): void {
      if (CHANGING.has(call.method)) numbers.set(call, numbers.size + 1);
      pass(call, "before");
    },
    after: (call: Call): void => pass(call, "after"),
  };
}

export type Life = ReturnType<typeof createLife>;

const CHANGING = new Set(["put", "remove", "write", "append", "open", "move", "drop", "add"]);

/** Returns a state that dies with its store. */
export function mortalState(state: State, { before, after }: Required<Interference>): State {
  const around =
    <Args extends readonly unknown[], T>(method: string, act: (...args: Args) => T) =>
    (...args: Args): T => {
      const call: Call = { method, key: String(args[0]) };
      before(call);
      const answer = act(...args);
      after(call);
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
