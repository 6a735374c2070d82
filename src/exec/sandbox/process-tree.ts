import { readFileSync, readdirSync } from "node:fs";
import { constants } from "node:os";

/** Lists a process and all that descend from it, parents first. Needs /proc. */
export function processTree(pid: number): readonly number[] {
  return [pid, ...childrenOf(pid).flatMap(processTree)];
}

function childrenOf(pid: number): readonly number[] {
  const threads = read(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.flatMap((thread) => {
    const children = read(() => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8")) ?? "";
    return children.split(" ").filter(Boolean).map(Number);
  });
}

/** Returns the parent of a process. */
export function parentPid(pid: number): number | undefined {
  const parent = statusOf(pid, "PPid");
  return parent === undefined ? undefined : Number(parent);
}

/** Returns the number that a process has in its own pid namespace. */
export function innerPid(pid: number): number | undefined {
  const numbers = statusOf(pid, "NSpid")?.split(/\s+/);
  return numbers && Number(numbers.at(-1));
}

/** Returns the pid namespaces around a process, counted from ours. */
export function namespaceDepth(pid: number): number {
  return statusOf(pid, "NSpid")?.split(/\s+/).length ?? 0;
}

/** Tells whether a process runs; one that waits for its parent to look does not. */
export function isRunning(pid: number): boolean {
  const state = statusOf(pid, "State");
  return state !== undefined && !/^[ZX]/.test(state);
}

/** Tells whether a process has left a signal to the kernel, which ends any process but the first of a namespace. */
export function leavesToDefault(pid: number, name: NodeJS.Signals): boolean {
  const bit = 1n << BigInt(constants.signals[name] - 1);
  const masks = ["SigCgt", "SigIgn"].map((field) => BigInt(`0x${statusOf(pid, field) ?? "0"}`));
  return masks.every((mask) => (mask & bit) === 0n);
}

function statusOf(pid: number, field: string): string | undefined {
  const status = read(() => readFileSync(`/proc/${pid}/status`, "utf8"));
  return status?.match(new RegExp(`^${field}:\\s*(.*)$`, "m"))?.[1];
}

function read<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    // The process has ended.
    return undefined;
  }
}
