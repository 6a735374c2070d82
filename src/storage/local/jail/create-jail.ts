import { existsSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import type { Containment } from "../../storage.ts";
import type { Jail } from "./jail.ts";
import type { KernelSource } from "./kernel.ts";
import { createCheckedJail } from "./checked-jail.ts";
import { createHandleJail } from "./handle-jail.ts";

/** Creates the strongest jail that this machine supports. */
export function createJail(
  roots: readonly string[],
  containment: Containment = strongestContainment(),
  kernelSource?: KernelSource,
): Jail {
  if (process.platform === "win32")
    throw new Fault("io", "Cannot start on Windows: its paths cannot be confined yet; use WSL");
  return containment === "handle" ? createHandleJail(roots, kernelSource) : createCheckedJail(roots);
}

const strongestContainment = (): Containment =>
  process.platform === "linux" && existsSync("/proc/self/fd") ? "handle" : "best-effort";
