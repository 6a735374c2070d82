import { createHash, type Hash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { Held, Jail } from "./jail.ts";
import type { Spot } from "./places.ts";

/** Names the state of a whole tree without reading a file: what is where, how large, and when it last changed. */
export function fingerprintOf(jail: Jail, spot: Spot): string {
  const hash = createHash("sha256");
  const met = jail.steps.step(spot.parent, spot.name, true);
  if (met.kind === "missing") return "";
  try {
    addTree(jail, met.handle, spot.name, hash);
  } finally {
    jail.steps.close(met.handle);
  }
  return hash.digest("hex");
}

function addTree(jail: Jail, held: Held, name: string, hash: Hash): void {
  const stats = jail.stats(held);
  hash.update(`${name}\0${stats.mode} ${stats.ino} ${stats.size} ${stats.mtimeNs}\n`);
  if (!stats.isDirectory()) return;
  for (const child of readdirSync(held.reach).toSorted()) {
    const met = jail.steps.step(held, child, true);
    if (met.kind === "missing") continue;
    try {
      addTree(jail, met.handle, child, hash);
    } finally {
      jail.steps.close(met.handle);
    }
  }
  hash.update("/\n");
}
