import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { adminOf } from "../../../src/runtime/admin.ts";
import { appOn, callerOf, scratch } from "../../runtime/scratch.ts";

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

const edit = (oldText: string, newText: string, path = "a.txt"): Call => ["edit", { path, oldText, newText }];

/** Holds in `who` the number of the call that wrote each line; 0 for an unknown author. */
const ROWS: readonly { name: string; calls: readonly Call[]; path?: string; who: readonly number[] }[] = [
  { name: "a file that is older than the history", calls: [], who: [0, 0, 0] },
  { name: "one line", calls: [edit("two", "TWO")], who: [0, 1, 0] },
  { name: "a line that was changed twice", calls: [edit("two", "2"), edit("2", "zwei")], who: [0, 2, 0] },
  { name: "lines between others", calls: [edit("two\n", "two\nnew\nnewer\n"), edit("one\n", "")], who: [0, 1, 1, 0] },
  {
    name: "what was appended",
    calls: [["write", { path: "a.txt", content: "four\n", append: true }]],
    who: [0, 0, 0, 1],
  },
  {
    name: "a new file",
    calls: [["write", { path: "b.txt", content: "x\ny\n" }], edit("y", "z", "b.txt")],
    path: "b.txt",
    who: [1, 2],
  },
  {
    name: "what was moved since",
    calls: [edit("one", "ONE"), ["move", { source: "a.txt", destination: "b.txt" }], edit("three", "THREE", "b.txt")],
    path: "b.txt",
    who: [1, 0, 3],
  },
  { name: "what was taken back is of whoever took it back", calls: [edit("two", "TWO"), ["undo", {}]], who: [0, 2, 0] },
];

it.each(ROWS)("finds the call that wrote each line: $name", async ({ calls, path = "a.txt", who }) => {
  const app = appOn(scratch({ "a.txt": "one\ntwo\nthree\n" }));
  const caller = callerOf(app);
  const ids: unknown[] = [];
  for (const [tool, input] of calls) ids.push((await caller(tool, input)).data["change_id"]);
  const lines = await adminOf(app.session).blame(path);
  expect(lines.map(({ record }) => (record ? ids.indexOf(record.id) + 1 : 0))).toEqual(who);
});

it("leaves lines without author that another program wrote in between", async () => {
  const root = scratch({ "a.txt": "one\ntwo\n" });
  const app = appOn(root);
  const caller = callerOf(app);
  await caller("edit", { path: "a.txt", oldText: "one", newText: "ONE" });
  appendFileSync(join(root, "a.txt"), "theirs\n");
  await caller("edit", { path: "a.txt", oldText: "two", newText: "TWO" });
  const lines = await adminOf(app.session).blame("a.txt");
  expect(lines.map(({ text, record }) => [text, record !== undefined])).toEqual([
    ["ONE\n", true],
    ["TWO\n", true],
    ["theirs\n", false],
  ]);
});
