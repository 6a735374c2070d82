import { existsSync } from "node:fs";
import type { Containment } from "../storage.ts";
import type { Jail } from "./held.ts";
import { createCheckedJail } from "./open-checked.ts";
import { createHandleJail } from "./open-handle.ts";

/** The strongest jail this machine has. */
export const createJail = (roots: readonly string[], containment: Containment = strongest()): Jail =>
  containment === "handle" ? createHandleJail(roots) : createCheckedJail(roots);

const strongest = (): Containment =>
  process.platform === "linux" && existsSync("/proc/self/fd") ? "handle" : "best-effort";
