import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

/** Repeats for real processes what `killed.test.ts` simulates by refusing all further calls. */
const NAMES = [
  "write over",
  "move a directory",
  "patch of three files",
  "extract over what is there",
  "compress over a file",
];

it.each(NAMES)("a process that is killed leaves all or nothing: %s", (name) => {
  const report = runAlone("test/crash/fixtures/killed-for-real.ts", { name }, { through: WITH_OWN_MOUNTS });
  expect(report).toEqual({ kills: expect.toSatisfy((kills: number) => kills > 10), problems: [] });
});
