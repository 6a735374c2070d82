/** How many things at the start of a list are so, found by halving: after the first that is not, none may be. */
export function partitionPoint<Thing>(list: readonly Thing[], isSo: (thing: Thing) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(list[middle] as Thing)) low = middle + 1;
    else high = middle;
  }
  return low;
}
