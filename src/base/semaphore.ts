import { type Checkpoint, watchCancellation } from "./time-slicing.ts";

/** Lets so many jobs run at a time, the others in the order they came. */
export interface Semaphore {
  /** Resolves to the function that ends the turn. A caller that is cancelled while it waits leaves the queue. */
  acquire(checkpoint: Checkpoint): Promise<() => void>;
}

export function createSemaphore(most: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** Passes the turn on to whoever waits longest. */
  const release = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return {
    async acquire(checkpoint) {
      if (running >= most) await waitForSlot(waiting, checkpoint, release);
      else running++;
      return release;
    },
  };
}

async function waitForSlot(waiting: (() => void)[], checkpoint: Checkpoint, releaseSlot: () => void): Promise<void> {
  const { promise: turn, resolve: wake } = deferred();
  waiting.push(wake);
  const watch = watchCancellation(checkpoint, wake);
  try {
    await turn;
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

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  const made: { resolve?: () => void } = {};
  const promise = new Promise<void>((resolve) => void (made.resolve = resolve));
  return { promise, resolve: () => made.resolve?.() };
}
