import { readFileSync, readlinkSync } from "node:fs";
import { errnoOf } from "./errno.ts";

/** The index of the start time in /proc/<pid>/stat, counted from the state, which follows the name in brackets. */
const START_FIELD = 19;
/** Lists the states of a process that has exited and is not reaped yet: pid 1 of a container may never do that. */
const EXITED_STATES = ["Z", "X"];
/** Lists the errors for a process that does not exist, or exits while it is read. */
const EXITED_ERRNOS = ["ENOENT", "ESRCH"];
/** Stands for a process that has exited. No start time looks like it. */
const GONE = "gone";
/** Stands for a process that cannot be read, for example when no descriptor is free: it may well be alive. */
const UNKNOWN = "unseen";

/** Identifies the boot and the pid namespace that pids of this process belong to; a container has its own. */
export const OWN_PID_SPACE = [bootId(), pidNamespace()].join(".");

/**
 * Identifies this very process among all that share our state: boot id, pid namespace, pid and start time, so that a
 * later process with the same pid is another.
 */
export const OWN_PROCESS = identityOf(process.pid);

/** Identifies the process that has a pid now. */
export function identityOf(pid: number): string {
  return [OWN_PID_SPACE, pid, startOf(pid)].join(".");
}

/** Returns the pid in an identity; undefined for a process of another boot or pid namespace, whose pid is not ours. */
export function pidOf(identity: string): number | undefined {
  const isOurs = identity.startsWith(`${OWN_PID_SPACE}.`);
  const pid = Number(identity.split(".")[2]);
  return isOurs && Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/** Identifies the last start of the machine. */
export const OWN_BOOT = OWN_PROCESS.slice(0, OWN_PROCESS.indexOf("."));

/**
 * Returns whether a process has exited. One in another container cannot be seen: it counts as exited once it is silent.
 */
export function hasProcessExited(identity: string, isSilent: boolean): boolean {
  const [boot, namespace, pid, start] = identity.split(".");
  const [ourBoot, ourNamespace] = OWN_PID_SPACE.split(".");
  if (boot !== ourBoot) return true;
  if (namespace !== ourNamespace) return isSilent;
  const found = startOf(Number(pid));
  return found !== UNKNOWN && found !== start;
}

function bootId(): string {
  return tryOrUndefined(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8)) ?? "0";
}

function pidNamespace(): string {
  return tryOrUndefined(() => readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")) ?? "0";
}

/** Returns the start time of a process, in ticks since boot; without /proc only whether it exists. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return EXITED_STATES.includes(fields[0] ?? "") ? GONE : (fields[START_FIELD] ?? "0");
  } catch (error) {
    return EXITED_ERRNOS.includes(errnoOf(error) ?? "") ? startWithoutProc(pid) : UNKNOWN;
  }
}

function startWithoutProc(pid: number): string {
  if (tryOrUndefined(() => readlinkSync("/proc/self/ns/pid")) !== undefined) return GONE;
  return tryOrUndefined(() => process.kill(pid, 0)) ? "0" : GONE;
}

function tryOrUndefined<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
