import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { hasProcessExited, pidOf } from "../../base/process-identity.ts";

/** A process as /proc shows it. */
interface Process {
  readonly pid: number;
  /** Says when it was started, so that a signal never goes to a later process with this pid. */
  readonly start: string;
  readonly parent: number;
  readonly session: number;
}

/**
 * Signals the command of a job that somebody else started: the first process in its sandbox, or the first one at all.
 * The init of a pid namespace ignores signals that it has no handler for.
 */
export function signalCommand(job: string, name: NodeJS.Signals, isSupervised: boolean): void {
  const commands = commandsOf(job, isSupervised);
  const chosen = commands.find((process) => namespacePids(process).at(-1) !== 1) ?? commands[0];
  if (chosen) signalProcess(chosen, name);
}

/**
 * Ends a job with all that it started: asks, waits, kills. A supervisor goes last, so that it can note how it ended.
 * Never throws for a process that is gone.
 */
export async function endTree(job: string, graceMs: number, isSupervised: boolean): Promise<void> {
  for (const each of commandsOf(job, isSupervised)) signalProcess(each, "SIGTERM");
  if (await hasEnded(job, graceMs)) return killTree(job);
  if (isSupervised) {
    for (const each of treeOf(job)) if (each.pid !== pidOf(job)) signalProcess(each, "SIGKILL");
    await hasEnded(job, SUPERVISOR_MS);
  }
  killTree(job);
  await hasEnded(job, SUPERVISOR_MS);
}

const SUPERVISOR_MS = 1000;
const LONGEST_PAUSE_MS = 100;

/** Kills all that is left of a job: the session of one that has ended may still have members. */
function killTree(job: string): void {
  for (const each of treeOf(job)) signalProcess(each, "SIGKILL");
}

async function hasEnded(job: string, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  for (let pause = 5; !hasProcessExited(job, true); pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    if (Date.now() >= deadline) return false;
    await setTimeout(pause);
  }
  return true;
}

/** Returns the processes of a job that are deepest in pid namespaces: not those that only hold its sandbox. */
function commandsOf(job: string, isSupervised: boolean): readonly Process[] {
  const tree = treeOf(job).filter(({ pid }) => !isSupervised || pid !== pidOf(job));
  const depths = tree.map((process) => namespacePids(process).length);
  const deepest = Math.max(0, ...depths);
  return tree.filter((_, nth) => depths[nth] === deepest);
}

/**
 * Returns the process of a job, its descendants, and what else is in its session; parents first. The kernel reuses no
 * pid that is still the id of a session. So if another process has the pid of the job, its session is empty.
 */
function treeOf(job: string): readonly Process[] {
  const root = pidOf(job);
  if (root === undefined) return [];
  const all = allProcesses();
  const found = new Map(all.flatMap((each) => (each.pid === root || each.session === root ? [[each.pid, each]] : [])));
  const isReused = found.has(root) && found.get(root)?.start !== startIn(job);
  if (isReused) return [];
  for (const { pid } of found.values()) for (const each of all) if (each.parent === pid) found.set(each.pid, each);
  return [...found.values()];
}

/** An identity ends with the start time. */
const startIn = (identity: string): string | undefined => identity.split(".").at(-1);

const allProcesses = (): readonly Process[] =>
  readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processWith(Number(name)) ?? []) : []));

/** Returns undefined for a process that has exited meanwhile. */
function processWith(pid: number): Process | undefined {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, start: fields[19] ?? "", parent: Number(fields[1]), session: Number(fields[3]) };
}

/** Returns the pids of a process in each pid namespace that it is in, ours first: one in a sandbox has several. */
function namespacePids({ pid }: Process): readonly number[] {
  const [, pids = ""] = /^NSpid:\s*(.*)$/m.exec(readProc(pid, "status") ?? "") ?? [];
  return pids.split(/\s+/).map(Number);
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has exited.
    return undefined;
  }
}

/** Compares the start time right before the signal: the pid may be that of another process by now. */
function signalProcess({ pid, start }: Process, name: NodeJS.Signals): void {
  if (processWith(pid)?.start !== start) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has exited, or is not ours.
  }
}
