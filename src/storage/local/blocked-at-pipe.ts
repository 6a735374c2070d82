import { readdirSync, readFileSync } from "node:fs";

/** Where in the system a thread sleeps that opens a FIFO nobody writes to, or reads one that nothing comes out of. */
const PIPE_WAIT_CHANNEL = /^(wait_for_partner|fifo_open|pipe_wait|(anon_)?pipe_read)$/;

/** Whether a process waits for the other end of a pipe. No, where the system does not tell, or the process is gone. */
export function isBlockedAtPipe(pid: number): boolean {
  try {
    const tasks = `/proc/${pid}/task`;
    return readdirSync(tasks).some((task) => PIPE_WAIT_CHANNEL.test(readFileSync(`${tasks}/${task}/wchan`, "latin1")));
  } catch {
    return false;
  }
}
