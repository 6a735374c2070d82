import { chmodSync, chownSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { OWN_NAMES } from "../../src/base/product.ts";
import { runAlone } from "../contracts/run-alone.ts";
import type { Call } from "../crash/cases.ts";
import { treeOf } from "../crash/home.ts";
import { layout } from "../layout.ts";
import { unfinishedIn } from "../workspace/changes/journals.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

interface Row extends Call {
  readonly gives: string;
}

const PATCH = "*** Begin Patch\n*** Add File: new.txt\n+new\n*** Delete File: closed/file\n*** End Patch\n";

/** Lists calls in order: "closed" can be entered and read, but nothing in it can be changed. */
const ROWS: readonly Row[] = [
  { tool: "write", input: { path: "closed/new.txt", content: "new" }, gives: "no_permission" },
  { tool: "write", input: { path: "closed/x/new.txt", content: "new" }, gives: "no_permission" },
  { tool: "write", input: { path: "closed/file", content: "new" }, gives: "no_permission" },
  { tool: "write", input: { path: "closed/file", content: "new", append: true }, gives: "no_permission" },
  { tool: "edit", input: { path: "closed/file", oldText: "closed", newText: "open" }, gives: "no_permission" },
  { tool: "mkdir", input: { path: "closed/made" }, gives: "no_permission" },
  { tool: "move", input: { source: "closed/file", destination: "moved" }, gives: "no_permission" },
  { tool: "move", input: { source: "open", destination: "closed/moved" }, gives: "no_permission" },
  { tool: "move", input: { source: "open", destination: "closed/file", overwrite: true }, gives: "no_permission" },
  { tool: "copy", input: { source: "open", destination: "closed/copy" }, gives: "no_permission" },
  { tool: "delete", input: { path: "closed/file" }, gives: "no_permission" },
  { tool: "apply_patch", input: { input: PATCH }, gives: "no_permission" },
  { tool: "copy", input: { source: "closed/file", destination: "open", overwrite: true }, gives: "ok" },
  { tool: "undo", input: {}, gives: "ok" },
];

it("a refused change changes nothing, leaves no temporary files, and other calls work", () => {
  const root = layout(["open", "closed/file"]);
  const stateDirectory = join(dirname(root), "state");
  mkdirSync(stateDirectory);
  chmodSync(dirname(root), 0o755);
  chmodSync(join(root, "closed/file"), 0o444);
  chmodSync(join(root, "closed"), 0o555);
  if (isRoot) for (const path of [root, join(root, "open"), stateDirectory]) chownSync(path, NOBODY, NOBODY);
  const before = treeOf(root);
  const result = runAlone(
    "test/privileged/fixtures/serve-as-nobody.ts",
    { roots: [root], stateDirectory, calls: ROWS },
    isRoot ? { uid: NOBODY, gid: NOBODY } : {},
  ) as { readonly uid: number; readonly answers: readonly { readonly code: string; readonly data: unknown }[] };
  expect(result.uid).not.toBe(0);
  expect(JSON.stringify(result.answers)).not.toContain(OWN_NAMES);
  expect(result.answers[0]?.data).toMatchObject({
    error: { message: `Cannot change "${join(root, "closed")}": permission denied` },
  });
  expect(result.answers.map(({ code }, nth) => `${ROWS[nth]?.tool}: ${code}`)).toEqual(
    ROWS.map(({ tool, gives }) => `${tool}: ${gives}`),
  );
  expect(treeOf(root)).toEqual(before);
  expect(unfinishedIn(stateDirectory)).toEqual([]);
});

it("a search reports what it could not open, and finds the rest", () => {
  const root = layout(["open = needle", "barred/file = needle", "shut = needle"]);
  const stateDirectory = join(dirname(root), "state");
  mkdirSync(stateDirectory);
  for (const [path, mode] of [
    [dirname(root), 0o755],
    [join(root, "barred"), 0],
    [join(root, "shut"), 0],
  ] as const)
    chmodSync(path, mode);
  if (isRoot) for (const path of [root, stateDirectory]) chownSync(path, NOBODY, NOBODY);
  const calls = [
    { tool: "grep", input: { pattern: "needle" } },
    { tool: "find", input: { pattern: "*" } },
  ];
  const { answers } = runAlone(
    "test/privileged/fixtures/serve-as-nobody.ts",
    { roots: [root], stateDirectory, calls },
    isRoot ? { uid: NOBODY, gid: NOBODY } : {},
  ) as { readonly answers: readonly { readonly data: unknown }[] };
  chmodSync(join(root, "barred"), 0o755);
  const reason = "some of its files or directories cannot be opened";
  expect(answers.map(({ data }) => data)).toMatchObject([
    { total_matches: 1, files: [{ path: "open" }], not_searched: [{ path: ".", reason }] },
    { total_matches: 3, unreadable: 1 },
  ]);
});
