import { constants } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Command, CommandExit } from "../command.ts";
import { signalProcess, spawnCommand, type SpawnedCommand } from "../spawn.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { innerPid, isRunning, leavesToDefault, namespaceDepth, processTree } from "./process-tree.ts";
import type { StartedCommand, Streams } from "./sandbox.ts";
import { findSystemProgram } from "./system-programs.ts";

/** A command with all the words before it that build its sandbox. */
export interface Launch extends Command {
  /** Says whether the sandbox reports on descriptor 3 that the command began. */
  readonly reportsStart: boolean;
  /** The number of the command in its own pid namespace; undefined where it has none. */
  readonly innerPid: number | undefined;
  /** Runs after the command has ended, or could not be started. */
  readonly cleanUp: () => void;
}

/** The descriptor on which a sandbox reports that the command began. */
export const STATUS_DESCRIPTOR = 3;

/** Starts what a rung has prepared. */
export async function launch(prepared: Launch, streams: Streams): Promise<StartedCommand> {
  const isDetached = streams.isDetached ?? false;
  // A detached command may outlive the reader of its status, and the next word on it would end it.
  const reportsStart = prepared.reportsStart && !isDetached;
  const words = [...deathWords(isDetached), ...(streams.supervisor ?? []), ...prepared.argv];
  const command: Command = { ...prepared, argv: words as [string, ...string[]] };
  try {
    const inherited = inheritedDescriptors();
    const spawned = await spawnCommand(command, { ...streams, isDetached, hasStatus: reportsStart, inherited });
    const exited = spawned.exited.then(async (exit) => {
      await endOfNamespace(spawned.status());
      prepared.cleanUp();
      if (reportsStart && !BEGAN.test(spawned.status())) throw notBuilt(exit);
      return exit;
    });
    return createStartedCommand(spawned, exited, prepared.innerPid);
  } catch (error) {
    prepared.cleanUp();
    throw error;
  }
}

/** Matches what bubblewrap and our own script write: the first reports the exit only of a command that began. */
const BEGAN = /"exit-code"|began/;

/**
 * Waits for the first process in the pid namespace of bubblewrap. The process that we see ends as soon as the command
 * has; what the command left behind is killed right after, and could still write until then.
 */
async function endOfNamespace(status: string): Promise<void> {
  const first = /"child-pid":\s*(\d+)/.exec(status)?.[1];
  if (first === undefined) return;
  for (let waited = 0; isRunning(Number(first)) && waited < LIMITS.helperStartMs; waited += 1) await delay(1);
}

/** Ends the first process when we die, however that happens: the rest of the tree dies with it. */
function deathWords(isDetached: boolean): readonly string[] {
  const setpriv = isDetached ? undefined : findSystemProgram("setpriv");
  return setpriv === undefined ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}

const notBuilt = ({ code, signal }: CommandExit): Fault =>
  new Fault("io", `Cannot run the command: its sandbox could not be built (${signal ?? `exit ${code}`})`, {
    hint: "Nothing ran. The output has the reason; holdfast doctor tests the sandbox",
  });

function createStartedCommand(
  { pid, stdin }: SpawnedCommand,
  exited: Promise<CommandExit>,
  inner: number | undefined,
): StartedCommand {
  const sent = new Set<NodeJS.Signals>();
  let hasEnded = false;
  const ended = exited.then(noteEnd, noteEnd);
  function noteEnd(): void {
    hasEnded = true;
  }
  const send = (target: number, name: NodeJS.Signals): void => {
    sent.add(name);
    const isFirst = innerPid(target) === 1 && namespaceDepth(target) > namespaceDepth(process.pid);
    signalProcess(target, isFirst && leavesToDefault(target, name) ? "SIGKILL" : name);
  };
  const named = exited.then((exit) => nameSignal(exit, sent));
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
      const target = hasEnded ? undefined : commandProcess(pid, inner);
      if (target !== undefined) send(target, name);
    },
    async end(graceMs) {
      if (hasEnded) return;
      for (const each of insideOf(pid, inner)) send(each, "SIGTERM");
      if (!(await endsWithin(ended, graceMs))) for (const each of processTree(pid).toReversed()) send(each, "SIGKILL");
      signalProcess(-pid, "SIGKILL");
      await ended;
    },
  };
}

/** Finds the command among the processes that build its sandbox around it. */
function commandProcess(pid: number, inner: number | undefined): number | undefined {
  return insideOf(pid, inner)[0];
}

/** Lists the command and what it started, without the processes that stand around it. */
function insideOf(pid: number, inner: number | undefined): readonly number[] {
  const tree = processTree(pid);
  if (inner === undefined) return tree;
  const own = namespaceDepth(process.pid);
  return tree.filter((each) => namespaceDepth(each) > own && (innerPid(each) ?? 0) >= inner);
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)));
  const isOver = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return isOver;
}

/** Names the signal that ended a command where only a number came out, or where SIGKILL had to replace it. */
function nameSignal(exit: CommandExit, sent: ReadonlySet<NodeJS.Signals>): CommandExit {
  const names = [...sent];
  const byNumber = names.find((name) => exit.code === 128 + constants.signals[name]);
  if (byNumber !== undefined) return { code: null, signal: byNumber };
  const isKilled = exit.signal === "SIGKILL" || exit.code === 128 + constants.signals.SIGKILL;
  return isKilled && names[0] !== undefined && !sent.has("SIGKILL") ? { code: null, signal: names[0] } : exit;
}
