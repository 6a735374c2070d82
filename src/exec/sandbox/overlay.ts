import { Fault } from "../../base/errors.ts";
import type { CommandView } from "../view/command-view.ts";
import { systemProgram } from "./system-programs.ts";

/**
 * Returns the words that mount a view over its roots, in a mount namespace of their own, and then run the rest. Without
 * root this takes a user namespace in which we are root. Root goes without: files of users whom the namespace does not
 * map could not be copied into the view.
 */
export function overlayWords({ layers }: CommandView, isRoot: boolean): readonly string[] {
  if (layers.some(({ root }) => root === "/"))
    throw new Fault("invalid_input", "Cannot run the command on a view: the root directory of the machine has none");
  const namespaces = isRoot ? ["-m"] : ["-Um", "--map-root-user"];
  const paths = layers.flatMap(({ root, upper, work }) => [root, upper, work]);
  return [
    systemProgram("unshare"),
    ...namespaces,
    systemProgram("sh"),
    "-c",
    MOUNT_OVERLAYS,
    systemProgram("mount"),
    ...paths,
    "--",
  ];
}

/**
 * Names the directories of an overlay by descriptors: in its options a comma, a colon or a backslash of a path would
 * mean something else. `volatile` leaves out the syncing of every copy: what is applied is synced then.
 */
const MOUNT_OVERLAYS = `set -e
while [ "$1" != -- ]; do
  exec 7<"$1" 8<"$2" 9<"$3"
  "$0" -n -t overlay overlay "$1" \\
    -o lowerdir=/proc/self/fd/7,upperdir=/proc/self/fd/8,workdir=/proc/self/fd/9,userxattr,volatile
  shift 3
done
shift
exec 7<&- 8<&- 9<&-
exec "$@"`;
