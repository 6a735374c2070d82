import { closeSync, constants, mkdirSync, openSync, realpathSync, writeFileSync } from "node:fs";
import { hash } from "node:crypto";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Our own files, outside every workspace: made on first use, closed to everyone else. */
export interface State {
  readonly directory: string;
  /** Adds whole lines to a file of ours. */
  append(name: string, lines: string): void;
}

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

/** A link in the place of our file is not followed. */
function appendTo(file: string, lines: string): void {
  const fd = openSync(file, APPEND, 0o600);
  try {
    writeFileSync(fd, lines);
  } finally {
    closeSync(fd);
  }
}

const APPEND = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | constants.O_NOFOLLOW;

/** One folder per workspace. Nothing is touched before the first use. */
export function createState(home: string, roots: readonly string[]): State {
  const directory = join(home, hash("sha256", roots.join("\0"), "hex").slice(0, 16));
  return {
    directory,
    append(name, lines) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      appendTo(join(directory, name), lines);
    },
  };
}
