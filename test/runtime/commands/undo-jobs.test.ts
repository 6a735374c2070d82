import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

it("undo of the last change of a polled job names its earlier ones", async () => {
  needs("bwrap");
  const root = scratch({ "a.txt": "one\n" });
  const call = callerOn(root, { exec: { security: "full" }, loopDetection: false });
  const command = "echo 1 > first; until [ -e go ]; do sleep 0.05; done; echo 2 > second";
  const id = (await call("exec", { command, background: true })).data["process_id"];
  const poll = async (timeout: number) => (await call("process", { action: "poll", process_id: id, timeout })).data;
  const earlier = await vi.waitFor(
    async () => {
      const { change_id: change } = await poll(0);
      expect(change).toEqual(expect.any(String));
      return change;
    },
    { timeout: 20_000 },
  );
  writeFileSync(join(root, "go"), "");
  await vi.waitFor(async () => expect((await poll(1000))["status"]).toBe("done"), { timeout: 20_000 });
  const { text } = await call("undo");
  expect(text).toContain(`earlier changes by the same command are still in effect: undo ${String(earlier)} as well`);
  await call("undo", { change_id: earlier });
  expect([existsSync(join(root, "first")), existsSync(join(root, "second"))]).toEqual([false, false]);
});
