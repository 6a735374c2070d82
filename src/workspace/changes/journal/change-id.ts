import { randomBytes } from "node:crypto";
import type { State } from "../../../storage/state.ts";

/** Tells the change sets of this process from those of others. */
const PROCESS = randomBytes(5).toString("hex");
let tagCount = 0;
/** Returns the tag of a new change set, and of the places that it makes. */
export const newTag = (): string => `${PROCESS}${(++tagCount).toString(36)}`;

/**
 * Returns an id that sorts by the order of commits, whichever process makes them. Within one process that holds for
 * several states too: storages count for themselves, and their histories are shown together. Requires the lock.
 */
export function newChangeId(state: State): string {
  lastNumber = state.nextNumber(Math.max(Date.now() * 1000, lastNumber + 1));
  return `${lastNumber.toString(36).padStart(DIGITS, "0")}${PROCESS.slice(0, 4)}`;
}

let lastNumber = 0;
const DIGITS = 11;

/** Returns the smallest id that a change made from now on can have. */
export const nextChangeIdAt = (nowMs: number): string => (nowMs * 1000).toString(36).padStart(DIGITS, "0");

/**
 * Returns whether a change and all before it are older than a time. A clock that is set back makes times smaller, but no
 * ids: each holds the latest time that any change before it had.
 */
export const isAllOlder = (id: string, thanMs: number): boolean =>
  Number.parseInt(id.slice(0, DIGITS), 36) / 1000 < thanMs - CLOCK_READINGS_MS;

/** Allows for the moment between the two readings of the clock that make the id and the time of a change. */
const CLOCK_READINGS_MS = 1000;
