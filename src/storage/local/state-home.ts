import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Where all state lives: said by the operator, or where the system keeps such things. */
export function stateHome(env: Readonly<Record<string, string | undefined>>): string {
  if (env["HOLDFAST_STATE"]) return env["HOLDFAST_STATE"];
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "holdfast");
}

/** Where a directory really is, or will be once it is made: links on the way followed. */
export function realHome(home: string): string {
  try {
    return realpathSync(home);
  } catch {
    const above = dirname(home);
    return above === home ? home : join(realHome(above), basename(home));
  }
}
