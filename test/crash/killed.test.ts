import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

const PROGRAM = "test/crash/fixtures/die-everywhere.ts";

/**
 * A process that is killed leaves the disk as it was between two calls to the system, or in the middle of a write: each
 * is tried, for every kind of change. The next process finds all of it or none, tells so, clears up, and goes on.
 * Which disks things lie on decides what is renamed and what has to be copied; without the package that asks the
 * kernel for more than Node does, renames take several calls.
 */
it.each([
  { disk: "none", set: "changes" },
  { disk: "none", set: "undone" },
  { disk: "root/disk", set: "changes" },
  { disk: "root/disk", set: "undone" },
  { disk: "state", set: "changes" },
  { disk: "none", set: "changes", isBare: true },
])("killed at every instant: $set, on a disk of its own: $disk, bare: $isBare", ({ isBare = false, ...orders }) => {
  const told = runAlone(PROGRAM, { ...orders, recovering: false }, { through: WITH_OWN_MOUNTS, isBare });
  expect(told).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 300), problems: [] });
});
