import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";

/** Counts what the edits of one call make of a file, and throws before that is more than can be held. */
export interface SizeBudget {
  /** The result grows by so much, or shrinks. */
  take(growth: number): void;
  takePlaces(count: number): void;
}

export function createSizeBudget(length: number): SizeBudget {
  let [size, places] = [length, 0];
  return {
    take(growth) {
      size += growth;
      if (size > LIMITS.editBytes) throw tooMuch(`more than ${LIMITS.editBytes} bytes`);
    },
    takePlaces(count) {
      places += count;
      if (places > LIMITS.editPlaces)
        throw new Fault("too_large", `Cannot edit: more than ${LIMITS.editPlaces} places would change in one call`, {
          hint: "Name fewer places with a longer oldText, or do it with a program",
        });
    },
  };
}

/** The result of an edit would not fit. */
export const tooMuch = (size: string): Fault =>
  new Fault("too_large", `Cannot edit: the result would have ${size}`, {
    hint: "Replace fewer places, or by a shorter text; nothing was changed",
  });
