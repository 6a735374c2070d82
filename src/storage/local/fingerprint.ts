import { createHash, type Hash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { type Jail, rawEntry } from "./jail.ts";
import type { Spot } from "./places.ts";

/** Names the state of a whole tree without reading a file: what is where, how large, and when it last changed. */
export function fingerprintOf(jail: Jail, { at }: Spot): string {
  const hash = createHash("sha256");
  addEntry(jail, Buffer.from(at), hash);
  return hash.digest("hex");
}

/** Names are taken byte for byte. */
function addEntry(jail: Jail, at: Buffer, hash: Hash): void {
  const stats = lstatSync(at, { bigint: true, throwIfNoEntry: false });
  hash.update(stats ? factsOf(stats) : "nothing");
  if (stats?.isDirectory()) addDirectory(jail, at, hash);
}

const factsOf = ({ dev, ino, mode, size, mtimeNs }: BigIntStats): string =>
  `${dev}:${ino} ${mode} ${size} ${mtimeNs}\n`;

function addDirectory(jail: Jail, at: Buffer, hash: Hash): void {
  const held = jail.hold(at);
  try {
    for (const name of readdirSync(held.raw ?? held.reach, "buffer").toSorted(Buffer.compare)) {
      hash.update(name).update("\0");
      addEntry(jail, rawEntry(held, name), hash);
    }
    hash.update("/");
  } finally {
    jail.steps.close(held);
  }
}
