import { spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { LIMITS } from "../base/limits.ts";
import type { AskProgram, Ending, Program, ProgramStart } from "../base/program.ts";

/** Starts a program that reads and prints: no shell, and nothing of our own environment, which may hold secrets. */
export function spawnProgram({ file, words, directory, input }: ProgramStart): Program {
  const child = spawn(file, words, {
    cwd: directory,
    env: {},
    stdio: ["pipe", "pipe", "pipe"],
    shell: false,
    windowsHide: true,
  });
  const fed = feed(child.stdin, input).catch(() => void child.kill("SIGKILL"));
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
  return { output: child.stdout, ended: fed.then(() => ended), kill: () => void child.kill("SIGKILL") };
}

/** A piece may be memory that is used again: it is written before the next one is asked for. */
async function feed(stdin: Writable, input: AsyncIterable<Buffer> | readonly Buffer[] = []): Promise<void> {
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
    const child = spawn(file, words, {
      cwd: directory,
      env: { PATH: process.env["PATH"] },
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      windowsHide: true,
      timeout: ms,
      killSignal: "SIGKILL",
    });
    let [output, complaint] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > LIMITS.programAnswerChars) child.kill("SIGKILL");
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (complaint.length < LIMITS.complaintChars) complaint += text.slice(0, LIMITS.complaintChars);
    });
    // It need not read what it is given.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    const done = (code: number | null): void => resolve({ code, complaint, output });
    child.on("error", (error) => resolve({ code: null, complaint: error.message, output }));
    child.on("close", done);
    // What it started may hold its output open for ever.
    child.on("exit", (code) => void setTimeout(done, LIMITS.lingerMs, code).unref());
  });
