import { realpathSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { isWithin } from "../../../base/paths.ts";
import { usualSockets } from "./engine-socket.ts";

/** Lists directories of the system. Neither they nor anything in or around them is shared with a container. */
const SYSTEM_DIRECTORIES = [
  ..."/bin /boot /dev /etc /lib /lib64 /proc /run /sbin /sys /usr /var/lib /var/run".split(" "),
  ..."/private/etc /private/var/run /System /Library".split(" "),
];

/** Lists directories that are not shared as a whole, while what they hold may be. */
const WHOLE_HOMES = ["/", "/home", "/root", "/Users"];

/** Throws unless a directory may be shared with containers. `closed` are places of ours, such as the state. */
export function checkShareable(directory: string, closed: readonly string[]): void {
  const refuse = (reason: string): never => {
    throw new Fault("denied", `Cannot share ${JSON.stringify(directory)} with a container: ${reason}`, {
      hint: "Use a directory that holds nothing but the work, or another sandbox",
    });
  };
  if (realPathOrNull(directory) !== directory) refuse("it is not the real path of a directory");
  if (WHOLE_HOMES.includes(directory)) refuse("it holds much more than a workspace");
  if (SYSTEM_DIRECTORIES.some((system) => isWithin(directory, system) || isWithin(system, directory)))
    refuse("it belongs to the system");
  if (closed.some((place) => isWithin(directory, place))) refuse("Holdfast keeps its own files there");
}

/** Lists what is masked in every shared directory that holds it: sockets of engines, and places of ours. */
export const alwaysMasked = (socket: string, closed: readonly string[]): readonly string[] =>
  [socket, ...usualSockets(process.env), ...closed].map((path) => realPathOrNull(path) ?? path);

function realPathOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
