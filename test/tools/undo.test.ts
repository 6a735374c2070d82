import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";

it("names only changes of the path that it was asked for", async () => {
  const call = callerOf(appOn(scratch({ "a.txt": "a", "b.txt": "b" })));
  const since = new Date(Date.now() - 1000).toISOString();
  const { data } = await call("write", { path: "a.txt", content: "a2" });
  await call("write", { path: "b.txt", content: "b2" });
  expect((await call("undo", { since, path: "a.txt" })).data["undone"]).toEqual([data["change_id"]]);
});

it("finds a move by the name that a file had before", async () => {
  const root = scratch({ "a.txt": "a" });
  const call = callerOf(appOn(root));
  await call("write", { path: "a.txt", content: "a2" });
  await call("move", { source: "a.txt", destination: "b.txt" });
  expect((await call("undo", { path: "a.txt" })).code).toBe("ok");
  expect(["a.txt", "b.txt"].map((name) => existsSync(join(root, name)))).toEqual([true, false]);
});
