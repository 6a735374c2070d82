import { spawn } from "node:child_process";
import { LIMITS } from "../base/limits.ts";
import type { Ending, Program, ProgramStart } from "../base/program.ts";

/** Starts a program that reads and prints: no shell, and nothing of our own environment, which may hold secrets. */
export function spawnProgram({ file, words, directory }: ProgramStart): Program {
  const child = spawn(file, words, {
    cwd: directory,
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    shell: false,
    windowsHide: true,
  });
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
  return { output: child.stdout, ended, kill: () => void child.kill("SIGKILL") };
}
