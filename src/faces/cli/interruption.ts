/** Aborts on a signal or when standard output is closed. Both are normal ways to end a command. */
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
