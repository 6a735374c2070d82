import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { casesOf } from "./cases.ts";

const PROGRAM = "test/crash/fixtures/die-everywhere.ts";

/**
 * A process that is killed leaves the disk as it was between two system calls, or in the middle of a write: each is
 * tried, for every kind of change. The next process finds all of it or none, reports that, cleans up, and goes on. The
 * disks decide what is renamed and what has to be copied; without koffi, renames take several calls.
 */
it.each(
  casesOf([
    { disk: "none", set: "changes" },
    { disk: "none", set: "undone" },
    { disk: "root/disk", set: "changes" },
    { disk: "root/disk", set: "undone" },
    { disk: "state", set: "changes" },
    { disk: "none", set: "changes", isBare: true },
  ]),
)(
  "killed at every instant: $name, $set, on a disk of its own: $disk, bare: $isBare",
  ({ isBare = false, ...options }) => {
    const report = runAlone(PROGRAM, { ...options, recovering: false }, { through: WITH_OWN_MOUNTS, isBare });
    expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
  },
);
