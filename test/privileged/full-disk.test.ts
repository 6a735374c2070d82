import { dirname } from "node:path";
import { expect, it } from "vitest";
import { runAlone, WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import type { Call } from "../crash/cases.ts";
import { layout } from "../layout.ts";

const TEXT = "new\n".repeat(2000);
const PATCH = "*** Begin Patch\n*** Add File: p.txt\n+p\n*** Delete File: a.txt\n*** End Patch\n";

/** Lists every tool that changes something. */
const CALLS: Readonly<Record<string, Call>> = {
  create: { tool: "write", input: { path: "new.txt", content: TEXT } },
  "create deep": { tool: "write", input: { path: "x/y/new.txt", content: TEXT } },
  replace: { tool: "write", input: { path: "a.txt", content: TEXT } },
  append: { tool: "write", input: { path: "a.txt", content: TEXT, append: true } },
  edit: { tool: "edit", input: { path: "a.txt", oldText: "one", newText: TEXT } },
  mkdir: { tool: "mkdir", input: { path: "made/deep" } },
  copy: { tool: "copy", input: { source: "d", destination: "copied" } },
  "copy over": { tool: "copy", input: { source: "d/b.txt", destination: "a.txt", overwrite: true } },
  patch: { tool: "apply_patch", input: { input: PATCH } },
  move: { tool: "move", input: { source: "d/b.txt", destination: "moved.txt" } },
  delete: { tool: "delete", input: { path: "d", recursive: true } },
  restore: { tool: "restore", input: { path: "gone.txt" } },
  undo: { tool: "undo", input: {} },
};
const NAMES = Object.keys(CALLS);

/** Lists in `done` the calls that need no more of what the disk lacks. */
const ROWS = [
  { on: "root", refusal: "full", code: "disk_full", done: ["mkdir", "move", "delete", "restore", "undo"] },
  { on: "root", refusal: "out of names", code: "disk_full", done: ["append", "move", "delete", "restore", "undo"] },
  { on: "root", refusal: "read-only", code: "read_only", done: [] },
  // The journal still has room at the end of its last block.
  { on: "root and state", refusal: "full", code: "disk_full", done: ["mkdir", "move", "restore", "undo"] },
  { on: "root and state", refusal: "out of names", code: "disk_full", done: [] },
  { on: "root and state", refusal: "read-only", code: "read_only", done: [] },
];

it.each(ROWS)("$on on a disk that is $refusal leaves no temporary files, and works later", (row) => {
  const { code, done, ...orders } = row;
  const results = runAlone(
    "test/privileged/fixtures/change-refused.ts",
    { ...orders, calls: Object.values(CALLS), top: dirname(layout([])) },
    { through: WITH_OWN_MOUNTS },
  ) as readonly string[];
  expect(Object.fromEntries(results.map((words, nth) => [NAMES[nth], words]))).toEqual(
    Object.fromEntries(
      NAMES.map((name) => {
        const words = done.includes(name) ? "ok, done" : `${code}, not done`;
        return [name, `${words}, reading ok, then ok`];
      }),
    ),
  );
});
