import { readFileSync, readlinkSync } from "node:fs";
import { errnoOf } from "../../../base/errno.ts";

/** Where a process's start is in its line, counted from the state, which follows the name in brackets. */
const START_FIELD = 19;
/** What the system says of a process that is not there, or ends while it is asked about. */
const EXITED_ERRNOS = ["ENOENT", "ESRCH"];
/** Who cannot be looked at, as by a process without a free descriptor, may well be alive. */
const UNKNOWN = "unseen";

/**
 * Names this very process among all that share our state: the boot, the space its number counts in (a container has its
 * own), its number and when it began, so that a later process with the same number is another.
 */
export const OWN_PROCESS = [bootId(), pidNamespace(), process.pid, startOf(process.pid)].join(".");

/** Whether a process has ended. One in another container cannot be seen: it counts as ended once it has been silent. */
export function hasProcessExited(owner: string, isSilent: boolean): boolean {
  const [boot, space, pid, start] = owner.split(".");
  const [ourBoot, ourSpace] = OWN_PROCESS.split(".");
  if (boot !== ourBoot) return true;
  if (space !== ourSpace) return isSilent;
  const found = startOf(Number(pid));
  return found !== UNKNOWN && found !== start;
}

function bootId(): string {
  return tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)) ?? "0";
}

function pidNamespace(): string {
  return tryOrUndefined(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")) ?? "0";
}

/** When a process began, in ticks since boot; without /proc only whether it is there. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[START_FIELD] ?? "0";
  } catch (error) {
    return EXITED_ERRNOS.includes(errnoOf(error) ?? "") ? startWithoutProc(pid) : UNKNOWN;
  }
}

function startWithoutProc(pid: number): string {
  if (tryOrUndefined(() => readlinkSync("/proc/self/ns/pid")) !== undefined) return "gone";
  return tryOrUndefined(() => process.kill(pid, 0)) ? "0" : "gone";
}

function tryOrUndefined<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
