import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { needs } from "../programs.ts";
import { callerOn, scratch } from "../runtime/scratch.ts";

it("what a command changed is discarded where it can never be applied, and the answer says what to do", async () => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch({ a: "" });
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  const { data } = await call("exec", { command: `seq ${LIMITS.viewEntries + 1} | xargs touch`, yieldMs: 60_000 });
  expect(data).toMatchObject({
    applied: false,
    discarded: true,
    not_applied:
      "Cannot list what the command changed: it is more than 50000 files; its changes are discarded: run it in parts, " +
      "or with undo: false on the files themselves",
  });
  expect(readdirSync(root)).toEqual(["a"]);
  const applied = await call("process", { action: "apply", process_id: data["process_id"] });
  expect(applied.data).toMatchObject({ error: { code: "not_found" } });
});
