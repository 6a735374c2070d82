import { homedir } from "node:os";
import { join } from "node:path";

/** Returns the directory of all state: as the operator says, else the one that XDG prescribes. */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env["HOLDFAST_STATE"]) return env["HOLDFAST_STATE"];
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "holdfast");
}
