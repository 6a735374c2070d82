import { readdirSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { hasProcessExited, pidOf } from "../../base/process-identity.ts";
import { innerPid, leavesToDefault, namespaceDepth, processTree } from "../sandbox/process-tree.ts";
import { signalProcess as sendSignal } from "../spawn.ts";

/** A process as /proc shows it. */
export interface Process {
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
  const [first] = commandsOf(job, isSupervised);
  if (first) signalProcess(first, name);
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

/**
 * Returns the processes of a job inside its sandbox, or all where it has none; parents first. The first process of a pid
 * namespace is left out where it only holds the others.
 */
function commandsOf(job: string, isSupervised: boolean): readonly Process[] {
  const all = treeOf(job);
  const tree = isSupervised ? withoutSupervisor(all, pidOf(job)) : all;
  const deepest = Math.max(0, ...tree.map(({ pid }) => namespaceDepth(pid)));
  const inside = tree.filter(({ pid }) => namespaceDepth(pid) === deepest);
  const others = inside.filter(({ pid }) => !isHolder(pid));
  return others.length > 0 ? others : inside;
}

/** Leaves out what holds the pipes of a supervised command: a supervisor starts the command last. */
function withoutSupervisor(tree: readonly Process[], supervisor: number | undefined): readonly Process[] {
  const helpers = tree.filter(({ parent }) => parent === supervisor).slice(0, -1);
  return tree.filter((each) => each.pid !== supervisor && !helpers.includes(each));
}

/** Bubblewrap puts itself into the first place of a namespace, `unshare` the command. */
const isHolder = (pid: number): boolean => innerPid(pid) === 1 && readProc(pid, "comm")?.trim() === "bwrap";

/**
 * Returns the process of a job, its descendants, and what else is in its session; parents first. The kernel reuses no
 * pid that is still the id of a session. So if another process has the pid of the job, its session is empty.
 */
function treeOf(job: string): readonly Process[] {
  const root = pidOf(job);
  if (root === undefined) return [];
  const now = processWith(root);
  if (now !== undefined && now.start !== startIn(job)) return [];
  const members = readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (processWith(Number(name)) ?? []) : []));
  const pids = [root, ...members.filter(({ session }) => session === root).map(({ pid }) => pid)];
  return [...new Set(pids.flatMap(processTree))].flatMap((pid) => processWith(pid) ?? []);
}

/** An identity ends with the start time. */
const startIn = (identity: string): string | undefined => identity.split(".").at(-1);

/** Returns undefined for a process that has exited meanwhile. */
export function processWith(pid: number): Process | undefined {
  const stat = readProc(pid, "stat");
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { pid, start: fields[19] ?? "", parent: Number(fields[1]), session: Number(fields[3]) };
}

function readProc(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    // It has exited.
    return undefined;
  }
}

/**
 * Compares the start time right before the signal: the pid may be that of another process by now. The first process of a
 * pid namespace never gets a signal that it has no handler for: it is killed, as another one would be.
 */
function signalProcess({ pid, start }: Process, name: NodeJS.Signals): void {
  if (processWith(pid)?.start !== start) return;
  const isFirst = innerPid(pid) === 1 && namespaceDepth(pid) > namespaceDepth(process.pid);
  sendSignal(pid, isFirst && leavesToDefault(pid, name) ? "SIGKILL" : name);
}
