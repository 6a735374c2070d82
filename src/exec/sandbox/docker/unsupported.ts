import { Fault } from "../../../base/errors.ts";
import type { Streams } from "../sandbox.ts";

/** Refuses what no container can do: its commands run through this process, by pipes. */
export function checkStreams({ isDetached, isTerminal }: Streams): void {
  if (isDetached)
    throw unsupported("detach a command in a container: it ends with this process", "Run it without detach");
  if (isTerminal) throw unsupported("open a terminal in a container", "Run it without pty");
}

export const unsupported = (what: string, hint: string): Fault => new Fault("denied", `Cannot ${what}`, { hint });
