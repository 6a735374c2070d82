import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { STORE_NAME } from "../../base/product.ts";
import type { Cancellation } from "../../base/time-slicing.ts";
import type { Key, ObjectFacts, ObjectStore, StoreCallOptions } from "./object-store.ts";

/** A store of others that nobody has to wait for, and whose errors are faults without foreign text. */
export interface GuardedStore extends ObjectStore {
  /** The store itself, which is the same for all that use it. */
  readonly source: ObjectStore;
  /** Returns the same store for one call of a tool: it is no longer waited for once that is cancelled. */
  during(call: Cancellation): GuardedStore;
}

/** Guards the calls of a store, each of which may take `mostMs`. What it is told to be cancelled by is polled. */
export function guardedStore(
  objects: ObjectStore,
  { source = objects, mostMs = LIMITS.storeCallMs, call }: GuardOptions = {},
): GuardedStore {
  const limits = { mostMs, call };
  return {
    source,
    isConditional: objects.isConditional,
    isDurable: objects.isDurable,
    during: (other) => guardedStore(objects, { source, mostMs, call: other }),
    head: async (key) =>
      (await answered({ verb: "read", key }, limits, (options) => objects.head(key, options))) ?? null,
    get: async (key, tag, from, most) =>
      (await answered({ verb: "read", key }, limits, (options) => objects.get(key, tag, from, most, options))) ?? null,
    put: async (key, content, when) =>
      (await answered({ verb: "write", key }, limits, (options) => objects.put(key, content, when, options))) ?? null,
    remove: (key, match) => answered({ verb: "remove", key }, limits, (options) => objects.remove(key, match, options)),
    list: (prefix, depth) => answeredOneByOne(objects, prefix, depth, limits),
  };
}

interface GuardOptions {
  readonly source?: ObjectStore | undefined;
  readonly mostMs?: number | undefined;
  readonly call?: Cancellation | undefined;
}

interface CallLimits {
  readonly mostMs: number;
  readonly call: Cancellation | undefined;
}

/** Names what a store is asked for. */
interface Asked {
  readonly verb: "read" | "write" | "remove" | "list";
  readonly key: Key;
}

/** Waits for an answer for as long as the limits allow. A store that ignores its signal is abandoned. */
async function answered<T>(
  asked: Asked,
  limits: CallLimits,
  ask: (options: StoreCallOptions) => Promise<T>,
  stop = new AbortController(),
): Promise<T> {
  const watch = watchLimits(asked, limits, stop);
  try {
    return await Promise.race([(async () => ask({ signal: stop.signal }))(), watch.givenUp]);
  } catch (error) {
    throw isFault(error) ? error : storeFault(asked, error);
  } finally {
    watch.end();
  }
}

/** Lists as the store does. Each object has to come within the limits. */
async function* answeredOneByOne(
  objects: ObjectStore,
  prefix: Key,
  depth: "entries" | "all",
  limits: CallLimits,
): AsyncGenerator<ObjectFacts> {
  const asked = { verb: "list", key: prefix } as const;
  const stop = new AbortController();
  const next = (iterator: AsyncIterator<ObjectFacts>) => answered(asked, limits, () => iterator.next(), stop);
  const begin = async (options: StoreCallOptions) => {
    // An author may write `async list`: then it is a promise.
    const listed = await Promise.resolve(objects.list(prefix, depth, options));
    return listed[Symbol.asyncIterator]();
  };
  const iterator = await answered(asked, limits, begin, stop);
  try {
    for (let step = await next(iterator); !step.done; step = await next(iterator)) yield step.value;
  } finally {
    // A list that hangs would hang here as well: nobody needs its end.
    void (async () => iterator.return?.())().catch(() => {});
  }
}

function watchLimits(asked: Asked, { mostMs, call }: CallLimits, stop: AbortController) {
  const endsAt = performance.now() + mostMs;
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    timer = setInterval(
      () => {
        const isOver = performance.now() >= endsAt;
        if (!isOver && call?.aborted !== true) return;
        clearInterval(timer);
        reject(isOver ? timeoutFault(asked, mostMs) : cancelledFault(asked));
        stop.abort();
      },
      Math.min(LIMITS.cancelPollMs, mostMs),
    );
  });
  return { givenUp, end: () => clearInterval(timer) };
}

const isChange = ({ verb }: Asked): boolean => verb === "write" || verb === "remove";

const timeoutFault = (asked: Asked, mostMs: number): Fault =>
  new Fault(
    "timeout",
    `Cannot ${named(asked)}: its storage has not answered for ${mostMs / 1000} s${outcomeOf(asked)}`,
    isChange(asked) ? {} : { hint: "Nothing was changed: try again, or tell the user" },
  );

const cancelledFault = (asked: Asked): Fault =>
  new Fault("cancelled", `Cannot ${named(asked)}: the call was cancelled${outcomeOf(asked)}`);

const outcomeOf = (asked: Asked): string =>
  isChange(asked) ? "; it may have happened all the same, which is looked at before the next change" : "";

/** Says nothing of the error itself, which may hold credentials or addresses: it is the cause, for the operator. */
const storeFault = (asked: Asked, error: unknown): Fault =>
  new Fault("io", `Cannot ${named(asked)}: its storage failed`, {}, error);

const named = ({ verb, key }: Asked): string =>
  key.startsWith(`${STORE_NAME}/`) ? `${verb} a backup` : `${verb} ${JSON.stringify(key === "" ? "." : key)}`;
