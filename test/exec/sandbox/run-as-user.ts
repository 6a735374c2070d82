import { chmodSync, chownSync } from "node:fs";
import { dirname } from "node:path";
import { runAlone } from "../../contracts/run-alone.ts";
import { layout } from "../../layout.ts";
import { needs, needsOwnMounts } from "../../programs.ts";

const isRoot = process.getuid?.() === 0;

/** The users that sandboxes are tested as: ourselves, and a plain user as well where we are root. */
export const USERS: readonly { readonly who: string; readonly uid: number | undefined; readonly isRoot: boolean }[] = [
  { who: isRoot ? "root" : "a user", uid: undefined, isRoot },
  ...(isRoot ? [{ who: "a plain user", uid: 1000, isRoot: false }] : []),
];

/** Runs a program of the tests as a user, with a directory of that user. */
export function runAsUser(
  program: string,
  options: { readonly rung: string },
  uid: number | undefined,
  through: readonly string[] = [],
): unknown {
  needs("perl", "unshare", "setpriv", "prlimit", ...(options.rung === "bubblewrap" ? (["bwrap"] as const) : []));
  needsOwnMounts(["unshare", "--user", "--map-root-user", "--mount"]);
  const directory = layout([]);
  chmodSync(dirname(directory), 0o755);
  if (uid !== undefined) chownSync(directory, uid, uid);
  return runAlone(program, { directory, ...options }, { through, ...(uid !== undefined && { uid, gid: uid }) });
}
