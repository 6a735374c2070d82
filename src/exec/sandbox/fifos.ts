import { Fault } from "../../base/errors.ts";
import { runProgram } from "../spawn.ts";

/** Creates FIFOs in the directory of a job. Node itself cannot. */
export async function createFifos(directory: string, names: readonly string[]): Promise<void> {
  const command = { file: "mkfifo", args: ["-m", "600", ...names], directory };
  const { code, stderr } = await runProgram(command, "", MKFIFO_MS);
  if (code !== 0) throw new Fault("io", `Cannot open a pipe for the command: mkfifo failed: ${stderr.trim()}`);
}

const MKFIFO_MS = 10_000;
