import { Fault } from "../../base/errors.ts";
import type { ObjectStore } from "./object-store.ts";

/** Tells the author of a store what it lacks, at once and not in the middle of a call. */
export function requireObjectStore(objects: ObjectStore): void {
  if (isPromise(objects)) throw storeFault("it is a promise: await the function that makes it");
  const lacking = FUNCTIONS.filter((name) => typeof objects?.[name] !== "function");
  if (lacking.length > 0) throw storeFault(`it has no function ${lacking.join(", ")}`);
  const unsaid = FACTS.filter((name) => typeof objects[name] !== "boolean");
  if (unsaid.length > 0) throw storeFault(`${unsaid.join(" and ")} has to be true or false`);
}

const FUNCTIONS = ["head", "get", "put", "remove", "list"] as const;
const FACTS = ["isConditional", "isDurable"] as const;

/** Tells the author of a root what it is instead of a storage. */
export function requireMountable(storage: unknown, what: string): void {
  const { mount, head } = (storage ?? {}) as { readonly mount?: unknown; readonly head?: unknown };
  if (typeof mount === "function") return;
  const reason = isPromise(storage)
    ? "it is a promise: await it before, and give the storage"
    : typeof head === "function"
      ? "it is an object store: give objectStorage(store)"
      : "it has no function mount: make it with memoryStorage() or objectStorage(store)";
  throw new Fault("invalid_input", `Cannot use ${what} as a storage: ${reason}`);
}

const isPromise = (value: unknown): boolean =>
  typeof (value as { readonly then?: unknown } | null)?.then === "function";

const storeFault = (reason: string): Fault => new Fault("invalid_input", `Cannot use this object store: ${reason}`);
