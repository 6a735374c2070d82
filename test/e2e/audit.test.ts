import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appOn, callerOf, scratch, stateBeside } from "../runtime/scratch.ts";
import { run } from "./bin.ts";
import { jsonOf, TIME } from "./workplace.ts";

/** A workspace in which calls were made, and the command line there. */
async function place() {
  const root = scratch({ "a.txt": "one\ntwo\n" });
  const app = appOn(root);
  const caller = callerOf(app);
  const { data } = await caller("edit", { path: "a.txt", oldText: "two", newText: "2" });
  await caller("read", { path: "none" });
  app.close();
  const holdfast = (...words: string[]) => run(["audit", ...words, "--root", root, "--state", stateBeside(root)]);
  return { holdfast, change: data["change_id"] as string, directory: app.stateDirectory };
}

it("shows calls, newest last, with what they came to", async () => {
  const { holdfast, change } = await place();
  const { code, out } = await holdfast("show");
  const [first, effect, second] = out.split("\n");
  expect([code, first, effect, second]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^${TIME}  [0-9a-f]{8}  edit  ok +\\d+ ms  ${change}  notify \\(built-in\\) +\\{"path":"a\\.txt"`),
    ),
    expect.stringMatching(/^ {4}replace \S+a\.txt {2}\S+ → \S+$/),
    expect.stringMatching(/ read {2}not_found +\d+ ms /),
  ]);
  const [record] = jsonOf((await holdfast("show", "--json")).out)["records"] as readonly Record<string, unknown>[];
  expect(record?.["effects"]).toEqual([
    {
      action: "replace",
      path: expect.stringMatching(/a\.txt$/),
      before: expect.any(String),
      after: expect.any(String),
    },
  ]);
});

it("says that the log is whole, and where it is not", async () => {
  const { holdfast, directory } = await place();
  expect(await holdfast("verify")).toMatchObject({ code: 0, out: "2 records in 1 file: whole\n" });
  const [name = ""] = readdirSync(directory).filter((each) => each.startsWith("audit-"));
  const text = readFileSync(join(directory, name), "utf8");
  writeFileSync(join(directory, name), text.replace('"newText":"2"', '"newText":"3"'));
  const { code, err } = await holdfast("verify");
  expect([code, err]).toEqual([1, `holdfast: ${name}:2: the record before it in its chain, ${name}:1, was altered\n`]);
});

it("tells which change wrote which line", async () => {
  const { holdfast, change } = await place();
  const { code, out } = await holdfast("blame", "a.txt");
  const [first, second] = out.split("\n");
  expect([code, first, second]).toEqual([
    0,
    expect.stringMatching(/^- .* 1 {2}one$/),
    expect.stringMatching(new RegExp(`^${change}  ${TIME}  [0-9a-f]{8}  edit  2  2$`)),
  ]);
});

it.each([
  { words: [], says: "say show, verify or blame" },
  { words: ["blame"], says: "it is written holdfast audit blame <path>" },
  { words: ["verify", "x"], says: "it is written holdfast audit verify" },
])("says how it is used: $words", async ({ words, says }) => {
  const { holdfast } = await place();
  const { code, err } = await holdfast(...words);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
