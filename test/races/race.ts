import { readdirSync, readlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { vi } from "vitest";
import { isFault } from "../../src/base/errors.ts";
import { WHILE_BUSY } from "../work.ts";
import { attack } from "./attacker.ts";

/** Makes one use of what is attacked: returns "inside", the code of a refusal, or what should never have happened. */
export type Try = () => Promise<string>;

export interface Race {
  /** Lists pairs of names that are swapped all the while. */
  readonly swapped: readonly string[];
  readonly times: number;
  readonly tries: readonly Try[];
  /** Lists the refusals that a swap explains. Any other, an internal error above all, is a bug. */
  readonly refusals: readonly string[];
  readonly alongside?: (count: number) => void;
}

/** The result of a race that is won. */
export const UNHARMED = { escapes: [], leftOpen: 0, attackerDied: false, wasSwapping: true };

/** Makes each try in turn, many times, while names are swapped, and counts the outcomes. Then it stops the attacker. */
export async function race({ swapped, times, tries, refusals, alongside }: Race) {
  const tally: Record<string, number> = {};
  const attacker = await attack(...swapped);
  const descriptors = openDescriptors();
  const started = performance.now();
  for (let count = 0; count < times; count++) {
    const outcome = await (tries[count % tries.length] as Try)();
    tally[outcome] = (tally[outcome] ?? 0) + 1;
    alongside?.(count);
    if (count % 1000 === 0) await setImmediate();
  }
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { inside = 0, ...others } = tally;
  // Cached directory handles are closed sooner or later.
  await vi.waitUntil(() => openDescriptors() <= descriptors, WHILE_BUSY).catch(() => {});
  const leftOpen = openDescriptors() - descriptors;
  const attackerDied = !attacker.isAlive();
  await attacker.stop();
  return {
    times,
    seconds,
    tally,
    escapes: Object.keys(others).filter((outcome) => !refusals.includes(outcome)),
    leftOpen,
    attackerDied,
    wasSwapping: Math.min(inside, times - inside) > times / 100,
  };
}

/** Counts descriptors without the fdinfo cache, which keeps a few for the whole process. */
const openDescriptors = (): number =>
  readdirSync("/proc/self/fd").filter((fd) => !leadsTo(`/proc/self/fd/${fd}`).includes("/fdinfo/")).length;

function leadsTo(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

export const refusalOf = (error: unknown): string => (isFault(error) ? error.code : `no fault: ${String(error)}`);
