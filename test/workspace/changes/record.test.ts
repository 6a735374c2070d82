import { lstatSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { versionOfBytes } from "../../../src/base/version.ts";
import { createState } from "../../../src/storage/local/state/state.ts";
import { createJournal } from "../../../src/workspace/changes/journal/journal.ts";
import { hookSystem } from "../../crash/system-calls.ts";
import { callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";

it("describes the file that was written, not one that replaced it at once", async () => {
  const root = scratch({ f: "old" });
  const path = join(root, "f");
  const call = callerOn(root);
  writeFileSync(join(root, "theirs"), "their file");
  // The last rename moves the old file to the store: the new one is in place by then.
  const stop = hookSystem(({ name }) => {
    if (name === "renameNew") renameSync(join(root, "theirs"), path);
  });
  onTestFinished(stop);
  expect((await call("write", { path: "f", content: "ours", overwrite: true })).code).toBe("ok");
  const [record] = createJournal(createState(stateBeside(root)), () => []).records();
  const { dev, ino } = lstatSync(path);
  const after = record?.effects[0]?.after;
  expect([after?.size, after?.version]).toEqual([4, versionOfBytes(Buffer.from("ours"))]);
  expect(after?.identity).not.toBe(`${dev}:${ino}`);
});
