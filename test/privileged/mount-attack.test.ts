import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

it("a change is made on the disk that was mounted a moment ago, not in what that hides", () => {
  const root = scratch({ d: null });
  const program = "test/privileged/fixtures/write-before-and-after-mount.ts";
  expect(runAlone(program, { root, state: stateBeside(root) }, { through: WITH_OWN_MOUNTS })).toEqual(["after.txt"]);
});

it("of a root whose disk was taken away, what that hid is not read in its place", () => {
  const root = scratch({ file: "under the disk" });
  const program = "test/privileged/fixtures/read-after-unmount.ts";
  const outcomes = [
    ["read", "read"],
    ["root_gone", "root_gone"],
  ];
  expect(runAlone(program, { root }, { through: WITH_OWN_MOUNTS })).toEqual(outcomes);
});
