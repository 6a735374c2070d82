// Runs before an instrumented program, and records which function was entered below which. An AsyncLocalStorage holds
// the current function, so that a function which was entered after an await still stands below the one that awaited.
import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage();
const UNRECORDED = { index: -1 };
const NEVER_MS = 2 ** 31 - 1;

/** Entries as [function, index of the entry above or -1], in the order of entering; undefined while not recording. */
let entries;

function enter(id) {
  if (entries === undefined) return UNRECORDED;
  entries.push([id, (current.getStore() ?? UNRECORDED).index]);
  return { index: entries.length - 1 };
}

/** Runs the body of a function that is no generator. */
globalThis.$entered = (id, body) => current.run(enter(id), body);

/** Iterates over the body of a generator, whose code runs a piece at a time, each below whoever asks for it. */
globalThis.$iterated = (id, body, self) => {
  const [frame, iterator] = [enter(id), body.call(self)];
  const resume = (method) => (value) => current.run(frame, () => iterator[method](value));
  return {
    next: resume("next"),
    return: resume("return"),
    throw: resume("throw"),
    [Symbol.iterator]() {
      return this;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
};

/**
 * Until the server may end, its clock stands still and no timer goes off: what is due once a second, or after a pause of
 * the caller, never falls into a walk. The clock stands in the future, so that no file counts as changed just now.
 */
let isFrozen = true;
const { setTimeout } = globalThis;
const { now } = Date;
const frozenMs = now() + 3_600_000;
Date.now = () => (isFrozen ? frozenMs : now());
globalThis.setTimeout = Object.assign(
  (act, ms, ...rest) => (isFrozen ? setTimeout(() => {}, NEVER_MS).unref() : setTimeout(act, ms, ...rest)),
  setTimeout,
);

process.on("message", (message) => {
  if (message === "record") entries = [];
  process.send?.(entries ?? []);
  if (message === "stop") entries = undefined;
  if (message === "thaw") isFrozen = false;
});
process.channel?.unref();
