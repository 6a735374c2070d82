import { type ChildProcess, type ChildProcessByStdio, spawn, type SpawnOptions } from "node:child_process";
import type { Server } from "node:net";
import { getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark, type Writable } from "node:stream";
import { errnoOf } from "../base/errno.ts";
import { LIMITS } from "../base/limits.ts";
import { createLineSplitter } from "../base/line-splitter.ts";
import type {
  ProgramResult,
  RunProgram,
  ProgramExit,
  Program,
  ProgramCommand,
  StartChildProgram,
} from "../base/program.ts";
import { Fault } from "../base/errors.ts";
import type { Command, CommandExit } from "./command.ts";

/** Starts a program that reads and prints: no shell, and nothing of our own environment, which may hold secrets. */
export function spawnProgram({ file, args, directory, input }: ProgramCommand): Program {
  const stdin = typeof input === "number" ? input : "pipe";
  const child = withoutReadAhead(() => spawnPiped(file, args, { cwd: directory, env: {} }, stdin));
  if (!child) return { output: emptyOutput(), exited: Promise.resolve(NOT_STARTED), kill: () => {} };
  const kill = (): void => killNow(child);
  const fed = writeInput(child.stdin, input).catch(kill);
  // Keeps the listener because Node drops unread output once the program has exited when there is none.
  child.stdout.on("readable", () => {});
  let stderr = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    if (stderr.length < LIMITS.stderrChars) stderr += text.slice(0, LIMITS.stderrChars);
  });
  const exited = new Promise<ProgramExit>((resolve) => {
    child.on("error", (error) => resolve({ code: null, stderr: error.message }));
    child.on("close", (code) => resolve({ code, stderr }));
  });
  const output = batchedOutput(child.stdout, createBatchDelay(child));
  return { pid: child.pid, output, exited: fed.then(() => exited), kill };
}

/**
 * Spawns without a shell. Returns undefined when no descriptor is left for its pipes: the child that Node returns then
 * has neither streams nor a pid, and a signal to that would end our own process group, including the program that
 * started us.
 */
function spawnPiped<Stdin extends "pipe" | number>(
  file: string,
  words: readonly string[],
  options: SpawnOptions,
  stdin: Stdin,
): ChildWith<Stdin> | undefined {
  const child = spawn(file, words, { ...options, stdio: [stdin, "pipe", "pipe"], shell: false, windowsHide: true });
  if (child.stdout) return child as ChildWith<Stdin>;
  child.on("error", () => {});
  return undefined;
}

/** Has no stdin to write to where the program inherits a descriptor as its standard input. */
type ChildWith<Stdin> = ChildProcessByStdio<Stdin extends number ? null : Writable, Readable, Readable>;

const NOT_STARTED: ProgramExit = { code: null, stderr: "too many files are open" };

async function* emptyOutput(): AsyncGenerator<Buffer> {}

/**
 * Skips a child that could not be started: until Node has reported that, the signal would go to our own process group.
 */
function killNow(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill("SIGKILL");
}

/** Starts a program whose streams read nothing ahead: its output stays in the pipe until it is requested. */
function withoutReadAhead<Started>(start: () => Started): Started {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 0);
  try {
    return start();
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}

/**
 * Pauses after a small piece so that output collects: ripgrep writes once per file, and waking up for each costs as
 * much as a look at the file.
 */
async function* batchedOutput(output: Readable, pause: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const piece of output as AsyncIterable<Buffer>) {
    yield piece;
    if (piece.length < LIMITS.smallPieceBytes) await pause();
  }
}

/** Creates a short pause that ends at once when the program exits. */
function createBatchDelay(child: ChildProcess): () => Promise<void> {
  let hasExited = false;
  let wake: (() => void) | undefined;
  child.once("exit", () => {
    hasExited = true;
    wake?.();
  });
  return async function pause() {
    if (hasExited) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, LIMITS.outputBatchMs);
    });
    clearTimeout(timer);
  };
}

/** Writes each piece before the next is requested, because its buffer may be reused. */
async function writeInput(
  stdin: Writable | null,
  input: ProgramCommand["input"] | readonly Buffer[] = [],
): Promise<void> {
  if (stdin === null || typeof input === "number") return;
  let isOpen = true;
  // The program need not read to the end.
  stdin.on("error", () => (isOpen = false));
  for await (const piece of input) {
    if (!isOpen) return;
    await new Promise<void>((resolve) => stdin.write(piece, () => resolve()));
  }
  stdin.end();
}

