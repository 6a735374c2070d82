import { type Dirent, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { errnoOf } from "./errno.ts";
import type { Jail } from "./jail.ts";
import type { Spot } from "./places.ts";

/** Removes what a spot holds, a tree entry by entry through held directories. Names are taken byte for byte. */
export const eraseTree = (jail: Jail, { at }: Spot): Promise<void> => eraseEntry(jail, Buffer.from(at));

async function eraseEntry(jail: Jail, at: Buffer): Promise<void> {
  try {
    unlinkSync(at);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return;
    if (errnoOf(error) !== "EISDIR" && errnoOf(error) !== "EPERM") throw error;
    await eraseDirectory(jail, at);
  }
}

async function eraseDirectory(jail: Jail, at: Buffer): Promise<void> {
  const held = jail.hold(at);
  try {
    const inside = Buffer.from(`${held.reach}/`);
    const entries: Dirent<Buffer>[] = readdirSync(held.reach, { withFileTypes: true, encoding: "buffer" });
    for (const { name } of entries) await eraseEntry(jail, Buffer.concat([inside, name]));
  } finally {
    jail.steps.close(held);
  }
  rmdirSync(at);
  await setImmediate();
}
