import { readlinkSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { LIMITS } from "../../../base/limits.ts";
import { watchEnd } from "../../../base/timeout.ts";
import { processTree } from "../process-tree.ts";
import type { StartedCommand } from "../sandbox.ts";
import type { JoinedNetwork } from "./join.ts";

/**
 * Waits until a command has entered its network. It finds the network through a descriptor of ours, so that one which
 * is to outlive us has to be in before anybody is told that it runs.
 */
export async function untilEntered({ namespace }: JoinedNetwork, { pid, exited }: StartedCommand): Promise<void> {
  if (namespace === undefined || pid === undefined) return;
  const { hasEnded } = watchEnd(exited);
  const untilMs = Date.now() + LIMITS.helperStartMs;
  while (!hasEnded() && Date.now() < untilMs && !processTree(pid).some((each) => networkOf(each) === namespace))
    await delay(1);
}

/** Names the network of a process; undefined for one that has ended. */
function networkOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}
