import type { Duplex } from "node:stream";
import { connectShell, SHELL_ANSWERS } from "./attached-shell.ts";
import { type ListedMount, parseMountInfo } from "../mountinfo.ts";

/**
 * The shell that is process 1 of a container. It sends signals for us, and says what is mounted, by built-in commands
 * only, which work where no further process may start. When we die, its input ends, and with it the container. No
 * command can signal or trace it unless both are root. The empty subshell makes a simple shell reap what was killed.
 */
export const KEEPER_SCRIPT = `${SHELL_ANSWERS}
mounts
while read -r request target; do
  if [ "$request" = mounts ]; then mounts; continue; fi
  kill -s "$request" -- "$target" 2>/dev/null
  answer
  (:)
done`;

export interface Keeper {
  /** Returns what is mounted when the container has started. */
  readonly firstMounts: Promise<readonly ListedMount[]>;
  mounts(): Promise<readonly ListedMount[]>;
  /** Signals a process of the container, or with "all" every one but the keeper, including all that just start. */
  kill(signal: string, target: number | "all"): Promise<void>;
  isAlive(): boolean;
  /** Ends the container. */
  close(): void;
}

/** Talks to process 1 of a container, to which the stream is attached. */
export function connectKeeper(stream: Duplex): Keeper {
  const { ask, answered, isAlive, close } = connectShell(stream);
  const firstMounts = answered().then(parseMountInfo);
  // Nobody waits for it where the container does not start.
  firstMounts.catch(() => {});
  return {
    firstMounts,
    mounts: async () => parseMountInfo(await ask("mounts")),
    async kill(signal, target) {
      await ask(`${signal.replace(/^SIG/, "")} ${target === "all" ? -1 : target}`);
    },
    isAlive,
    close,
  };
}
