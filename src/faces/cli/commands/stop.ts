import { setTimeout as pause } from "node:timers/promises";
import { mergeSettings } from "../../../app/merged-settings.ts";
import { openServerState } from "../../../app/server-state.ts";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { pidOf } from "../../../base/process-identity.ts";
import type { CliSettings } from "../flags.ts";
import { print } from "../terminal.ts";

/** Runs `holdfast stop`: ends the server once its calls are answered. */
export async function stop(settings: CliSettings): Promise<number> {
  const { registry } = openServerState(await mergeSettings(settings, [], "."));
  const server = registry.find();
  const pid = server && pidOf(server.process);
  if (pid === undefined) {
    print(settings.json ? JSON.stringify({ stopped: false }) : "No server runs");
    return 1;
  }
  end(pid);
  const deadline = Date.now() + 2 * LIMITS.httpClosingMs;
  while (registry.find()?.process === server?.process) {
    if (Date.now() > deadline) throw new Fault("timeout", `Cannot stop the server: process ${pid} still runs`);
    await pause(LIMITS.serverPollMs);
  }
  print(settings.json ? JSON.stringify({ stopped: true, pid }) : "Stopped the server");
  return 0;
}

/** Asks a process to end. One that has ended meanwhile is what we want. */
function end(pid: number): void {
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    if (errnoOf(error) !== "ESRCH") throw error;
  }
}
