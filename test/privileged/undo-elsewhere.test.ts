import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import type { Call, Disk } from "../crash/cases.ts";
import type { Undone } from "./fixtures/undo-elsewhere.ts";

const call = (tool: string, input: Call["input"]): Call => ({ tool, input });
const edit = (path: string) => call("edit", { path, oldText: "leaf", newText: "LEAF\nmore" });
const create = (path: string) => call("write", { path, content: "new\n" });
const move = (source: string, destination: string) => call("move", { source, destination });
const copy = (source: string, destination: string) => call("copy", { source, destination });
const remove = (path: string) => call("delete", { path, recursive: true });
const restore = (path: string) => call("restore", { path });

/** Moves links and trees to another disk and back. */
const SEQUENCES: Readonly<Record<string, readonly Call[]>> = {
  "delete link": [remove("disk/link")],
  "copy link; delete it": [copy("disk/link", "disk/j"), remove("disk/j")],
  "copy link; delete it; restore it": [copy("disk/link", "disk/j"), remove("disk/j"), restore("disk/j")],
  "move link away; move it back": [move("disk/link", "j"), move("j", "disk/j")],
  "copy link away; move it": [copy("disk/link", "j"), move("j", "disk/j")],
  "move link; delete it": [move("disk/link", "j"), remove("j")],
  "edit; move away": [edit("disk/tree/leaf.txt"), move("disk/tree", "tree")],
  "edit; delete": [edit("disk/tree/leaf.txt"), remove("disk/tree")],
  "move away; edit": [move("disk/tree", "tree"), edit("tree/leaf.txt")],
  "move away; create": [move("disk/tree", "tree"), create("tree/new.txt")],
  "delete; restore; edit": [remove("disk/tree"), restore("disk/tree"), edit("disk/tree/leaf.txt")],
  "copy; edit": [copy("disk/tree", "disk/tree2"), edit("disk/tree2/leaf.txt")],
  "copy; create": [copy("disk/tree", "disk/tree2"), create("disk/tree2/new.txt")],
  "move file away; edit": [move("disk/tree/leaf.txt", "leaf.txt"), edit("leaf.txt")],
};

const DONE = { dry: "ok", real: "ok", redo: "ok" };
const REFUSED = { dry: "conflict", real: "conflict", redo: "none" };

/** Lists undos that would both alter a file and move it to another disk: they are refused, and so is their dry run. */
const LIMITED: Readonly<Record<string, typeof DONE>> = {
  "move away; edit": REFUSED,
  "move away; create": REFUSED,
  "delete; restore; edit": REFUSED,
  "copy; edit": REFUSED,
  "copy; create": REFUSED,
  "move file away; edit": REFUSED,
  "edit; move away": { ...DONE, redo: "conflict" },
  "edit; delete": { ...DONE, redo: "conflict" },
};

it.each<{ disk: Disk }>([{ disk: "root/disk" }, { disk: "state" }, { disk: "none" }])(
  "undo works with $disk on another disk, as the dry run says",
  ({ disk }) => {
    const names = Object.keys(SEQUENCES);
    const orders = { disk, sequences: Object.values(SEQUENCES) };
    const results = runAlone("test/privileged/fixtures/undo-elsewhere.ts", orders, {
      through: WITH_OWN_MOUNTS,
    }) as readonly Undone[];
    const right = (name: string, calls: readonly Call[]): Undone => ({
      ...(disk === "root/disk" ? (LIMITED[name] ?? DONE) : DONE),
      isAsDryRunSaid: true,
      isRight: true,
      oneByOne: calls.map(() => "ok"),
    });
    expect(Object.fromEntries(results.map((each, nth) => [names[nth], each]))).toEqual(
      Object.fromEntries(Object.entries(SEQUENCES).map(([name, calls]) => [name, right(name, calls)])),
    );
  },
);
