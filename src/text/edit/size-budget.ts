import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";

/** Adds up the size of the result of all edits of one call and throws before it exceeds the limit. */
export interface SizeBudget {
  /** Adds the growth of the result, which may be negative. */
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

/** Reports that the result of an edit would be too large. */
export const tooMuch = (size: string): Fault =>
  new Fault("too_large", `Cannot edit: the result would have ${size}`, {
    hint: "Replace fewer places, or by a shorter text; nothing was changed",
  });
