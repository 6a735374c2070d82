import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { startDetached } from "../../../app/detached.ts";
import type { ServerState } from "../../../app/server-state.ts";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { ownWords } from "../../../base/own-words.ts";
import { type ReadyRegistration, readyServer } from "./running-server.ts";

/** Is set for a server whose only output is its log. */
export const LOG_ONLY = "HOLDFAST_SERVER_LOG";

/** Starts this program again in the background, with the same words. Resolves once it serves. */
export async function startInBackground(state: ServerState): Promise<ReadyRegistration> {
  const logFile = join(state.home, "server.log");
  mkdirSync(state.home, { recursive: true, mode: 0o700 });
  const log = openSync(
    logFile,
    constants.O_CREAT | constants.O_APPEND | constants.O_WRONLY | constants.O_NOFOLLOW,
    0o600,
  );
  const words = process.argv.slice(2).filter((word) => word !== "--background");
  const { exited } = await startDetached([...ownWords(), ...words], log, { [LOG_ONLY]: "1" });
  closeSync(log);
  const ready = await Promise.race([readyServer(state, LIMITS.serverStartMs), exited.then(() => undefined)]);
  if (ready) return ready;
  throw new Fault("io", `Cannot start the server: ${JSON.stringify(logFile)} says why`);
}
