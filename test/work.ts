/** Options of `vi.waitFor` for what is certain to come: its default of one second is too short on a busy machine. */
export const WHILE_BUSY = { timeout: 30_000 };

/** Milliseconds of work that this process does from now on. Time on a clock also counts the work of all others. */
export function workFromNow(): () => number {
  const started = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
}

/** For how long at most nothing else could be done while this was done, in milliseconds of work. */
export async function longestBlock(act: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let spent = workFromNow();
  const look = () => {
    longest = Math.max(longest, spent());
    spent = workFromNow();
  };
  const timer = setInterval(look, 1);
  await act();
  look();
  clearInterval(timer);
  return longest;
}