/** Runs a program of the operator's: no shell, and only PATH of our environment. */
export const runProgram: RunProgram = ({ file, args, directory }, input, ms) =>
  new Promise((resolve) => {
    const child = spawnPiped(file, args, { cwd: directory, env: { PATH: process.env["PATH"] } }, "pipe");
    if (!child) return resolve({ ...NOT_STARTED, output: "", stopReason: "not_started" });
    let [output, stderr] = ["", ""];
    let stopReason: ProgramResult["stopReason"];
    const stop = (why: NonNullable<ProgramResult["stopReason"]>): void => {
      stopReason ??= why;
      killNow(child);
    };
    const timer = setTimeout(stop, ms, "timeout");
    const done = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, stderr, output, ...(stopReason && { stopReason }) });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > LIMITS.programAnswerChars) stop("too_long");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < LIMITS.stderrChars) stderr += text.slice(0, LIMITS.stderrChars);
    });
    // The program need not read its input.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => {
      const isMissing = errnoOf(error) === "ENOENT";
      [stopReason, stderr] = ["not_started", isMissing ? `there is no program ${JSON.stringify(file)}` : error.message];
      done(null);
    });
    child.on("close", done);
    // A grandchild may hold the output open forever.
    child.on("exit", (code) => void setTimeout(done, LIMITS.exitGraceMs, code).unref());
  });

/** Starts a program of the operator's that exchanges lines with us; it gets only PATH of our environment. */
export const startChildProgram: StartChildProgram = ({ file, args, directory, env }, onLine) => {
  // A process group of its own lets us end it together with everything it started.
  const options = { cwd: directory, env: { PATH: process.env["PATH"], ...env }, detached: true };
  const child = spawnPiped(file, args, options, "pipe");
  if (!child) return { send: () => {}, exited: Promise.resolve(NOT_STARTED), stop: () => {} };
  childPrograms.add(child);
  process.off("exit", killChildPrograms).once("exit", killChildPrograms);
  let lastStderr = "";
  const split = createLineSplitter(LIMITS.messageBytes, { line: onLine, tooLong: () => signal(child, "SIGKILL") });
  child.stdout.on("data", split);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    lastStderr = (lastStderr + text).slice(-LIMITS.stderrChars);
  });
  child.stdin.on("error", () => {});
  const exited = new Promise<ProgramExit>((resolve) => {
    child.on("error", (error) => {
      childPrograms.delete(child);
      resolve({ code: null, stderr: error.message });
    });
    child.on("exit", (code) => {
      signal(child, "SIGKILL");
      childPrograms.delete(child);
      // Its last output may still be in the pipe.
      setImmediate(() => resolve({ code, stderr: lastStderr }));
    });
  });
  // A caller that forgets to stop it can still exit.
  for (const each of [child, child.stdin, child.stdout, child.stderr] as readonly Refable[]) each.unref();
  return {
    send(line) {
      child.stdin.write(`${line}\n`);
      // A program that keeps sending requests and never reads the answers would fill our memory.
      if (child.stdin.writableLength > LIMITS.unreadBytes) signal(child, "SIGKILL");
    },
    exited,
    stop() {
      child.stdin.end();
      signal(child, "SIGTERM");
      setTimeout(signal, LIMITS.exitGraceMs, child, "SIGKILL").unref();
    },
  };
};

/** Covers pipes as well, which have both although their types do not say so. */
type Refable = Pick<ChildProcess, "ref" | "unref">;

const childPrograms = new Set<ChildProcess>();

const killChildPrograms = (): void => childPrograms.forEach((child) => signal(child, "SIGKILL"));

/** Signals the program and all that it started; never another one that has since got its pid. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  try {
    if (child.pid !== undefined && childPrograms.has(child)) process.kill(-child.pid, name);
  } catch {
    // The process group is gone.
  }
}

/** A command of an agent that was started. */
export interface SpawnedCommand {
  readonly pid: number;
  readonly exited: Promise<CommandExit>;
  readonly stdin: Writable | null;
  /** Returns what was written to descriptor 3. */
  readonly status: () => string;
  /** Says whether this process stays alive until the command has exited, which it does at first. */
  keepsAlive(isNeeded: boolean): void;
  /** The pipe on which a shell with a script waits for a line. It exits where the pipe ends without one. */
  readonly begin: Writable | null;
}

interface CommandStreams {
  readonly input: number | "none" | "pipe";
  readonly output: number;
  readonly onOutput?: ((bytes: Buffer) => void) | undefined;
  readonly isDetached: boolean;
  /** Adds a pipe as descriptor 3, on which the sandbox reports. */
  readonly hasStatus: boolean;
  /** A descriptor that becomes number 4, with a filter of system calls. */
  readonly filter: number | undefined;
  /** A file that becomes number 7. It says what a shell does after a line from `begin`, which becomes number 6. */
  readonly script?: number | undefined;
  /** Descriptors of ours that are open for every child, and an empty one to put in their place. */
  readonly inherited: { readonly numbers: readonly number[]; readonly empty: number } | undefined;
}

