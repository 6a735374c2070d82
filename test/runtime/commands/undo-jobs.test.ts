import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
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

it("a job that changes very many files is answered in few words, and so is its undo", async () => {
  needs("bwrap");
  const names = Array.from({ length: 150 }, (_, nth) => `d/${nth}`);
  const large = Array.from({ length: 9 }, (_, nth) => `large/${nth}`);
  const root = scratch(Object.fromEntries([...names, ...large].map((name) => [name, "old\n"])));
  for (const name of large) truncateSync(join(root, name), LIMITS.pictureFileBytes + 1);
  const call = callerOn(root, { exec: { security: "full" } });
  const command = "for each in d/* large/*; do echo new >> $each; done";
  const id = (await call("exec", { command, background: true })).data["process_id"];
  const { data } = await call("process", { action: "poll", process_id: id, timeout: 50_000 });
  expect(data["changes"]).toEqual(["changed 150 entries in d", "changed 9 entries in large"]);
  // The large ones have no copy; on a busy machine, some others have none either.
  const [, count] =
    /no copy was kept of (\d+) changed files: undo cannot restore them/.exec(String(data["notes"])) ?? [];
  expect(Number(count)).toBeGreaterThanOrEqual(large.length);
  const { text } = await call("undo");
  expect(text.match(/no copy of it was kept/g)).toHaveLength(LIMITS.refusedNames);
  expect(text).toContain(`${Number(count) - LIMITS.refusedNames} more changes cannot be undone for the same reason`);
}, 60_000);
