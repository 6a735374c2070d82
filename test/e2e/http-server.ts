import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { type AtEnd, stateBeside, withTest } from "../runtime/scratch.ts";
import { bareEnv, BIN } from "./bin.ts";

/** The line that `holdfast up --json` prints. */
export interface Ready {
  readonly url: string;
  readonly token: string;
  readonly console: string;
}

/** A server on a free port, stopped when the test ends. */
export async function startServer(
  root: string,
  args: readonly string[] = [],
  atEnd: AtEnd = withTest,
  more: Readonly<Record<string, string>> = {},
) {
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root), ...more });
  const child = spawn(process.execPath, [BIN, "up", root, "--port", "0", "--json", ...args], { env });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const exited = once(child, "exit");
  atEnd(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  const line = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    void exited.then(() => reject(new Error(`The server ended: ${log}`)));
  });
  const ready = JSON.parse(await line) as Ready;
  return { ...ready, origin: new URL(ready.url).origin, child, exited, log: () => log };
}
