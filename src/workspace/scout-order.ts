import type { Errand } from "./scouting.ts";

/** What one thread tells the other. */
export interface Order {
  readonly id: number;
  readonly errand: Errand;
  /** How far it is: one number that both see at once. */
  readonly state: Int32Array;
}

export interface Report {
  readonly id: number;
  readonly text: string;
}

export const STATE = { asked: 0, begun: 1, back: 2, off: 3 } as const;

/** Moves an errand on, unless it is not where it was thought to be. */
export const movesOn = (state: Int32Array, from: keyof typeof STATE, to: keyof typeof STATE): boolean =>
  Atomics.compareExchange(state, 0, STATE[from], STATE[to]) === STATE[from];
