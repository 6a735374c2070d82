import { type FSWatcher, readFileSync, watch } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Hint, SafePath, Watched } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Handle } from "./jail/jail.ts";

/**
 * Watches the very directory that is held: no link and no swap leads elsewhere. Names only, one directory at a time;
 * what they mean is for whoever looks (docs/decisions/015). Does not keep the process alive.
 */
export function watchDirectory<Purpose>(
  { reach }: Handle,
  path: SafePath,
  hint: Hint<Purpose>,
  purpose: Purpose,
): Watched {
  return Object.assign(started(reach, path), { hint, purpose, ...SHARED });
}

/**
 * Tens of thousands of these may be open. What one tells all of them hear in the same way, so none needs a list of its
 * listeners: Node makes one for each, and it takes a third of what a watcher takes in the heap.
 */
const SHARED = { emit: hear, _events: undefined };

interface Told {
  readonly hint: Hint<unknown>;
  readonly purpose: unknown;
}

function hear(this: Told, event: string, _?: unknown, name: string | Buffer | null = null): boolean {
  if (event === "change") pass(this, name);
  if (event === "error") tellLost();
  return true;
}

/** Named by ".", which no entry is called: Node reports what happens to the directory itself by its last name. */
function started(reach: string, path: SafePath): FSWatcher {
  try {
    return watch(`${reach}/.`, { persistent: false });
  } catch (error) {
    const setting = SETTINGS.get(errnoOf(error) ?? "");
    if (!setting) throw asFault(error, path);
    const message = `Cannot watch ${JSON.stringify(path)}: the system allows no more watches to this user`;
    throw new Fault("too_many_watches", message, { setting }, error);
  }
}

/** What the operator may raise, by how the system refuses. */
const SETTINGS: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "fs.inotify.max_user_watches"],
  ["EMFILE", "fs.inotify.max_user_instances"],
]);

function pass({ hint, purpose }: Told, name: string | Buffer | null): void {
  if (inThisTurn++ === 0) setImmediate(() => void (inThisTurn = 0));
  if (name === null || inThisTurn === suspicious()) tellLost();
  if (name !== null) hint(String(name), purpose);
}

/** Tells from now on when hints may have been lost. */
export function onHintsLost(told: () => void): () => void {
  const own = (): void => told();
  listeners.add(own);
  return () => void listeners.delete(own);
}

const listeners = new Set<() => void>();

const tellLost = (): void => listeners.forEach((told) => told());

let inThisTurn = 0;
let half: number | undefined;

/**
 * When the kernel's queue is full, Node does not say so. But it empties the queue in one turn of the event loop, so a
 * turn with about as many hints as a queue holds may have lost some. Half as many are enough to be careful: watches
 * that ended have a part of the queue as well.
 */
function suspicious(): number {
  half ??= Math.ceil(mostQueued() / 2);
  return half;
}

function mostQueued(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "latin1")) || LIMITS.queuedHints;
  } catch {
    return LIMITS.queuedHints;
  }
}
