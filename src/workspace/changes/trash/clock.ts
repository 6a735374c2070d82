import { LIMITS } from "../../../base/limits.ts";
import type { State } from "../../../storage/state.ts";

/** One look at the clock of the system, dated by the boot and by a clock that nobody can set. */
export interface ClockReading {
  readonly wallMs: number;
  readonly boot: string;
  readonly monotonicMs: number;
}

/** Looks at the clock now. The name of a process begins with the boot. */
export const readClock = ({ self }: State): ClockReading => ({
  wallMs: Date.now(),
  boot: self.split(".")[0] as string,
  monotonicMs: Number(process.hrtime.bigint() / 1_000_000n),
});

/**
 * Notes a look, and returns the latest time that the clock has been seen past in two looks that are far enough apart.
 * Whatever expires is judged by it: a clock that jumps ahead, and is put right within the hour, erases nothing.
 */
export function confirmedTime(state: State, now: ClockReading): number {
  const looks = looksIn(state);
  const earlier = looks.filter((look) => isApart(look, now));
  const last = looks.at(-1);
  if (!last || isApart(last, now)) state.write(FILE, JSON.stringify([...looks, now].slice(-LOOKS)));
  return Math.max(-Infinity, ...earlier.map(({ wallMs }) => Math.min(wallMs, now.wallMs)));
}

const FILE = "clock";

/** The last one may be too young to count; the one before it then does. */
const LOOKS = 2;

/** A monotonic clock that runs backwards belongs to another boot, on systems that do not name theirs. */
const isApart = (earlier: ClockReading, now: ClockReading): boolean =>
  earlier.boot !== now.boot ||
  now.monotonicMs < earlier.monotonicMs ||
  now.monotonicMs - earlier.monotonicMs >= LIMITS.clockReadingsApartMs;

/** What is damaged counts as never seen. */
function looksIn(state: State): readonly ClockReading[] {
  try {
    const looks: unknown = JSON.parse(state.read(FILE) ?? "[]");
    return Array.isArray(looks) ? looks.filter(isLook) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isLook(value: unknown): value is ClockReading {
  const { wallMs, boot, monotonicMs } = (value ?? {}) as Partial<Record<keyof ClockReading, unknown>>;
  return typeof wallMs === "number" && typeof boot === "string" && typeof monotonicMs === "number";
}
