/** Collects items and sends them together, a fixed time after the first one. */
export interface Batcher<T> {
  add(item: T): void;
  /** Sends what is queued, now. */
  flush(): void;
}

/** Starts no timer that keeps the process alive: whoever ends the process calls `flush`. */
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
