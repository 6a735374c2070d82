import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { casesOf } from "./cases.ts";

const PROGRAM = "test/crash/fixtures/meanwhile-everywhere.ts";

/** A case that deletes for good loses content on purpose. */
const ALL = casesOf([{ disk: "none" }, { disk: "root/disk" }, { disk: "none", isBare: true }]);

/**
 * A process is killed at each of its system calls, and another program renames over, appends to or deletes the path of
 * the call, or makes a directory of it, before anybody recovers. Everything the user had and the other program did not
 * destroy itself is in the tree or in the trash afterwards.
 */
it.each(ALL.filter(({ name }) => !name.includes("for good")))(
  "killed at every instant while others go on: $name, on a disk of its own: $disk, bare: $isBare",
  ({ isBare = false, ...options }) => {
    const report = runAlone(PROGRAM, options, { through: WITH_OWN_MOUNTS, isBare });
    expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
  },
);
