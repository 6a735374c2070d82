import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";

/** What `killed.test.ts` finds by refusing all further calls must hold for real processes. */
const NAMES = ["write over", "move a directory", "patch of three files"];

it("a process that is killed leaves all or nothing", () => {
  const told = runAlone("test/crash/fixtures/killed-for-real.ts", { names: NAMES }, { through: WITH_OWN_MOUNTS });
  expect(told).toEqual({ kills: expect.toSatisfy((kills: number) => kills > 50), problems: [] });
});
