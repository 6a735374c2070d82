import { createHash } from "node:crypto";
import { statSync } from "node:fs";

/** Fits one source, the code compiled from it, and one build of Node: V8 trusts all of that, and crashes when wrong. */
export function sealOf(source, code) {
  const { version, platform, arch, execPath, config } = process;
  const node = JSON.stringify([version, platform, arch, statSync(execPath).size, config]);
  return createHash("sha256").update(node).update(source).update(code).digest();
}

/** Bytes of a seal. */
export const SEAL = 32;
