import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { OWN_BOOT, OWN_PID_SPACE } from "../../base/process-identity.ts";
import { jobIds, type JobRecord, processOfJob, readRecord, stateIn } from "./job-directory.ts";
import { type Process, processWith } from "./process-tree.ts";

/** Is set in the environment of every command. It tells honest programs: whoever wants to can remove it. */
export const COMMAND_MARK = "HOLDFAST_COMMAND";

/**
 * Finds the job that this process was started by, at whatever remove: by its ancestors and its session, by its pid
 * namespace, and by the mark in the environment ("unknown" then). A process of the same user that left the session and
 * whose parents have exited is not found where the job had no pid namespace.
 */
export function jobAroundUs(home: string): string | undefined {
  const above = ancestorsOf();
  const found = jobIds(home).find((id) => {
    const record = readRecord(home, id);
    const directory = join(home, id);
    if (!record) return false;
    return isAbove(processOfJob(directory), above) || isInNamespaceOf(record, directory);
  });
  return found ?? (process.env[COMMAND_MARK] === undefined ? undefined : "unknown");
}

/** Checks for the process of a job among our ancestors, or for its session. No pid is reused while it names one. */
function isAbove(identity: string | undefined, { processes, session }: Ancestors): boolean {
  if (identity === undefined || !identity.startsWith(`${OWN_PID_SPACE}.`)) return false;
  const [, , pid, start] = identity.split(".");
  if (processes.some((each) => String(each.pid) === pid && each.start === start)) return true;
  return String(session) === pid && (processWith(session)?.start ?? start) === start;
}

/**
 * Checks for a running job without a sandbox in a pid namespace of its own: from inside, no process of it outside can
 * be seen. Any namespace that is neither the first one of the machine nor that of the job's server may be it. Another
 * container is taken for it as well, while such a job runs.
 */
function isInNamespaceOf(record: JobRecord, directory: string): boolean {
  const { sandbox } = record.description;
  const [boot, namespace] = record.server.split(".");
  const isOther = boot === OWN_BOOT && `${boot}.${namespace}` !== OWN_PID_SPACE && !isFirstNamespace();
  return isOther && sandbox === "none" && stateIn(directory, record).kind === "running";
}

/** The kernel gives the pid namespace that it boots with this number. */
const isFirstNamespace = (): boolean => namespaceLink() === "pid:[4026531836]";

function namespaceLink(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    // There are no namespaces on this system.
    return "pid:[4026531836]";
  }
}

interface Ancestors {
  /** Lists this process and those above it. */
  readonly processes: readonly Process[];
  readonly session: number;
}

/** Starts at /proc/self: a pid of ours may be another process there, where /proc belongs to another namespace. */
function ancestorsOf(): Ancestors {
  const processes: Process[] = [];
  let next = ownPid();
  while (next !== undefined && next > 0 && processes.length < MOST_ANCESTORS) {
    const found = processWith(next);
    if (found) processes.push(found);
    next = found?.parent;
  }
  return { processes, session: processes[0]?.session ?? 0 };
}

const MOST_ANCESTORS = 1000;

function ownPid(): number | undefined {
  try {
    return Number.parseInt(readFileSync("/proc/self/stat", "latin1"), 10);
  } catch {
    // There is no /proc on this system: only the mark is left.
    return undefined;
  }
}
