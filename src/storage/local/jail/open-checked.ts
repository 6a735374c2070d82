import { type BigIntStats, constants, lstatSync, realpathSync } from "node:fs";
import { Fault } from "../../../base/errors.ts";
import { childOf } from "../../../base/paths.ts";
import { type ResolveStep } from "../../resolve.ts";
import { isMissing } from "../errno.ts";
import { type Handle, isSameInode, type Jail, linkTarget, openSeen, swapped } from "./jail.ts";

/**
 * Where no descriptor can be walked from: names are looked at one by one, and the identity of the object and of every
 * directory above it is compared again after use. Most swaps are noticed, a fast one may not be: best effort.
 */
export function createCheckedJail(roots: readonly string[]): Jail {
  return {
    containment: "best-effort",
    steps: { roots, openRoot, step, close: () => {} },
    hold,
    direct: () => undefined,
    openDirect: () => undefined,
    isAt: isWhereItWas,
    stats: (held) => held.stats as BigIntStats,
    isOneDisk: (one, other) => one.stats?.dev === other.stats?.dev,
    openData: (held, flags = constants.O_RDONLY) => openSeen(held, flags, () => confirm(held)),
    confirm,
  };
}

function openRoot(root: string): Handle {
  const stats = lstatSync(root, { bigint: true, throwIfNoEntry: false });
  if (stats?.isDirectory() && realpathSync(root) === root) return { reach: root, stats };
  throw new Fault("root_gone", `Cannot use the root ${JSON.stringify(root)}: it was removed or replaced`, { root });
}

function hold(directory: string | Buffer): Handle {
  const stats = lstatSync(directory, { bigint: true });
  if (stats.isDirectory()) return { reach: String(directory), raw: Buffer.from(directory), stats };
  throw swapped();
}

function step(above: Handle, name: string): ResolveStep<Handle> {
  const reach = childOf(above.reach, name);
  try {
    const stats = lstatSync(reach, { bigint: true });
    const handle = { reach, stats, above };
    if (stats.isSymbolicLink()) return { kind: "link", handle, target: linkTarget(reach) };
    return { kind: stats.isDirectory() ? "directory" : "leaf", handle };
  } catch (error) {
    if (isMissing(error)) return { kind: "missing" };
    throw error;
  }
}

function confirm(held: Handle): void {
  if (!isWhereItWas(held)) throw swapped();
}

function isWhereItWas(held: Handle): boolean {
  for (let at: Handle | undefined = held; at; at = at.above) {
    const now = lstatSync(at.reach, { bigint: true, throwIfNoEntry: false });
    if (!now || !isSameInode(now, at.stats)) return false;
  }
  return true;
}
