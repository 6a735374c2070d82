import { constants } from "node:os";
import type { CommandExit } from "./command.ts";

/** Turns the status that a shell reports into an exit: 128 and more stand for a signal. */
export function exitOfStatus(status: number): CommandExit {
  const signal = SIGNALS.get(status - SIGNAL_BASE);
  return signal === undefined ? { code: status, signal: null } : { code: null, signal };
}

/** Returns the status by which a shell would report an exit. */
export function statusOfExit({ code, signal }: CommandExit): number {
  if (code !== null) return code;
  return SIGNAL_BASE + (constants.signals[signal as NodeJS.Signals] ?? 0);
}

const SIGNAL_BASE = 128;
/** Maps numbers to names. The first name counts: SIGABRT, not SIGIOT. */
const SIGNALS: ReadonlyMap<number, string> = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);
