import { type FSWatcher, readFileSync, watch } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Hint, SafePath, WatchHandle } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Handle } from "./jail/jail.ts";

/**
 * Watches the very directory that is held: no link and no swap leads elsewhere. Names only, one directory at a time;
 * what they mean is for whoever looks (docs/decisions/015). Does not keep the process alive.
 */
export function watchDirectory<Purpose>(
  { fsPath }: Handle,
  path: SafePath,
  hint: Hint<Purpose>,
  purpose: Purpose,
): WatchHandle {
  return Object.assign(startWatcher(fsPath, path), { hint, purpose, ...SHARED_EMITTER });
}

/**
 * Tens of thousands of these may be open. What one tells all of them hear in the same way, so none needs a list of its
 * listeners: Node makes one for each, and it takes a third of what a watcher takes in the heap.
 */
const SHARED_EMITTER = { emit: emitEvent, _events: undefined };

interface WatchListener {
  readonly hint: Hint<unknown>;
  readonly purpose: unknown;
}

function emitEvent(this: WatchListener, event: string, _?: unknown, name: string | Buffer | null = null): boolean {
  if (event === "change") deliver(this, name);
  if (event === "error") notifyHintsLost();
  return true;
}

/** Named by ".", which no entry is called: Node reports what happens to the directory itself by its last name. */
function startWatcher(fsPath: string, path: SafePath): FSWatcher {
  try {
    return watch(`${fsPath}/.`, { persistent: false });
  } catch (error) {
    const setting = SYSCTL_BY_ERRNO.get(errnoOf(error) ?? "");
    if (!setting) throw asFault(error, path);
    const message = `Cannot watch ${JSON.stringify(path)}: the system allows no more watches to this user`;
    throw new Fault("too_many_watches", message, { setting }, error);
  }
}

/** What the operator may raise, by how the system refuses. */
const SYSCTL_BY_ERRNO: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "fs.inotify.max_user_watches"],
  ["EMFILE", "fs.inotify.max_user_instances"],
]);

function deliver({ hint, purpose }: WatchListener, name: string | Buffer | null): void {
  if (hintsThisTick++ === 0) setImmediate(() => void (hintsThisTick = 0));
  if (name === null || hintsThisTick === overflowThreshold()) notifyHintsLost();
  if (name !== null) hint(String(name), purpose);
}

/** Tells from now on when hints may have been lost. */
export function onHintsLost(listener: () => void): () => void {
  const own = (): void => listener();
  listeners.add(own);
  return () => void listeners.delete(own);
}

const listeners = new Set<() => void>();

const notifyHintsLost = (): void => listeners.forEach((listener) => listener());

let hintsThisTick = 0;
let cachedThreshold: number | undefined;

/**
 * When the kernel's queue is full, Node does not say so. But it empties the queue in one turn of the event loop, so a
 * turn with about as many hints as a queue holds may have lost some. Half as many are enough to be careful: watches
 * that ended have a part of the queue as well.
 */
function overflowThreshold(): number {
  cachedThreshold ??= Math.ceil(queueLength() / 2);
  return cachedThreshold;
}

function queueLength(): number {
  try {
    return Number(readFileSync("/proc/sys/fs/inotify/max_queued_events", "latin1")) || LIMITS.queuedHints;
  } catch {
    return LIMITS.queuedHints;
  }
}
