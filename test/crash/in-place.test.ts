import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { casesOf } from "./cases.ts";

/**
 * A file that is mounted by itself, as into a container, cannot be renamed over: it is written in place, yet
 * atomically.
 */
const MOUNTED = { disk: "root/mounted.txt" } as const;

it.each(
  casesOf([
    { ...MOUNTED, set: "changes", recovering: false },
    { ...MOUNTED, set: "changes", recovering: true },
    { ...MOUNTED, set: "undone", recovering: false },
    { ...MOUNTED, set: "undone", recovering: true },
    { ...MOUNTED, set: "changes", recovering: false, isBare: true },
  ]),
)("killed at every instant: $name, $set, recovery: $recovering", ({ isBare = false, ...options }) => {
  const report = runAlone("test/crash/fixtures/die-everywhere.ts", options, { through: WITH_OWN_MOUNTS, isBare });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
});

it.each(casesOf([{ ...MOUNTED, set: "changes" }]))(
  "the disk refuses any one call, or all from then on: $name",
  (options) => {
    const report = runAlone("test/crash/fixtures/fail-everywhere.ts", options, { through: WITH_OWN_MOUNTS });
    expect(report).toEqual({ failures: expect.toSatisfy((failures: number) => failures > 0), problems: [] });
  },
);

it.each(casesOf([MOUNTED]))("killed at every instant while others write: $name", (options) => {
  const report = runAlone("test/crash/fixtures/meanwhile-everywhere.ts", options, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
});
