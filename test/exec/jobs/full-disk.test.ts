import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../../contracts/run-alone.ts";

it("a full disk refuses a job in words, and swallows no exit code", () => {
  const exited = expect.objectContaining({ kind: "exited", exit: { code: 5, signal: null } });
  expect(runAlone("test/exec/jobs/fixtures/full-disk.ts", {}, { through: WITH_OWN_MOUNTS })).toEqual({
    fills: [exited, exited],
    seen: [exited, exited],
    refused: expect.objectContaining({
      code: "disk_full",
      message: "Cannot start the command: the disk that keeps its output is full",
    }),
    left: 2,
  });
});
