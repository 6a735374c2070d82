/** Returns random numbers below a bound, the same for every run: the generator is mulberry32. */
export function randomBelow(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}

/** Returns a random element. */
export const pick = <T>(below: (bound: number) => number, from: readonly T[]): T => from[below(from.length)] as T;
