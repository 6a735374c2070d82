import { spawn } from "node:child_process";
import { closeSync } from "node:fs";
import type { StartCommand } from "../../src/exec/jobs/job.ts";
import { openPipe } from "../../src/exec/sandbox/pipe.ts";
import type { StartedCommand } from "../../src/exec/sandbox/sandbox.ts";

/** Starts a program as the sandbox "none" does, without a sandbox around it. */
export const plainStart =
  (...argv: readonly string[]): StartCommand =>
  async ({ input, output, isDetached, supervisor = [] }): Promise<StartedCommand> => {
    const [file = "", ...words] = [...supervisor, ...argv];
    const pipe = typeof output === "number" ? undefined : await openPipe();
    const printed = typeof output === "number" ? output : pipe?.write;
    const child = spawn(file, words, {
      stdio: [input === "none" ? "ignore" : input, printed, printed],
      detached: true,
      env: { PATH: process.env["PATH"], TERM: "xterm" },
    });
    if (pipe) closeSync(pipe.write);
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    if (isDetached) child.unref();
    const signal = (name: NodeJS.Signals): void => void (child.exitCode ?? child.signalCode ?? child.kill(name));
    return {
      output: pipe?.read,
      pid: child.pid,
      exited: new Promise((resolve) => child.once("exit", (code, name) => resolve({ code, signal: name }))),
      write: (bytes) => void (bytes === null ? child.stdin?.end() : child.stdin?.write(bytes)),
      signal,
      async end(graceMs) {
        signal("SIGTERM");
        const timer = setTimeout(signal, graceMs, "SIGKILL");
        if (child.exitCode === null && child.signalCode === null)
          await new Promise((resolve) => child.once("exit", resolve));
        clearTimeout(timer);
      },
    };
  };

/** Runs a text in bash. */
export const bash = (text: string): StartCommand => plainStart("/bin/bash", "--noprofile", "--norc", "-c", text);
