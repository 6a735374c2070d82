/**
 * Returns how many items at the start of a list pass a test, by binary search: after the first that fails, all must
 * fail.
 */
export function partitionPoint<Item>(list: readonly Item[], passes: (item: Item) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(list[middle] as Item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
