import { dirname } from "node:path";
import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";
import { needs } from "../programs.ts";

it("a command that fills the disk loses its changes, and the next change finds space", () => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const orders = { top: dirname(layout([])) };
  const through = WITH_OWN_MOUNTS;
  expect(runAlone("test/privileged/fixtures/command-fills-disk.ts", orders, { through })).toEqual({
    reported: expect.stringContaining(
      "Not applied (disk_full): Cannot keep the changes of the command: the disk is full; they are discarded]",
    ),
    isFree: true,
    written: expect.stringContaining("Created b.txt"),
  });
});
