import type { SlicedWork } from "../../base/time-slicing.ts";

/** Holds for each item of one list the index of its partner in the other, in ascending order, or `UNPAIRED`. */
export type Pairing = Int32Array;

export const UNPAIRED = -1;

/**
 * Pairs the equal items of two lists along a shortest edit path, found by the greedy algorithm of Myers (O(ND)).
 * Pairs nothing when the path has more than `mostEdits` insertions and deletions.
 */
export function* shortestEdit(before: Int32Array, after: Int32Array, mostEdits: number): SlicedWork<Pairing> {
  const pairing = new Int32Array(before.length).fill(UNPAIRED);
  const frontiers: Frontier[] = [];
  let compared = 0;
  for (let edits = 0; edits <= mostEdits; edits++) {
    const last = frontiers.at(-1);
    const frontier = nextFrontier(before, after, last);
    frontiers.push(frontier);
    compared += frontier.ends.length + frontier.compared;
    if (compared > COMPARED_PER_STEP) {
      yield;
      compared = 0;
    }
    if (endOn(frontier, before.length - after.length) === before.length)
      return pairsAlong(pairing, frontiers, after.length);
  }
  return pairing;
}

/** The number of items to compare between two yields. */
const COMPARED_PER_STEP = 200_000;

/**
 * The ends of the furthest paths with a given number of edits. A path ends in a point of the edit graph: `x` items of
 * the one list and `y` of the other are consumed. Its diagonal is `x - y`.
 */
interface Frontier {
  /** The lowest and the highest diagonal; every second one between them has a path. */
  readonly low: number;
  readonly high: number;
  /** The `x` of each end, from the lowest diagonal up. */
  readonly ends: Int32Array;
  /** The diagonals that paths with one more edit can end on. Beyond the edges of the graph there are none. */
  readonly nextLow: number;
  readonly nextHigh: number;
  /** The number of items that were compared to find it. */
  readonly compared: number;
}

function nextFrontier(before: Int32Array, after: Int32Array, last: Frontier | undefined): Frontier {
  const [low, high] = [last?.nextLow ?? 0, last?.nextHigh ?? 0];
  const ends = new Int32Array((high - low) / 2 + 1);
  let [nextLow, nextHigh, compared] = [low - 1, high + 1, 0];
  for (let diagonal = low; diagonal <= high; diagonal += 2) {
    const start = startOn(last, diagonal);
    const x = snakeEnd(before, after, start, start - diagonal);
    compared += x - start;
    ends[(diagonal - low) / 2] = x;
    if (x - diagonal >= after.length) nextLow = diagonal + 1;
    if (x >= before.length) nextHigh = Math.min(nextHigh, diagonal - 1);
  }
  return { low, high, ends, nextLow, nextHigh, compared };
}

/** Returns the start of a path on its diagonal, by an insertion or a deletion, whichever leads further. */
function startOn(last: Frontier | undefined, diagonal: number): number {
  return last === undefined ? 0 : Math.max(endOn(last, diagonal + 1), endOn(last, diagonal - 1) + 1);
}

/** Returns the `x` of the path that ends on a diagonal, or less than any if there is none. */
function endOn({ low, high, ends }: Frontier, diagonal: number): number {
  return diagonal < low || diagonal > high ? -2 : (ends[(diagonal - low) / 2] ?? -2);
}

/** Follows equal items along the diagonal. */
function snakeEnd(before: Int32Array, after: Int32Array, fromX: number, fromY: number): number {
  let [x, y] = [fromX, fromY];
  while (x < before.length && y < after.length && before[x] === after[y]) {
    x++;
    y++;
  }
  return x;
}

/** Walks the path back from its end and records the pairs. */
function pairsAlong(pairing: Pairing, frontiers: readonly Frontier[], afterLength: number): Pairing {
  let diagonal = pairing.length - afterLength;
  for (let edits = frontiers.length - 1; edits >= 0; edits--) {
    const last = frontiers[edits - 1];
    const start = startOn(last, diagonal);
    const end = endOn(frontiers[edits] as Frontier, diagonal);
    for (let x = start; x < end; x++) pairing[x] = x - diagonal;
    if (last) diagonal += endOn(last, diagonal + 1) === start ? 1 : -1;
  }
  return pairing;
}
