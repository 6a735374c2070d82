import { LIMITS } from "../../../base/limits.ts";
import type { Program } from "../../../base/program.ts";

/** Returns true if a process waits for the other end of a pipe. */
export type IsBlockedOnPipe = (pid: number) => boolean;

/** Polls a program and kills it once it waits at a FIFO: it opens files by name and could block there forever. */
export function watchForBlocked({ pid, kill }: Program, isBlockedOnPipe: IsBlockedOnPipe) {
  let wasBlocked = false;
  const poll = (): void => {
    if (pid === undefined || !isBlockedOnPipe(pid)) return;
    wasBlocked = true;
    clearInterval(timer);
    kill();
  };
  const timer = setInterval(poll, LIMITS.blockedPollMs);
  return { wasBlocked: () => wasBlocked, stop: () => clearInterval(timer) };
}
