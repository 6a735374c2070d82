import { type ChildProcess, type ChildProcessByStdio, spawn, type SpawnOptions } from "node:child_process";
import { getDefaultHighWaterMark, type Readable, setDefaultHighWaterMark, type Writable } from "node:stream";
import { errnoOf } from "../base/errno.ts";
import { LIMITS } from "../base/limits.ts";
import { createLineSplitter } from "../base/line-splitter.ts";
import type { ProgramAnswer, AskProgram, Ending, Program, ProgramStart, StartChildProgram } from "../base/program.ts";

/** Starts a program that reads and prints: no shell, and nothing of our own environment, which may hold secrets. */
export function spawnProgram({ file, words, directory, input }: ProgramStart): Program {
  const stdin = typeof input === "number" ? input : "pipe";
  const child = readWhenAsked(() => started(file, words, { cwd: directory, env: {} }, stdin));
  if (!child) return { output: nothing(), ended: Promise.resolve(NOT_STARTED), kill: () => {} };
  const kill = (): void => killNow(child);
  const fed = feed(child.stdin, input).catch(kill);
  // Without a listener Node throws away, once the program has ended, what nobody has asked for yet.
  child.stdout.on("readable", () => {});
  let complaint = "";
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => {
    if (complaint.length < LIMITS.complaintChars) complaint += text.slice(0, LIMITS.complaintChars);
  });
  const ended = new Promise<Ending>((resolve) => {
    child.on("error", (error) => resolve({ code: null, complaint: error.message }));
    child.on("close", (code) => resolve({ code, complaint }));
  });
  const output = inLargePieces(child.stdout, createPause(child));
  return { pid: child.pid, output, ended: fed.then(() => ended), kill };
}

/**
 * Without a shell. Undefined when no descriptor is left for its pipes: what Node gives back then has neither streams nor a
 * number, and a signal to that would end our own process group, whoever started us included.
 */
function started<Stdin extends "pipe" | number>(
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

const NOT_STARTED: Ending = { code: null, complaint: "too many files are open" };

async function* nothing(): AsyncGenerator<Buffer> {}

/** Not one that could not be started: until Node has said so, the signal would go to our own process group. */
function killNow(child: ChildProcess): void {
  if (child.pid !== undefined) child.kill("SIGKILL");
}

/** Its streams read nothing ahead: what a program prints stays in the pipe until somebody wants it. */
function readWhenAsked<Started>(start: () => Started): Started {
  const usual = getDefaultHighWaterMark(false);
  setDefaultHighWaterMark(false, 0);
  try {
    return start();
  } finally {
    setDefaultHighWaterMark(false, usual);
  }
}

/** Lets output gather after a small piece: ripgrep writes once for each file, and to wake up for each costs as much as a look at it. */
async function* inLargePieces(output: Readable, pause: () => Promise<void>): AsyncGenerator<Buffer> {
  for await (const piece of output as AsyncIterable<Buffer>) {
    yield piece;
    if (piece.length < LIMITS.smallPieceBytes) await pause();
  }
}

/** Waits a moment, but for nobody who has gone. */
function createPause(child: ChildProcess): () => Promise<void> {
  let isGone = false;
  let wake: (() => void) | undefined;
  child.once("exit", () => {
    isGone = true;
    wake?.();
  });
  return async function pause() {
    if (isGone) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, LIMITS.gatherMs);
    });
    clearTimeout(timer);
  };
}

/** A piece may be memory that is used again: it is written before the next one is asked for. */
async function feed(stdin: Writable | null, input: ProgramStart["input"] | readonly Buffer[] = []): Promise<void> {
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
export const askProgram: AskProgram = ({ file, words, directory }, input, ms) =>
  new Promise((resolve) => {
    const child = started(file, words, { cwd: directory, env: { PATH: process.env["PATH"] } }, "pipe");
    if (!child) return resolve({ ...NOT_STARTED, output: "", cut: "unstarted" });
    let [output, complaint] = ["", ""];
    let cut: ProgramAnswer["cut"];
    const stop = (why: NonNullable<ProgramAnswer["cut"]>): void => {
      cut ??= why;
      killNow(child);
    };
    const timer = setTimeout(stop, ms, "late");
    const done = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, complaint, output, ...(cut && { cut }) });
    };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > LIMITS.programAnswerChars) stop("long");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (complaint.length < LIMITS.complaintChars) complaint += text.slice(0, LIMITS.complaintChars);
    });
    // It need not read what it is given.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    child.on("error", (error) => {
      const isMissing = errnoOf(error) === "ENOENT";
      [cut, complaint] = ["unstarted", isMissing ? `there is no program ${JSON.stringify(file)}` : error.message];
      done(null);
    });
    child.on("close", done);
    // What it started may hold its output open for ever.
    child.on("exit", (code) => void setTimeout(done, LIMITS.lingerMs, code).unref());
  });

/** Starts a program of the operator's to talk with: of our environment it gets only where programs are. */
export const startChildProgram: StartChildProgram = ({ file, words, directory, env }, hear) => {
  // In a group of its own, so that what it starts ends with it.
  const options = { cwd: directory, env: { PATH: process.env["PATH"], ...env }, detached: true };
  const child = started(file, words, options, "pipe");
  if (!child) return { say: () => {}, ended: Promise.resolve(NOT_STARTED), end: () => {} };
  companions.add(child);
  process.off("exit", endChildPrograms).once("exit", endChildPrograms);
  let complaint = "";
  const split = createLineSplitter(LIMITS.messageBytes, { line: hear, tooLong: () => signal(child, "SIGKILL") });
  child.stdout.on("data", split);
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-LIMITS.complaintChars);
  });
  child.stdin.on("error", () => {});
  const ended = new Promise<Ending>((resolve) => {
    child.on("error", (error) => {
      companions.delete(child);
      resolve({ code: null, complaint: error.message });
    });
    child.on("exit", (code) => {
      signal(child, "SIGKILL");
      companions.delete(child);
      // What it said last may still be on its way.
      setImmediate(() => resolve({ code, complaint }));
    });
  });
  // Whoever forgets to end it must not be kept by it.
  for (const each of [child, child.stdin, child.stdout, child.stderr] as readonly Unreferenced[]) each.unref();
  return {
    say(line) {
      child.stdin.write(`${line}\n`);
      // Who asks and asks, and never reads what he is answered, would fill our memory.
      if (child.stdin.writableLength > LIMITS.unreadBytes) signal(child, "SIGKILL");
    },
    ended,
    end() {
      child.stdin.end();
      signal(child, "SIGTERM");
      setTimeout(signal, LIMITS.lingerMs, child, "SIGKILL").unref();
    },
  };
};

/** Pipes have it, too. */
type Unreferenced = Pick<ChildProcess, "unref">;

const companions = new Set<ChildProcess>();

const endChildPrograms = (): void => companions.forEach((child) => signal(child, "SIGKILL"));

/** To the program and all that it started; never to another one that has got its number since. */
function signal(child: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  try {
    if (child.pid !== undefined && companions.has(child)) process.kill(-child.pid, name);
  } catch {
    // Nothing of it is left.
  }
}
