import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { WatchEvent } from "../../src/workspace/watch/event-queue.ts";
import { type Caller, callerOn, scratch } from "../runtime/scratch.ts";

/** Repeats the test, because a new directory gets the inode number and birth time of a deleted one only sometimes. */
const ROUNDS = 40;

const CASES: readonly { name: string; at: string; remake: (root: string) => void }[] = [
  {
    name: "in its place",
    at: "d",
    remake(root) {
      rmSync(join(root, "d"), { recursive: true });
      mkdirSync(join(root, "d"));
    },
  },
  {
    name: "in another place",
    at: "e",
    remake(root) {
      rmSync(join(root, "d"), { recursive: true });
      mkdirSync(join(root, "e"));
    },
  },
  {
    name: "in its place, and then moved",
    at: "e",
    remake(root) {
      rmSync(join(root, "d"), { recursive: true });
      mkdirSync(join(root, "d"));
      renameSync(join(root, "d"), join(root, "e"));
    },
  },
];

it.each(CASES)("a directory that is deleted and made again $name is watched", async ({ at, remake }) => {
  for (let round = 0; round < ROUNDS; round++) {
    const root = scratch({ d: null });
    const call = callerOn(root);
    const { data } = await call("watch", { path: "." });
    remake(root);
    writeFileSync(join(root, at, "file"), "1");
    const until = eventReader(call, data["watch_id"] as string);
    expect(await until(`create ${at}/file`)).toContain(`create ${at}/file`);
    writeFileSync(join(root, at, "file"), "12");
    expect(await until(`modify ${at}/file`)).toContain(`modify ${at}/file`);
    await call("watch", { watch_id: data["watch_id"], cancel: true });
  }
});

/** Returns a function that reads events until a given one is reported. */
function eventReader(call: Caller, id: string): (event: string) => Promise<readonly string[]> {
  return async function until(event) {
    const received: string[] = [];
    while (!received.includes(event)) {
      const { data } = await call("watch", { watch_id: id, wait_ms: 5_000 }, { repeats: true });
      const events = data["events"] as readonly WatchEvent[];
      expect(events.length, `waiting for ${event} after ${received.join(", ")}`).toBeGreaterThan(0);
      received.push(...events.map(({ type, path }) => `${type} ${path}`));
    }
    return received;
  };
}
