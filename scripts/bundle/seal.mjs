import { createHash } from "node:crypto";
import { statSync } from "node:fs";

/** Seals a source, its compiled code and this build of Node: V8 trusts all three, and crashes on a mismatch. */
export function sealOf(source, code) {
  const { version, platform, arch, execPath, config } = process;
  const node = JSON.stringify([version, platform, arch, statSync(execPath).size, config]);
  return createHash("sha256").update(node).update(source).update(code).digest();
}

/** The length of a seal in bytes. */
export const SEAL = 32;
