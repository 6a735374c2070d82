import { type Checkpoint, watchCancellation } from "./time-slicing.ts";

/** Does a job when its turn comes. */
export type Semaphore = <T>(checkpoint: Checkpoint, job: () => Promise<T>) => Promise<T>;

/** Lets so many jobs run at a time, the others in the order they came. One that is cancelled while it waits leaves the row. */
export function createSemaphore(most: number): Semaphore {
  let running = 0;
  const waiting: (() => void)[] = [];
  /** A turn that ends goes to whoever waits longest. */
  const pass = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return async function inTurn(checkpoint, job) {
    if (running >= most) await turnIn(waiting, checkpoint, pass);
    else running++;
    try {
      return await job();
    } finally {
      pass();
    }
  };
}

async function turnIn(waiting: (() => void)[], checkpoint: Checkpoint, pass: () => void): Promise<void> {
  const { promise: turn, resolve: go } = deferred();
  waiting.push(go);
  const watch = watchCancellation(checkpoint, go);
  try {
    await turn;
    await watch.check();
  } catch (error) {
    const at = waiting.indexOf(go);
    if (at < 0) pass();
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
