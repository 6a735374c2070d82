import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { casesOf } from "./cases.ts";

const PROGRAM = "test/crash/fixtures/fail-everywhere.ts";

/** The caller is told what has really happened, and nothing is left that hinders the next change. */
it.each(
  casesOf([
    { disk: "none", set: "changes" },
    { disk: "root/disk", set: "changes" },
  ]),
)("the disk refuses any one call, or all from then on: $name, on a disk of its own: $disk", (options) => {
  const report = runAlone(PROGRAM, options, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ failures: expect.toSatisfy((failures: number) => failures > 0), problems: [] });
});
