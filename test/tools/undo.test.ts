import { existsSync, utimesSync } from "node:fs";
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

it.each([
  { tool: "history", gives: "changes" },
  { tool: "undo", gives: "undone" },
])("$tool takes an age for a time", async ({ tool, gives }) => {
  const call = callerOf(appOn(scratch({ "a.txt": "a" })));
  await call("write", { path: "a.txt", content: "a2" });
  expect((await call(tool, { since: "10m" })).data[gives]).toHaveLength(1);
  expect((await call(tool, { since: "10 minutes" })).text).toContain("or an age such as 90s, 10m, 2h or 1d");
});

it("a search takes an age for a time", async () => {
  const root = scratch({ "new.txt": "a", "old.txt": "a" });
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(root, "old.txt"), anHourAgo, anHourAgo);
  const call = callerOf(appOn(root));
  expect((await call("find", { pattern: "*", modified_after: "10m" })).text).toContain("new.txt");
  expect((await call("find", { pattern: "*", modified_after: "10m" })).data["total_matches"]).toBe(1);
});

it("finds a move by the name that a file had before", async () => {
  const root = scratch({ "a.txt": "a" });
  const call = callerOf(appOn(root));
  await call("write", { path: "a.txt", content: "a2" });
  await call("move", { source: "a.txt", destination: "b.txt" });
  expect((await call("undo", { path: "a.txt" })).code).toBe("ok");
  expect(["a.txt", "b.txt"].map((name) => existsSync(join(root, name)))).toEqual([true, false]);
});
