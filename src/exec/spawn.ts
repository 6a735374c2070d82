import { type ChildProcess, type ChildProcessByStdio, spawn, type SpawnOptions } from "node:child_process";
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

/** Starts a program that reads and prints: no shell, and nothing of our own environment, which may hold secrets. */
export function spawnProgram({ file, args, directory, input }: ProgramCommand): Program {
  const stdin = typeof input === "number" ? input : "pipe";
  const child = withoutReadAhead(() => spawnPiped(file, args, { cwd: directory, env: {} }, stdin));
  if (!child) return { output: emptyOutput(), exited: Promise.resolve(NOT_STARTED), kill: () => {} };
  const kill = (): void => killNow(child);
  const fed = writeInput(child.stdin, input).catch(kill);
  // Without a listener Node throws away, once the program has ended, what nobody has asked for yet.
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
 * Without a shell. Undefined when no descriptor is left for its pipes: what Node gives back then has neither streams nor a
 * number, and a signal to that would end our own process group, whoever started us included.
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

/** There is nothing to write to where the program inherits a descriptor as its standard input. */
type ChildWith<Stdin> = ChildProcessByStdio<Stdin extends number ? null : Writable, Readable, Readable>;

const NOT_STARTED: ProgramExit = { code: null, stderr: "too many files are open" };

async function* emptyOutput(): AsyncGenerator<Buffer> {}

/** Not one that could not be started: until Node has said so, the signal would go to our own process group. */
function killNow(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill("SIGKILL");
}

/** Its streams read nothing ahead: what a program prints stays in the pipe until somebody wants it. */
function withoutReadAhead<Started>(start: () => Started): Started {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 0);
  try {
    return start();
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}

/** Lets output gather after a small piece: ripgrep writes once for each file, and to wake up for each costs as much as a look at it. */
async function* batchedOutput(output: Readable, pause: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const piece of output as AsyncIterable<Buffer>) {
    yield piece;
    if (piece.length < LIMITS.smallPieceBytes) await pause();
  }
}

/** Waits a moment, but for nobody who has gone. */
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

/** A piece may be memory that is used again: it is written before the next one is asked for. */
async function writeInput(
  stdin: Writable | null,
  input: ProgramCommand["input"] | readonly Buffer[] = [],
): Promise<void> {
  if (stdin === null || typeof input === "number") return;
  let isOpen = true;
  // It need not read to the end.
  stdin.on("error", () => (isOpen = false));
  for await (const piece of input) {
    if (!isOpen) return;
    await new Promise<void>((resolve) => stdin.write(piece, () => resolve()));
  }
  stdin.end();
}

/** Runs a program of the operator's: no shell, and of our environment only where programs are. */
export const runProgram: RunProgram = ({ file, args, directory }, input, ms) =>
  new Promise((resolve) => {
    const child = spawnPiped(file, args, { cwd: directory, env: { PATH: process.env["PATH"] } }, "pipe");
    if (!child) return resolve({ ...NOT_STARTED, output: "", stopReason: "unstarted" });
    let [output, stderr] = ["", ""];
    let stopReason: ProgramResult["stopReason"];
    const stop = (why: NonNullable<ProgramResult["stopReason"]>): void => {
      stopReason ??= why;
      killNow(child);
    };
    const timer = setTimeout(stop, ms, "late");
    const done = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, stderr, output, ...(stopReason && { stopReason }) });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > LIMITS.programAnswerChars) stop("long");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (stderr.length < LIMITS.stderrChars) stderr += text.slice(0, LIMITS.stderrChars);
    });
    // It need not read what it is given.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => {
      const isMissing = errnoOf(error) === "ENOENT";
      [stopReason, stderr] = ["unstarted", isMissing ? `there is no program ${JSON.stringify(file)}` : error.message];
      done(null);
    });
    child.on("close", done);
    // What it started may hold its output open for ever.
    child.on("exit", (code) => void setTimeout(done, LIMITS.exitGraceMs, code).unref());
  });

/** Starts a program of the operator's to talk with: of our environment it gets only where programs are. */
export const startChildProgram: StartChildProgram = ({ file, args, directory, env }, onLine) => {
  // In a group of its own, so that what it starts ends with it.
  const options = { cwd: directory, env: { PATH: process.env["PATH"], ...env }, detached: true };
  const child = spawnPiped(file, args, options, "pipe");
  if (!child) return { send: () => {}, exited: Promise.resolve(NOT_STARTED), stop: () => {} };
  childPrograms.add(child);
  process.off("exit", killChildPrograms).once("exit", killChildPrograms);
  let complaint = "";
  const split = createLineSplitter(LIMITS.messageBytes, { line: onLine, tooLong: () => signal(child, "SIGKILL") });
  child.stdout.on("data", split);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-LIMITS.stderrChars);
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
      // What it said last may still be on its way.
      setImmediate(() => resolve({ code, stderr: complaint }));
    });
  });
  // Whoever forgets to end it must not be kept by it.
  for (const each of [child, child.stdin, child.stdout, child.stderr] as readonly Unrefable[]) each.unref();
  return {
    send(line) {
      child.stdin.write(`${line}\n`);
      // Who asks and asks, and never reads what he is answered, would fill our memory.
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

/** Pipes have it, too. */
type Unrefable = Pick<ChildProcess, "unref">;

const childPrograms = new Set<ChildProcess>();

const killChildPrograms = (): void => childPrograms.forEach((child) => signal(child, "SIGKILL"));

/** To the program and all that it started; never to another one that has got its number since. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  try {
    if (child.pid !== undefined && childPrograms.has(child)) process.kill(-child.pid, name);
  } catch {
    // Nothing of it is left.
  }
}
