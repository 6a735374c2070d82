/** What is in no hurry: it goes out together, soon after the first of it came. */
export interface Batcher<T> {
  add(item: T): void;
  /** Lets go of what waits, now. */
  flush(): void;
}

/** Nobody waits for it, nor does the end of the process: whoever ends releases what is left. */
export function createBatcher<T>(waitMs: number, send: (items: readonly T[]) => void): Batcher<T> {
  const waiting: T[] = [];
  const flush = (): void => {
    if (waiting.length > 0) send(waiting.splice(0));
  };
  return {
    add(item) {
      if (waiting.push(item) === 1) setTimeout(flush, waitMs).unref();
    },
    flush,
  };
}
