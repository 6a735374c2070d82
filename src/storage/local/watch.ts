import { type FSWatcher, readFileSync, watch } from "node:fs";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Hint, SafePath, WatchHandle } from "../storage.ts";
import { asFault } from "./errno.ts";
import type { Handle } from "./jail/jail.ts";

/**
 * Watches the very directory that is open: no link and no swap leads elsewhere. It reports names only, one directory at
 * a time; the receiver finds out what they mean (docs/decisions/015). It does not keep the process alive.
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
 * Replaces the emitter of tens of thousands of watchers by one shared function, so that none needs a list of listeners:
 * Node makes one for each, and it takes a third of a watcher's heap.
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

/**
 * Names the directory by ".", which no entry is called: Node reports events of the directory itself by its last name.
 */
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

/** Maps the error of the system to the setting that the operator may raise. */
const SYSCTL_BY_ERRNO: ReadonlyMap<string, string> = new Map([
  ["ENOSPC", "fs.inotify.max_user_watches"],
  ["EMFILE", "fs.inotify.max_user_instances"],
]);

function deliver({ hint, purpose }: WatchListener, name: string | Buffer | null): void {
  if (hintsThisTick++ === 0) setImmediate(() => void (hintsThisTick = 0));
  if (name === null || hintsThisTick === overflowThreshold()) notifyHintsLost();
  if (name !== null) hint(String(name), purpose);
}

/** Calls `listener` from now on when hints may have been lost. */
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
 * Detects an overflow of the kernel's queue, which Node does not report. Node empties the queue in one turn of the
 * event loop, so a turn with about as many hints as the queue holds may have lost some. Half as many already count,
 * because watches that ended fill a part of the queue as well.
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
