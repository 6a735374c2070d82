import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

/**
 * A file that is mounted by itself, as into a container, cannot be renamed over: it is written in place, yet
 * atomically.
 */
it.each([
  { set: "changes", recovering: false },
  { set: "changes", recovering: true },
  { set: "undone", recovering: false },
  { set: "undone", recovering: true },
  { set: "changes", recovering: false, isBare: true },
])("killed at every instant: $set of a mounted file, recovery: $recovering", ({ isBare = false, ...options }) => {
  const all = { disk: "root/mounted.txt", ...options };
  const report = runAlone("test/crash/fixtures/die-everywhere.ts", all, { through: WITH_OWN_MOUNTS, isBare });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 50), problems: [] });
});

it("the disk refuses any one call, or all from then on, in a mounted file", () => {
  const options = { disk: "root/mounted.txt", set: "changes" };
  const report = runAlone("test/crash/fixtures/fail-everywhere.ts", options, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ failures: expect.toSatisfy((failures: number) => failures > 100), problems: [] });
});

it("killed at every instant while others write to a mounted file", () => {
  const options = { disk: "root/mounted.txt" };
  const report = runAlone("test/crash/fixtures/meanwhile-everywhere.ts", options, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 100), problems: [] });
});
