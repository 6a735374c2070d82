import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { casesOf } from "./cases.ts";

const PROGRAM = "test/crash/fixtures/die-everywhere.ts";

it.each(
  casesOf([
    { disk: "none", set: "changes" },
    { disk: "none", set: "undone" },
    { disk: "root/disk", set: "changes" },
  ]),
)("recovery is killed at every instant: $name, $set, on a disk of its own: $disk", (options) => {
  const report = runAlone(PROGRAM, { ...options, recovering: true }, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ deaths: expect.toSatisfy((deaths: number) => deaths > 0), problems: [] });
});
