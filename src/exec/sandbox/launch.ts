import { closeSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Command, CommandExit } from "../command.ts";
import { spawnCommand, type SpawnedCommand } from "../spawn.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { launchCommand, type LaunchedCommand, LIFE_DESCRIPTOR, WATCHED } from "./launcher.ts";
import { isRunning, namespaceDepth } from "./process-tree.ts";
import type { StartedCommand, Streams } from "./sandbox.ts";
import { createStartedCommand, type SignalLog } from "./started-command.ts";
import { systemProgram } from "./system-programs.ts";

/** A command with all the words before it that build its sandbox. */
export interface Launch extends Command {
  /** Says whether the sandbox reports on descriptor 3 that the command began. */
  readonly reportsStart: boolean;
  /** The number of the command in its own pid namespace; undefined where it has none. */
  readonly innerPid: number | undefined;
  /** Says that all processes of the command are gone when the one that we see has exited. */
  readonly isReaped?: boolean;
  /** A descriptor with a filter of system calls, for the sandbox to apply. It is closed once it is passed on. */
  readonly filter?: number | undefined;
  /** Runs after the command has ended, or could not be started. */
  readonly cleanUp: () => void;
}

/** The descriptor on which a sandbox reports that the command began. */
export const STATUS_DESCRIPTOR = 3;
/** The descriptor on which a sandbox finds its filter of system calls. */
export const FILTER_DESCRIPTOR = 4;

/** Starts what a rung has prepared. */
export async function launch(prepared: Launch, streams: Streams): Promise<StartedCommand> {
  const isDetached = streams.isDetached ?? false;
  // A detached command may outlive the reader of its status, and the next word on it would end it.
  const reportsStart = prepared.reportsStart && !isDetached;
  const log: SignalLog = { sent: new Set(), killed: new Set() };
  try {
    const spawned = await startProcess(prepared, streams, { isDetached, hasStatus: reportsStart });
    const exited = spawned.exited.then(async (exit) => {
      const first = prepared.isReaped ? [] : firstProcess(spawned.status());
      await untilGone([...first, ...log.killed]);
      prepared.cleanUp();
      if (reportsStart && exit.signal === null && !BEGAN.test(spawned.status())) throw notBuilt(exit);
      return exit;
    });
    const hasSupervisor = streams.supervisor !== undefined;
    const started = createStartedCommand({ ...spawned, exited }, { innerPid: prepared.innerPid, hasSupervisor, log });
    return "output" in spawned ? { ...started, output: spawned.output } : started;
  } catch (error) {
    prepared.cleanUp();
    throw error;
  } finally {
    if (prepared.filter !== undefined) closeSync(prepared.filter);
  }
}

interface ProcessOptions {
  readonly isDetached: boolean;
  readonly hasStatus: boolean;
}

/** Starts the process of a command: by a launcher where its output is a pipe of ours, so that it cannot outlive us. */
async function startProcess(
  { environment, hasCallerVariables, directory, filter, argv }: Launch,
  { output, input, onOutput, supervisor }: Streams,
  { isDetached, hasStatus }: ProcessOptions,
): Promise<SpawnedCommand | LaunchedCommand> {
  const words = [...(supervisor ?? []), ...argv];
  if (typeof output !== "number")
    return launchCommand({ argv: words, directory, hasCallerVariables }, { environment, input, hasStatus, filter });
  return spawnCommand(
    { argv: [...deathWords(isDetached), ...words] as [string, ...string[]], directory, environment },
    { input, output, onOutput, isDetached, hasStatus, filter, inherited: inheritedDescriptors() },
  );
}

/** Matches what bubblewrap and our own script write: the first reports the exit only of a command that began. */
const BEGAN = /"exit-code"|began/;

/** Returns the first process in the pid namespace of bubblewrap, which it reports when it has started it. */
const firstProcess = (status: string): readonly number[] =>
  [...status.matchAll(/"child-pid":\s*(\d+)/g)].map(([, pid]) => Number(pid));

/**
 * Waits for processes that end after the one that we see: bubblewrap exits as soon as the command has, and what the
 * command left behind could write until the kernel has killed it.
 */
async function untilGone(pids: readonly number[]): Promise<void> {
  const deadline = Date.now() + LIMITS.helperStartMs;
  while (pids.some(runsInside) && Date.now() < deadline) await delay(1);
}

/** Tells whether a process runs in a namespace below ours: another one that has got its number usually does not. */
const runsInside = (pid: number): boolean => isRunning(pid) && namespaceDepth(pid) > namespaceDepth(process.pid);

const deathWords = (isDetached: boolean): readonly string[] =>
  isDetached ? [] : [systemProgram("sh"), "-c", `${WATCHED}\nexec "$@" ${LIFE_DESCRIPTOR}<&-`, "holdfast-command"];

const notBuilt = ({ code }: CommandExit): Fault =>
  new Fault("io", `Cannot run the command: its sandbox could not be built (exit ${code})`, {
    hint: "Nothing ran. The output has the reason; holdfast doctor tests the sandbox",
  });
