import { readdirSync, readFileSync } from "node:fs";

/**
 * Matches the kernel functions in which a thread sleeps while it opens a FIFO without a writer, or reads an empty one.
 */
const PIPE_WAIT_CHANNEL = /^(wait_for_partner|fifo_open|pipe_wait|(anon_)?pipe_read)$/;

/**
 * Returns true when a process waits for the other end of a pipe; false where the system does not say, or it is gone.
 */
export function isBlockedAtPipe(pid: number): boolean {
  try {
    const tasks = `/proc/${pid}/task`;
    return readdirSync(tasks).some((task) => PIPE_WAIT_CHANNEL.test(readFileSync(`${tasks}/${task}/wchan`, "latin1")));
  } catch {
    return false;
  }
}
