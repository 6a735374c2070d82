import { constants } from "node:os";
import { LIMITS } from "../../base/limits.ts";
import { endsWithin, watchEnd } from "../../base/timeout.ts";
import type { CommandExit } from "../command.ts";
import { signalProcess, type SpawnedCommand } from "../spawn.ts";
import { innerPid, leavesToDefault, namespaceDepth, parentPid, processTree } from "./process-tree.ts";
import type { StartedCommand } from "./sandbox.ts";

/** Remembers what was done to a command from outside. */
export interface SignalLog {
  readonly sent: Set<NodeJS.Signals>;
  /** Processes that were killed: the command has ended when they are gone. */
  readonly killed: Set<number>;
}

interface CommandShape {
  /** The number of the command in its own pid namespace; undefined where it has none. */
  readonly innerPid: number | undefined;
  readonly hasSupervisor: boolean;
  readonly log: SignalLog;
}

/** Lets callers write to a command, signal it and end it, through the processes that stand around it. */
export function createStartedCommand(
  { pid, stdin, exited }: SpawnedCommand,
  { innerPid: inner, hasSupervisor, log }: CommandShape,
): StartedCommand {
  const { ended, hasEnded } = watchEnd(exited);
  const named = exited.then((exit) => nameSignal(exit, log.sent));
  // A caller that does not ask for the exit does not ask for the failure either.
  named.catch(() => {});
  return {
    pid,
    exited: named,
    write(bytes) {
      if (bytes === null) stdin?.end();
      else stdin?.write(bytes);
    },
    signal(name) {
      const [command] = hasEnded() ? [] : processesInside(pid, inner, hasSupervisor);
      if (command !== undefined) send(command, name, log);
    },
    async end(graceMs) {
      const untilMs = Date.now() + graceMs;
      // A command is not there yet while its sandbox is being built: nobody would get the signal.
      while (!hasEnded() && processesInside(pid, inner, hasSupervisor).length === 0 && Date.now() < untilMs)
        await endsWithin(BUILDING_MS, ended);
      if (hasEnded()) return;
      for (const each of processesInside(pid, inner, hasSupervisor)) send(each, "SIGTERM", log);
      if (await endsWithin(untilMs - Date.now(), ended)) return;
      // The outermost first: what is inside dies with it. A supervisor still notes the exit.
      for (const each of processTree(pid).slice(hasSupervisor ? 1 : 0)) kill(each, log);
      if (!(await endsWithin(LIMITS.exitGraceMs, ended))) signalProcess(-pid, "SIGKILL");
      await ended;
    },
  };
}

/** Sets how often we look whether the command of a new sandbox is there. */
const BUILDING_MS = 5;

/** Lists the command and what it started, without the processes that stand around it. */
function processesInside(pid: number, inner: number | undefined, hasSupervisor: boolean): readonly number[] {
  const tree = processTree(pid);
  if (inner === undefined) return tree.slice(hasSupervisor ? 1 : 0);
  const own = namespaceDepth(process.pid);
  return tree.filter((each) => namespaceDepth(each) > own && (innerPid(each) ?? 0) >= inner);
}

/**
 * Sends a signal. The first process of a namespace does not get one that it has not asked for: it is killed then, by
 * way of the process that waits for it.
 */
function send(pid: number, name: NodeJS.Signals, log: SignalLog): void {
  log.sent.add(name);
  const isFirst = innerPid(pid) === 1 && namespaceDepth(pid) > namespaceDepth(process.pid);
  if (!isFirst || !leavesToDefault(pid, name)) return signalProcess(pid, name);
  log.killed.add(pid);
  signalProcess(parentPid(pid) ?? pid, "SIGKILL");
}

function kill(pid: number, { sent, killed }: SignalLog): void {
  sent.add("SIGKILL");
  killed.add(pid);
  signalProcess(pid, "SIGKILL");
}

/** Names the signal that ended a command where only a number came out, or where SIGKILL had to replace it. */
function nameSignal(exit: CommandExit, sent: ReadonlySet<NodeJS.Signals>): CommandExit {
  const names = [...sent];
  const byNumber = names.find((name) => exit.code === 128 + constants.signals[name]);
  if (byNumber !== undefined) return { code: null, signal: byNumber };
  const isKilled = exit.signal === "SIGKILL" || exit.code === 128 + constants.signals.SIGKILL;
  return isKilled && names[0] !== undefined && !sent.has("SIGKILL") ? { code: null, signal: names[0] } : exit;
}
