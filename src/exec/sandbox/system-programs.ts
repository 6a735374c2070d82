import { accessSync, constants } from "node:fs";
import { Fault } from "../../base/errors.ts";

/** Finds a program of the system in directories that only root can write to, whatever PATH says. */
export function findSystemProgram(name: string): string | undefined {
  return SYSTEM_DIRECTORIES.map((directory) => `${directory}/${name}`).find(isExecutable);
}

/** Finds a program without which a rung cannot work. */
export function systemProgram(name: string): string {
  const found = findSystemProgram(name);
  if (found === undefined)
    throw new Fault("io", `Cannot start the sandbox: the program ${JSON.stringify(name)} is missing`, {
      hint: "Ask the user to run holdfast doctor, which says what to install",
    });
  return found;
}

const SYSTEM_DIRECTORIES = ["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin"];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Whatever the reason is, it cannot be started.
    return false;
  }
}
