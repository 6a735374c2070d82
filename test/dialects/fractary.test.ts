import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadDialect } from "../../src/dialects/load.ts";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";
import { runCase } from "./dialect-case.ts";
import { CASES } from "./fractary.cases.ts";

it.each(CASES)("$name", async (each) => {
  const { happened, promised } = await runCase("fractary", each, (_, text) => JSON.parse(text));
  expect(happened).toEqual(promised);
});

it("lets one of many that write the same new file win, and says so to the others", async () => {
  const root = scratch();
  const { surface } = appOn(root, { dialect: await loadDialect("fractary") });
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, nth) =>
      surface.call({
        tool: "fractary_file_write",
        input: { path: "a", content: String(nth) },
        signal: { aborted: false },
      }),
    ),
  );
  const won = replies.flatMap(({ isError }, nth) => (isError ? [] : [String(nth)]));
  const codes = replies.filter(({ isError }) => isError).map(({ data }) => data?.["error"]);
  expect(won).toEqual([readFileSync(join(root, "a"), "utf8")]);
  expect(codes).toEqual(Array.from({ length: 19 }, () => expect.objectContaining({ code: "ALREADY_EXISTS" })));
  expect(readdirSync(root)).toEqual(["a"]);
});

it("can be taken back, in a source too, and is in the history", async () => {
  const [root, archive] = [scratch({ a: "old" }), scratch({ b: "kept" })];
  const app = appOn(root, { dialect: await loadDialect("fractary"), sources: { archive } });
  const signal = { aborted: false };
  const overwrite = { path: "a", content: "new", overwrite: true };
  await app.surface.call({ tool: "fractary_file_write", input: overwrite, signal });
  await app.surface.call({ tool: "fractary_file_delete", input: { path: "b", source: "archive" }, signal });
  const caller = callerOf(app);
  expect(await caller("history")).toMatchObject({ data: { changes: [{ tool: "delete" }, { tool: "write" }] } });
  await caller("undo");
  await caller("undo");
  expect([readFileSync(join(root, "a"), "utf8"), readFileSync(join(archive, "b"), "utf8")]).toEqual(["old", "kept"]);
});
