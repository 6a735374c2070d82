import { lstatSync } from "node:fs";
import type { RootIdentity } from "../../root-identity.ts";
import { OWN_BOOT } from "../../../base/process-identity.ts";

/** Identifies a directory by its real path. Returns undefined where there is none that can be reached. */
export function identifyRoot(path: string): RootIdentity | undefined {
  try {
    const stats = lstatSync(path, { bigint: true });
    if (!stats.isDirectory()) return undefined;
    return { path, dev: String(stats.dev), ino: String(stats.ino), boot: OWN_BOOT };
  } catch {
    return undefined;
  }
}
