import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { needs } from "../programs.ts";

/** What can be made without being root, and what cannot. */
export const SPECIAL: readonly string[] =
  process.getuid?.() === 0 ? ["fifo", "socket", "character", "block"] : ["fifo", "socket"];

/** Puts a special file into a directory. A reader that waits for the FIFO is let go late, so that it can be told. */
export async function plantSpecial(kind: string, directory: string): Promise<void> {
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

/** Opens the other end after a while: an open that waits would stop the event loop, and every timeout with it. */
function rescue(fifo: string): void {
  const script = `sleep ${PROMPT_MS / 500}; exec 3<>"$1"; sleep 1`;
  const child = spawn("sh", ["-c", script, "rescue", fifo], { stdio: "ignore" });
  onTestFinished(() => void child.kill());
}

/** Longer than a busy machine takes, and far shorter than for ever. */
const PROMPT_MS = 20_000;

/** What a promise gives, or "hangs" when it takes longer than any refusal may. */
export async function promptly<T>(run: () => Promise<T>): Promise<T | "hangs"> {
  const started = performance.now();
  const late = new Promise<"hangs">((resolve) => setTimeout(resolve, PROMPT_MS, "hangs").unref());
  const result = await Promise.race([run(), late]);
  return performance.now() - started < PROMPT_MS ? result : "hangs";
}
