import { release } from "node:os";
import type { Limits } from "./sandbox.ts";

/**
 * Returns the highest number that a pid namespace of root should give to a process: the limit on processes of a user
 * does not hold for root. Returns undefined where that limit is enough, or where the kernel has no such bound.
 */
export function highestPid({ processes }: Limits): number | undefined {
  if (processes === undefined || process.getuid?.() !== 0 || !canBoundRoot()) return undefined;
  return RESERVED_PIDS + OWN_PROCESSES + processes;
}

/** Tells whether each pid namespace has a bound of its own. Before Linux 6.14 we would change that of the machine. */
export function canBoundRoot(version: string = release()): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 6 || (major === 6 && minor >= 14);
}

/** Counts the numbers that the kernel gives only once: when it starts again from the lowest, it leaves them out. */
const RESERVED_PIDS = 300;

/** Counts the processes of bubblewrap around a command. */
const OWN_PROCESSES = 2;
