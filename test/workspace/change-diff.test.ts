import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { upkeepOf } from "../../src/runtime/upkeep.ts";
import { write } from "../../src/tools/write.ts";
import { appOn, scratch } from "../runtime/scratch.ts";

it("shows what a write replaced, also when that changed after the write was planned", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const { session } = appOn(root);
  const { workspace, facts } = session;
  const signal = { aborted: false };
  const view = workspace.view({ judge: () => {}, distinguishes: () => false, progress: () => {}, signal });
  const intent = await write.plan(write.input.parse({ path: "a.txt", content: "one\ntwo\n" }) as never, view, facts);
  if (intent.kind !== "change") throw new Error("nothing would be changed");
  writeFileSync(join(root, "a.txt"), "another\n");
  const author = { session: facts.id, principal: "agent", tool: "write" } as const;
  const record = await workspace.writing?.commit(intent, { author, breathe: view.breathe });
  const { files } = await upkeepOf(session).diff(String(record?.id));
  const head = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1,2 @@\n";
  expect(files).toEqual([{ path: "a.txt", action: "replace", diff: `${head}-another\n+one\n+two\n` }]);
  expect(record?.effects.map(({ lines }) => lines)).toEqual([undefined]);
});
