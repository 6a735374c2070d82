/** Keeps the first of many things, in order, without keeping them all. */
export interface TopK<T> {
  add(thing: T): void;
  /** How many were added, kept or not. */
  readonly total: number;
  page(): TopKPage<T>;
}

export interface TopKPage<T> {
  readonly items: readonly T[];
  /** How many come after them. */
  readonly rest: number;
}

/** How many things there is room for, and how long they may be together. */
export interface TopKLimit<T> {
  readonly count: number;
  readonly length: number;
  lengthOf(thing: T): number;
}

/** The first in an order that there is room for, of those that come after a place in it. */
export function createTopK<T>(
  room: TopKLimit<T>,
  order: (a: T, b: T) => number,
  isAfter: (thing: T) => boolean,
): TopK<T> {
  let kept: readonly T[] = [];
  let added: T[] = [];
  let addedLength = 0;
  let [total, later] = [0, 0];
  /** The first that there was no room for: what comes after it need not be kept either. */
  let tooMuch: T | undefined;
  const shorten = (): void => {
    const all = [...kept, ...added].toSorted(order);
    kept = all.slice(0, countThatFits(all, room));
    if (kept.length < all.length) tooMuch = all[kept.length];
    [added, addedLength] = [[], 0];
  };
  return {
    add(thing) {
      total++;
      if (!isAfter(thing)) return;
      later++;
      if (tooMuch !== undefined && order(thing, tooMuch) > 0) return;
      added.push(thing);
      addedLength += room.lengthOf(thing);
      if (added.length >= room.count + SPARE || addedLength >= room.length) shorten();
    },
    get total() {
      return total;
    },
    page() {
      shorten();
      return { items: kept, rest: later - kept.length };
    },
  };
}

/** At least one, so that every page goes on. */
function countThatFits<T>(things: readonly T[], { count, length, lengthOf }: TopKLimit<T>): number {
  let used = 0;
  const end = things.findIndex((thing) => (used += lengthOf(thing)) > length);
  return Math.min(count, end < 0 ? things.length : Math.max(1, end));
}

/** Sorting is worth while only once there is something to throw away. */
const SPARE = 4096;
