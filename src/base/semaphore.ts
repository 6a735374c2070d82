import { type Checkpoint, watchCancellation } from "./time-slicing.ts";

/** Runs a fixed number of jobs at a time, the others in first-in, first-out order. */
export interface Semaphore {
  /** Resolves to the function that releases the slot. A caller that is cancelled while it waits leaves the queue. */
  acquire(checkpoint: Checkpoint): Promise<() => void>;
}

export function createSemaphore(slots: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Passes the slot on to the job that has waited longest. */
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return {
    async acquire(checkpoint) {
      if (running >= slots) await waitForSlot(waiting, checkpoint, release);
      else running++;
      return release;
    },
  };
}

async function waitForSlot(waiting: (() => void)[], checkpoint: Checkpoint, releaseSlot: () => void): Promise<void> {
  const { promise: slot, resolve: wake } = createDeferred();
  waiting.push(wake);
  const watch = watchCancellation(checkpoint, wake);
  try {
    await slot;
    await watch.check();
  } catch (error) {
    const at = waiting.indexOf(wake);
    if (at < 0) releaseSlot();
    else waiting.splice(at, 1);
    throw error;
  } finally {
    watch.stop();
  }
}

function createDeferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const made: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => void (made.resolve = resolve));
  return { promise, resolve: () => made.resolve?.() };
}
