import fs from "node:fs";
import { join } from "node:path";
import { OWN_PROCESS } from "../../src/base/process-identity.ts";
import type { Home } from "./home.ts";
import { type How, hookSystem } from "./system-calls.ts";

/**
 * Runs work that ends like a process that is killed at its nth system call: from then on every call is refused. Returns
 * true when it came to that.
 */
export async function killedAt(nth: number, how: How, home: Home, work: () => Promise<unknown>): Promise<boolean> {
  let isDead = false;
  const unhook = hookSystem((call) => {
    if (call.nth === nth) {
      isDead = true;
      if (how === "torn") call.tear?.();
    }
    if (isDead) throw new Error("A process that was killed does nothing");
  });
  try {
    await work();
  } catch (error) {
    if (!isDead) throw error;
  } finally {
    unhook();
  }
  if (isDead) disown(home);
  return isDead;
}

/** One system call. */
export interface Called {
  readonly name: string;
  readonly canTear: boolean;
}

/** Records the system calls that some work makes. */
export async function callsOf(work: () => Promise<unknown>): Promise<readonly Called[]> {
  const called: Called[] = [];
  const unhook = hookSystem(({ name, tear }) => void called.push({ name, canTear: tear !== undefined }));
  try {
    await work();
  } finally {
    unhook();
  }
  return called;
}

/** Identifies a process of the same machine that has exited. */
const GONE = `${OWN_PROCESS.slice(0, OWN_PROCESS.lastIndexOf("."))}.1`;

/** Assigns what this process left in the state to a process that has exited. */
function disown({ state }: Home): void {
  for (const name of fs.readdirSync(state, { recursive: true, encoding: "utf8" })) {
    const path = join(state, name);
    if (!fs.lstatSync(path).isFile()) continue;
    const isOwn = name === `locks/owner-${OWN_PROCESS}`;
    // The lock is a hard link to that file: the next process must not write into it.
    if (isOwn) fs.unlinkSync(path);
    else if (OWNED.some((folder) => name.startsWith(folder))) reassign(path);
  }
}

/** Lists the folders whose files name the process that made them. */
const OWNED = ["locks/", "pending/", "pictures/", "views/"];

function reassign(path: string): void {
  const text = fs.readFileSync(path, "utf8");
  if (text.includes(OWN_PROCESS)) fs.writeFileSync(path, text.replaceAll(OWN_PROCESS, GONE));
  const name = path.slice(path.lastIndexOf("/") + 1);
  const reassigned = path.includes("/pending/") ? `0000000000${name.slice(10)}` : name;
  fs.renameSync(path, join(path, "..", reassigned.replaceAll(OWN_PROCESS, GONE)));
}
