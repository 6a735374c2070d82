import { signal } from "@preact/signals";

/** The time now, for ages and rests; it moves every second, so that nothing is older than it says. */
export const nowMs = signal(Date.now());

export function startClock(): void {
  setInterval(() => void (nowMs.value = Date.now()), 1000);
}
