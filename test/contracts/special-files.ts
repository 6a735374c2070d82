import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { needs } from "../programs.ts";

/** Lists the kinds that this user can make: devices need root. */
export const SPECIAL: readonly string[] =
  process.getuid?.() === 0 ? ["fifo", "socket", "character", "block"] : ["fifo", "socket"];

/**
 * Makes a special file in a directory. A reader that blocks at the FIFO is released late, so that the test can report
 * it.
 */
export async function makeSpecialFile(kind: string, directory: string): Promise<void> {
  const path = join(directory, kind);
  if (kind === "socket") return listen(path);
  const [command, ...numbers] = COMMANDS[kind] as NonNullable<(typeof COMMANDS)[string]>;
  needs(command, "sleep");
  execFileSync(command, [path, ...numbers]);
  if (kind === "fifo") rescue(path);
}

const COMMANDS: Readonly<Record<string, readonly ["mkfifo" | "mknod", ...string[]]>> = {
  fifo: ["mkfifo"],
  character: ["mknod", "c", "1", "5"],
  block: ["mknod", "b", "7", "99"],
};

async function listen(path: string): Promise<void> {
  const server = createServer().listen(path);
  onTestFinished(() => void server.close());
  await once(server, "listening");
}

/** Opens the other end after a while: a blocked open would stop the event loop, and every timeout with it. */
function rescue(fifo: string): void {
  const script = `sleep ${PROMPT_MS / 500}; exec 3<>"$1"; sleep 1`;
  const child = spawn("sh", ["-c", script, "rescue", fifo], { stdio: "ignore" });
  onTestFinished(() => void child.kill());
}

/** Is longer than a busy machine takes. */
const PROMPT_MS = 20_000;

/** Returns what a promise gives, or "hangs" when it takes longer than any refusal may. */
export async function promptly<T>(run: () => Promise<T>): Promise<T | "hangs"> {
  const started = performance.now();
  const late = new Promise<"hangs">((resolve) => setTimeout(resolve, PROMPT_MS, "hangs").unref());
  const result = await Promise.race([run(), late]);
  return performance.now() - started < PROMPT_MS ? result : "hangs";
}
