import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createState } from "../../../src/storage/local/state/state.ts";
import { treeOf } from "../../crash/home.ts";
import { callerOn, scratch, stateBeside } from "../../runtime/scratch.ts";
import type { Call } from "./random-changes.ts";

/** Damages a backup; `says` is part of the message that undo then gives. */
const DAMAGES: Readonly<Record<string, { act: (at: string) => void; says: string }>> = {
  "the same length": { act: (at) => writeFileSync(at, "TEXT"), says: "altered in the store" },
  "more bytes": { act: (at) => writeFileSync(at, "text", { flag: "a" }), says: "altered in the store" },
  "a link": { act: (at) => (rmSync(at), symlinkSync("/etc/hosts", at)), says: "it is a link, not a file" },
  "a directory": { act: (at) => (rmSync(at), mkdirSync(at)), says: "it is a directory, not a file" },
  nothing: { act: (at) => rmSync(at), says: "its backup is gone" },
};

const TREE_DAMAGES: Readonly<Record<string, (at: string) => void>> = {
  "a file of the same length": (at) => writeFileSync(join(at, "sub/x"), "TEXT"),
  "one file more": (at) => writeFileSync(join(at, "y"), "text"),
  "one file less": (at) => rmSync(join(at, "sub/x")),
  "a link for a file": (at) => (rmSync(join(at, "sub/x")), symlinkSync("/etc/hosts", join(at, "sub/x"))),
};

const write: Call = { tool: "write", input: { path: "f", content: "new", overwrite: true } };
const remove: Call = { tool: "delete", input: { path: "f" } };
const removeTree: Call = { tool: "delete", input: { path: "d", recursive: true } };

async function damaged({ tool, input }: Call, folder: "objects" | "trash", act: (at: string) => void) {
  const root = scratch({ f: "text", "d/sub/x": "text" });
  const call = callerOn(root, { loopDetection: false });
  expect((await call(tool, input)).code).toBe("ok");
  const store = join(createState(stateBeside(root)).directory, ".holdfast-store", folder);
  const [name] = readdirSync(store);
  act(join(store, name as string));
  return { call, now: () => treeOf(root) };
}

it.each(Object.keys(DAMAGES))("undo says that the backup of a replaced file was damaged: %s", async (name) => {
  const { act, says } = DAMAGES[name] as (typeof DAMAGES)[string];
  const { call, now } = await damaged(write, "objects", act);
  const before = now();
  const answers = [await call("undo", { dry_run: true }), await call("undo")];
  expect(answers.map(({ code }) => code)).toEqual(["conflict", "conflict"]);
  expect(answers.map(({ text }) => text)).toEqual([expect.stringContaining(says), expect.stringContaining(says)]);
  expect(now()).toEqual(before);
});

it.each(Object.keys(DAMAGES))("undo says that the backup of a deleted file was damaged: %s", async (name) => {
  const { act, says } = DAMAGES[name] as (typeof DAMAGES)[string];
  const { call, now } = await damaged(remove, "trash", act);
  const before = now();
  const { code, text } = await call("undo");
  expect([code, text, now()]).toEqual(["conflict", expect.stringContaining(says), before]);
});

it.each(["the same length", "more bytes"])("restore restores a damaged file with %s, and says so", async (name) => {
  const { act, says } = DAMAGES[name] as (typeof DAMAGES)[string];
  const { call, now } = await damaged(remove, "trash", act);
  const { code, text, data } = await call("restore", { path: "f" });
  expect([code, text, Object.keys(now())]).toEqual([
    "ok",
    expect.stringContaining(says),
    expect.arrayContaining(["f"]),
  ]);
  expect(data["warnings"]).toEqual([expect.stringContaining(says)]);
});

it.each(["a link", "a directory"])("restore refuses %s in place of a file", async (name) => {
  const { act, says } = DAMAGES[name] as (typeof DAMAGES)[string];
  const { call, now } = await damaged(remove, "trash", act);
  const before = now();
  const { code, text } = await call("restore", { path: "f" });
  expect([code, text, now()]).toEqual(["conflict", expect.stringContaining(says), before]);
});

it.each(Object.keys(TREE_DAMAGES))("the backup of a tree with %s counts as damaged", async (name) => {
  const { call, now } = await damaged(removeTree, "trash", TREE_DAMAGES[name] as (at: string) => void);
  const before = now();
  const undone = await call("undo");
  expect([undone.code, undone.text, now()]).toEqual([
    "conflict",
    expect.stringContaining("altered in the store"),
    before,
  ]);
  const restored = await call("restore", { path: "d" });
  expect([restored.code, restored.text]).toEqual(["ok", expect.stringContaining("altered in the store")]);
});

it("a tree that was restored, edited and deleted again by undo is intact", async () => {
  const root = scratch({ "d/f": "one\ntwo\n", "d/sub/x": "text" });
  const call = callerOn(root, { loopDetection: false });
  const before = treeOf(root);
  await call("delete", { path: "d", recursive: true });
  await call("restore", { path: "d" });
  await call("edit", { path: "d/f", oldText: "two", newText: "2" });
  for (const _ of "edit, restore, delete".split(",")) expect(await call("undo")).toMatchObject({ code: "ok" });
  expect(treeOf(root)).toEqual(before);
});

it("undo of an edit with an altered backup leaves later edits alone", async () => {
  const { call, now } = await damaged(write, "objects", (at) => writeFileSync(at, "TEXT"));
  await call("write", { path: "f", content: "later\n", append: true });
  const before = now();
  const { code } = await call("undo", { since: "2020-01-01T00:00:00Z" });
  expect([code, now()]).toEqual(["conflict", before]);
});
