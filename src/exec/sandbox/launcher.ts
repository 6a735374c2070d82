import { closeSync, openSync, statSync, writeFileSync } from "node:fs";
import { Fault } from "../../base/errors.ts";
import type { Command } from "../command.ts";
import { spawnCommand, type SpawnedCommand } from "../spawn.ts";
import { inheritedDescriptors } from "./inherited.ts";
import { openNamelessFile } from "./nameless-file.ts";
import { openPipe } from "./pipe.ts";
import type { Streams } from "./sandbox.ts";
import { systemProgram } from "./system-programs.ts";

/** A command that a launcher became. */
export interface LaunchedCommand extends SpawnedCommand {
  /** The end of its output to read. */
  readonly output: number;
}

/** All that has to be known about a command to start its launcher. */
export interface LauncherShape {
  readonly environment: Command["environment"];
  readonly input: Streams["input"];
  /** Adds a pipe as descriptor 3, on which the sandbox reports. */
  readonly hasStatus: boolean;
  /** A descriptor with a filter of system calls, which becomes number 4. */
  readonly filter: number | undefined;
}

/** The command that a launcher becomes. */
interface LauncherWords extends Pick<Command, "directory" | "hasCallerVariables"> {
  readonly argv: readonly string[];
}

/**
 * Starts a command by way of a launcher: a shell that waits for the words of a command and becomes it. Starting a
 * process takes Node the longer the more memory it has, up to several milliseconds. So the launcher of the next command
 * is started while this one runs. It has all that was promised about the process of a command, such as its end with
 * ours, before it gets the words.
 */
export async function launchCommand(
  { argv, directory, hasCallerVariables = false }: LauncherWords,
  shape: LauncherShape,
): Promise<LaunchedCommand> {
  requireDirectory(directory);
  const script = scriptOf(argv, directory);
  // Only jobs in the background have an input. They are rarer, and what they start takes longer.
  const hasSpare = shape.input === "none" && !hasCallerVariables;
  const launcher = (hasSpare ? takeSpare(shape) : undefined) ?? (await startLauncher(shape));
  try {
    launcher.become(script);
  } catch (error) {
    launcher.close();
    throw error;
  }
  if (hasSpare) prepareSpare(shape);
  return launcher.command;
}

function requireDirectory(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new Fault("io", `Cannot start the command: the directory ${JSON.stringify(directory)} is gone`);
}

interface Launcher {
  readonly key: string;
  readonly command: LaunchedCommand;
  become(script: string): void;
  /** Ends it without a command. */
  close(): void;
}

/** The launcher of the next command. Process-wide, as the filter and the pipes are. */
let spare: Launcher | undefined;

function takeSpare(shape: LauncherShape): Launcher | undefined {
  const taken = spare;
  spare = undefined;
  if (taken?.key === keyOf(shape)) return taken;
  taken?.close();
  return undefined;
}

const keyOf = ({ environment, hasStatus, filter }: LauncherShape): string =>
  JSON.stringify([environment, hasStatus, filter !== undefined]);

/** Starts the launcher of the next command, which will probably be like this one. */
function prepareSpare(shape: LauncherShape): void {
  const filter = shape.filter === undefined ? undefined : openSync(`/proc/self/fd/${shape.filter}`, "r");
  setImmediate(async () => {
    try {
      const started = await startLauncher({ ...shape, filter });
      if (spare) return started.close();
      spare = started;
      void started.command.exited.then(() => {
        if (spare !== started) return;
        spare = undefined;
        started.close();
      });
      started.command.keepsAlive(false);
    } catch {
      // The next command starts its own, and says why that fails.
    } finally {
      if (filter !== undefined) closeSync(filter);
    }
  });
}

async function startLauncher(shape: LauncherShape): Promise<Launcher> {
  const output = await openPipe();
  // The shell reads a file in blocks, and a pipe byte by byte.
  const script = openNamelessFile();
  try {
    const spawned = await spawnCommand(
      { argv: [systemProgram("sh"), "-c", LAUNCHER], directory: "/", environment: shape.environment },
      {
        ...shape,
        output: output.write,
        isDetached: false,
        script,
        inherited: inheritedDescriptors(),
      },
    );
    return {
      key: keyOf(shape),
      command: { ...spawned, output: output.read },
      become(text) {
        writeFileSync(script, text);
        closeSync(script);
        spawned.keepsAlive(true);
        spawned.begin?.end("\n");
      },
      close() {
        closeSync(script);
        closeSync(output.read);
        spawned.begin?.end();
      },
    };
  } catch (error) {
    closeSync(script);
    closeSync(output.read);
    throw error;
  } finally {
    closeSync(output.write);
  }
}

/** The descriptor that ends with us. */
export const LIFE_DESCRIPTOR = 5;
const BEGIN_DESCRIPTOR = 6;
const SCRIPT_DESCRIPTOR = 7;

/** Closes what the command itself must not have. */
const UNUSED = `${BEGIN_DESCRIPTOR}<&- ${SCRIPT_DESCRIPTOR}<&-`;

/**
 * Kills the command when we die, however and whenever that happens: a process beside it waits for the end of a stream
 * that only we hold, and kills their process group. A signal for the death of a parent would come too early or too late
 * for a sandbox that is half built. The rest of the tree dies with its first process.
 */
export const WATCHED = `
((read -r end <&${LIFE_DESCRIPTOR}; kill -KILL 0) </dev/null >/dev/null 2>&1 3>&- 4>&- ${UNUSED} &)`;

/** Reads into a variable that no command may be given: a shell passes on what it changes in its environment. */
const LAUNCHER = `${WATCHED}
read -r HOLDFAST_LINE <&${BEGIN_DESCRIPTOR} && . /proc/self/fd/${SCRIPT_DESCRIPTOR}`;

/** Enters the directory only now: since the launcher was started, another one may have got its name. */
function scriptOf(argv: readonly string[], directory: string): string {
  const enter = directory === "/" ? "" : `cd -P ${quotedWord(directory)} || exit 126; unset OLDPWD; `;
  return `${enter}exec ${argv.map(quotedWord).join(" ")} ${LIFE_DESCRIPTOR}<&- ${UNUSED}\n`;
}

function quotedWord(word: string): string {
  // Shells drop it from a script: another word would run than the one that was judged.
  if (word.includes("\0")) throw new Fault("invalid_input", "Cannot run the command: it has a NUL character");
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