/**
 * Starts a command of an agent with descriptors of ours as its streams, in a session of its own, so that it has no
 * terminal of ours. Descriptors that are not named here do not reach it. Descriptor 5 ends with us, unless the command
 * is detached.
 */
export async function spawnCommand(
  { argv: [file, ...words], directory, environment }: Command,
  { input, output, onOutput, isDetached, hasStatus, filter, script, inherited }: CommandStreams,
): Promise<SpawnedCommand> {
  const streams = [
    input === "none" ? "ignore" : input,
    onOutput ? "pipe" : output,
    output,
    hasStatus ? "pipe" : undefined,
    filter,
    isDetached ? undefined : "pipe",
    script === undefined ? undefined : "pipe",
    script,
  ] as const;
  const child = spawn(file, words, {
    cwd: directory,
    env: environment,
    detached: true,
    stdio: stdioOf(streams, inherited),
  });
  const exited = new Promise<CommandExit>((resolve) => {
    // What waits for our death holds the other end.
    child.on("exit", () => (child.stdio.at(5) as Readable | null | undefined)?.destroy());
    child.on("close", (code, signalName) => {
      commands.delete(child);
      resolve({ code, signal: signalName });
    });
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (error) => reject(new Fault("io", `Cannot start the command: ${error.message}`, {}, error)));
  });
  child.on("error", () => {});
  // A command that is killed before it has read all breaks its pipes. Its exit says so.
  for (const each of child.stdio) each?.on("error", () => {});
  let status = "";
  (child.stdio[3] as Readable | undefined)?.setEncoding("utf8").on("data", (text: string) => {
    status = (status + text).slice(-LIMITS.stderrChars);
  });
  const keepsAlive = (isNeeded: boolean): void => {
    const handles = [child, ...child.stdio] as readonly (Refable | null | undefined)[];
    for (const each of handles) each?.[isNeeded ? "ref" : "unref"]();
  };
  if (onOutput) {
    child.stdout?.on("data", onOutput);
    keepsAlive(false);
  }
  if (isDetached) child.unref();
  else endWithUs(child);
  // The lines before have seen it start.
  const pid = child.pid as number;
  const begin = (child.stdio.at(6) as Writable | undefined) ?? null;
  return { pid, exited, stdin: child.stdin, status: () => status, keepsAlive, begin };
}

/** Puts an empty descriptor where the command would inherit one: "ignore" leaves it open from number 3 on. */
function stdioOf(
  streams: readonly (number | "ignore" | "pipe" | undefined)[],
  inherited: CommandStreams["inherited"],
): (number | "ignore" | "pipe")[] {
  const last = Math.max(streams.length - 1, ...(inherited?.numbers ?? []));
  return Array.from({ length: last + 1 }, (_, number) => {
    const isInherited = inherited?.numbers.includes(number) ?? false;
    return streams[number] ?? (isInherited && inherited ? inherited.empty : "ignore");
  });
}

const commands = new Set<ChildProcess>();

function endWithUs(child: ChildProcess): void {
  commands.add(child);
  process.off("exit", killCommands).once("exit", killCommands);
}

const killCommands = (): void => commands.forEach(({ pid }) => pid !== undefined && signalProcess(-pid, "SIGKILL"));

/** Signals a process, or with a negative number a group; one that has ended or is another user's is left alone. */
export function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errnoOf(error) !== "ESRCH" && errnoOf(error) !== "EPERM") throw error;
  }
}

/**
 * Lets a helper listen on a local port where the words before it bring it, such as a network namespace, and takes the
 * listener over. The helper ends then.
 */
export function borrowListener([file, ...words]: readonly [string, ...string[]], port: number): Promise<Server> {
  const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
  const child = spawn(file, [...words, process.execPath, "-e", LISTEN, String(port)], { env: {}, stdio: [...stdio] });
  const timer = setTimeout(killNow, LIMITS.helperStartMs, child);
  return new Promise<Server>((resolve, reject) => {
    const fail = (cause?: unknown): void =>
      reject(new Fault("io", "Cannot open a network for commands: its helper did not start", {}, cause));
    child.on("error", fail);
    child.on("exit", () => fail());
    child.on("message", (_, server) => {
      resolve(server as Server);
      killNow(child);
    });
  }).finally(() => clearTimeout(timer));
}

/** Passes the listener on and waits for its end. */
const LISTEN = `
process.on("message", () => {});
process.on("disconnect", () => process.exit());
const server = require("node:net").createServer();
server.listen(Number(process.argv[1]), "127.0.0.1", () => process.send({}, server, () => server.close()));`;
