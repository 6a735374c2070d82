import { homedir } from "node:os";
import { join } from "node:path";

/** Where all state lives: said by the operator, or where the system keeps such things. */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env["HOLDFAST_STATE"]) return env["HOLDFAST_STATE"];
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "holdfast");
}
