/** Keeps the first k items in an order without keeping all of them. */
export interface TopK<T> {
  add(item: T): void;
  /** Counts all added items, kept or not. */
  readonly total: number;
  page(): TopKPage<T>;
}

export interface TopKPage<T> {
  readonly items: readonly T[];
  /** Counts the items that come after them. */
  readonly rest: number;
}

/** Limits the number of items and their total length. */
export interface TopKLimit<T> {
  readonly count: number;
  readonly length: number;
  lengthOf(item: T): number;
}

/** Keeps, of the items for which `isAfter` holds, the first ones within the limit. */
export function createTopK<T>(
  limit: TopKLimit<T>,
  order: (a: T, b: T) => number,
  isAfter: (item: T) => boolean,
): TopK<T> {
  let kept: readonly T[] = [];
  let added: T[] = [];
  let addedLength = 0;
  let [total, later] = [0, 0];
  /** The first item that was dropped: an item after it need not be kept either. */
  let firstDropped: T | undefined;
  const prune = (): void => {
    const all = [...kept, ...added].toSorted(order);
    kept = all.slice(0, countThatFits(all, limit));
    if (kept.length < all.length) firstDropped = all[kept.length];
    [added, addedLength] = [[], 0];
  };
  return {
    add(item) {
      total++;
      if (!isAfter(item)) return;
      later++;
      if (firstDropped !== undefined && order(item, firstDropped) > 0) return;
      added.push(item);
      addedLength += limit.lengthOf(item);
      if (added.length >= limit.count + PRUNE_SLACK || addedLength >= limit.length) prune();
    },
    get total() {
      return total;
    },
    page() {
      prune();
      return { items: kept, rest: later - kept.length };
    },
  };
}

/** Returns at least one, so that every page makes progress. */
function countThatFits<T>(items: readonly T[], { count, length, lengthOf }: TopKLimit<T>): number {
  let used = 0;
  const end = items.findIndex((item) => (used += lengthOf(item)) > length);
  return Math.min(count, end < 0 ? items.length : Math.max(1, end));
}

/** The number of extra items collected before the next sort, because sorting at every item would be slow. */
const PRUNE_SLACK = 4096;
