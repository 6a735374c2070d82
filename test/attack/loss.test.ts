import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { appOn, callerOf, callerOn, scratch } from "../runtime/scratch.ts";
import { age, patch, stateOf, textIn } from "./kit.ts";

it("keeps all of several appends to a file that none of them found", async () => {
  const root = scratch();
  const call = callerOn(root);
  const lines = ["A\n", "B\n", "C\n"];
  await Promise.all(lines.map((content) => call("write", { path: "new.log", content, append: true })));
  expect(textIn(root, "new.log").split("\n").toSorted().join("")).toBe("ABC");
});

it("moves a file on that a section before has moved (an empty file stays in between)", async () => {
  const root = scratch({ a: "x\ny\n" });
  const [first, second] = [
    ["*** Update File: a", "*** Move to: b", "@@", "-x", "+X", " y"],
    ["*** Update File: b", "*** Move to: c", "@@", "-X", "+Z", " y"],
  ];
  await callerOn(root)("apply_patch", { input: patch(...first, ...second) });
  expect(readdirSync(root)).toEqual(["c"]);
});

it("deletes a file that a section before has moved (it is emptied instead)", async () => {
  const root = scratch({ a: "x\ny\n" });
  const input = patch("*** Update File: a", "*** Move to: b", "@@", "-x", "+X", " y", "*** Delete File: b");
  await callerOn(root)("apply_patch", { input });
  expect(readdirSync(root)).toEqual([]);
});

it("adds a file where one has moved away", async () => {
  const root = scratch({ a: "x\ny\n" });
  const input = patch("*** Update File: a", "*** Move to: b", "@@", "-x", "+X", " y", "*** Add File: a", "+new");
  expect(await callerOn(root)("apply_patch", { input })).toMatchObject({ isError: false });
});

it("obeys if_match of a large file that was appended to and then rewritten by another program", async () => {
  const root = scratch({ f: "old line\n".repeat(150_000) });
  const call = callerOn(root);
  const { version } = (await call("read", { path: "f", limit: 1 })).data;
  await call("write", { path: "f", content: "tail\n", append: true });
  writeFileSync(join(root, "f"), "THEIRS\n".repeat(160_000));
  expect(await call("write", { path: "f", content: "mine\n", if_match: version })).toMatchObject({ code: "stale" });
});

it("keeps what a young change put where an old one had put it before", async () => {
  const root = scratch();
  const call = callerOn(root);
  const made = await call("write", { path: "f", content: "PRECIOUS" });
  const away = await call("undo", { change_id: made.data["change_id"] });
  const back = await call("undo", { change_id: away.data["change_id"] });
  const again = await call("undo", { change_id: back.data["change_id"] });
  for (let nth = 0; nth < LIMITS.historyKept; nth++) await call("mkdir", { path: `d${nth}` });
  for (const { data } of [made, away, back]) age(root, data["change_id"]);
  const later = callerOn(root);
  await later("mkdir", { path: "other" });
  await sleep(500);
  expect(await later("undo", { change_id: again.data["change_id"] })).toMatchObject({ isError: false });
});

it("does not go on erasing old history that an undo brings back meanwhile", async () => {
  const count = 6000;
  const root = scratch(Object.fromEntries(Array.from({ length: count }, (_, nth) => [`src/f${nth}`, "x"])));
  const call = callerOn(root);
  await call("copy", { source: "src", destination: "copy" });
  const { data } = await call("undo");
  const objects = join(stateOf(root), ".holdfast-store/objects");
  const kept = join(objects, readdirSync(objects)[0] as string);
  for (let nth = 0; nth < LIMITS.historyKept; nth++) await call("mkdir", { path: `d${nth}` });
  age(root, data["change_id"]);
  const later = callerOn(root);
  await later("mkdir", { path: "other" });
  while (existsSync(kept) && readdirSync(kept).length === count)
    await new Promise((resolve) => void setImmediate(resolve));
  const undone = await later("undo", { change_id: data["change_id"] });
  await sleep(1000);
  const left = existsSync(join(root, "copy")) ? readdirSync(join(root, "copy")).length : 0;
  expect(undone.isError ? count : left).toBe(count);
});

const BIG = 1_200_000;
it.each([
  [
    "deleted",
    [
      ["write", { path: "f", content: "b".repeat(BIG) }],
      ["delete", { path: "f" }],
    ],
  ],
  [
    "moved",
    [
      ["write", { path: "f", content: "b".repeat(BIG) }],
      ["move", { source: "f", destination: "g" }],
    ],
  ],
  [
    "moved twice",
    [
      ["move", { source: "f", destination: "g" }],
      ["move", { source: "g", destination: "h" }],
    ],
  ],
  [
    "a link, moved twice",
    [
      ["move", { source: "ln", destination: "g" }],
      ["move", { source: "g", destination: "h" }],
    ],
  ],
] as const)("undoes a session with a file above 1 MiB: %s", async (_, calls) => {
  const root = scratch({ f: "a".repeat(BIG), ln: { link: "f" } });
  const app = appOn(root);
  const call = callerOf(app);
  for (const [tool, input] of calls) expect(await call(tool, input)).toMatchObject({ isError: false });
  expect(await call("undo", { session: app.session.facts.id })).toMatchObject({ isError: false });
});

it("undoes an append to a file that is too large to be held", async () => {
  const root = scratch({ "big.log": "x\n" });
  truncateSync(join(root, "big.log"), 65 * 1024 * 1024);
  const call = callerOn(root);
  await call("write", { path: "big.log", content: "tail\n", append: true });
  expect(await call("undo")).toMatchObject({ isError: false });
});

it("undoes a patch that renames and changes the mode", async () => {
  const root = scratch({ a: "x\ny\n" });
  const call = callerOn(root);
  const input = "diff --git a/a b/b\nold mode 100644\nnew mode 100755\nrename from a\nrename to b\n";
  expect(await call("apply_patch", { input })).toMatchObject({ isError: false });
  expect(await call("undo")).toMatchObject({ isError: false });
});

it("undoes a move out of a directory that has gone since", async () => {
  const root = scratch({ "d/a": "1" });
  const call = callerOn(root);
  const { data } = await call("move", { source: "d/a", destination: "b" });
  await call("delete", { path: "d" });
  expect(await call("undo", { change_id: data["change_id"] })).toMatchObject({ isError: false });
});

it("undoes a move although the file was edited since", async () => {
  const root = scratch({ a: "1\n" });
  const call = callerOn(root);
  const { data } = await call("move", { source: "a", destination: "b" });
  await call("edit", { path: "b", oldText: "1", newText: "2" });
  expect(await call("undo", { change_id: data["change_id"] })).toMatchObject({ isError: false });
});

it("brings back a deep tree that it deleted", async () => {
  const root = scratch();
  const dig =
    "const fs=require('fs');fs.mkdirSync('deep');process.chdir('deep');for(let i=0;i<9000;i++){fs.mkdirSync('d');process.chdir('d')}";
  execFileSync(process.execPath, ["-e", dig], { cwd: root });
  const call = callerOn(root);
  const deleted = await call("delete", { path: "deep", recursive: true });
  const undone = await call("undo");
  // The paths are too long for the clean-up of the test: it is taken apart from its end.
  const fill =
    "const fs=require('fs');process.chdir('deep');while(fs.existsSync('d'))process.chdir('d');for(let i=0;i<9000;i++){process.chdir('..');fs.rmdirSync('d')}";
  execFileSync(process.execPath, ["-e", fill], { cwd: root });
  expect([deleted.code, undone.code]).toEqual(["ok", "ok"]);
});
