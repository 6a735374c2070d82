/** Whoever interrupts, or reads no further, has seen enough: that is a good end. */
export function interruption(): { readonly signal: AbortSignal; stop(): void } {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const name of SIGNALS) process.once(name, end);
  process.stdout.on("error", end);
  return {
    signal: ending.signal,
    stop: () => SIGNALS.forEach((name) => process.off(name, end)),
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
