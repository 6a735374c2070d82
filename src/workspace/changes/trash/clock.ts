import * as z from "zod";
import { LIMITS } from "../../../base/limits.ts";
import { parseStoredList } from "../../../base/stored-json.ts";
import type { State } from "../../../storage/state.ts";

/** One reading of the system clock, with the boot and the monotonic clock, which nobody can set. */
const clockReading = z.object({ wallMs: z.number(), boot: z.string(), monotonicMs: z.number() });

export type ClockReading = Readonly<z.output<typeof clockReading>>;

/** Reads the clocks. The identity of our process begins with the id of the boot. */
export const readClock = ({ self }: State): ClockReading => ({
  wallMs: Date.now(),
  boot: self.split(".")[0] as string,
  monotonicMs: Number(process.hrtime.bigint() / 1_000_000n),
});

/**
 * Stores a reading, and returns the latest time that two readings far enough apart have both passed. Expiry is judged
 * by it: a clock that jumps ahead and is corrected within the hour erases nothing.
 */
export function confirmedTime(state: State, now: ClockReading): number {
  const readings = parseStoredList(clockReading, state.read(FILE));
  const earlier = readings.filter((reading) => isApart(reading, now));
  const last = readings.at(-1);
  if (!last || isApart(last, now)) state.write(FILE, JSON.stringify([...readings, now].slice(-KEPT_READINGS)));
  return Math.max(-Infinity, ...earlier.map(({ wallMs }) => Math.min(wallMs, now.wallMs)));
}

const FILE = "clock";

/** Keeps two readings: when the last one is too recent to count, the one before it does. */
const KEPT_READINGS = 2;

/** Treats a monotonic clock that runs backwards as another boot, on systems that do not name their boots. */
const isApart = (earlier: ClockReading, now: ClockReading): boolean =>
  earlier.boot !== now.boot ||
  now.monotonicMs < earlier.monotonicMs ||
  now.monotonicMs - earlier.monotonicMs >= LIMITS.clockReadingsApartMs;
