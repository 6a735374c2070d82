/** Keeps the first of many things, in order, without keeping them all. */
export interface First<T> {
  add(thing: T): void;
  /** How many were added, kept or not. */
  readonly total: number;
  /** How many of those come after the page. */
  readonly rest: number;
  page(): readonly T[];
}

/** The first `limit` in an order, of those that come after a place in it. */
export function createFirst<T>(limit: number, order: (a: T, b: T) => number, isAfter: (thing: T) => boolean): First<T> {
  let kept: T[] = [];
  let [total, later] = [0, 0];
  const shorten = (): void => {
    kept = kept.toSorted(order).slice(0, limit);
  };
  return {
    add(thing) {
      total++;
      if (!isAfter(thing)) return;
      later++;
      kept.push(thing);
      if (kept.length >= 2 * limit + SPARE) shorten();
    },
    get total() {
      return total;
    },
    get rest() {
      return Math.max(0, later - limit);
    },
    page() {
      shorten();
      return kept;
    },
  };
}

/** Sorting is worth while only once there is something to throw away. */
const SPARE = 4096;
