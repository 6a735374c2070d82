import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratch, stateBeside, type Tree } from "../runtime/scratch.ts";
import { unfinishedIn } from "../workspace/journals.ts";
import type { Call } from "./cases.ts";
import { callsOf, killedAt } from "./death.ts";
import { callerIn, requireOk, treeOf } from "./home.ts";

/** A change is cut off when all of it but its record is there. Somebody goes on working before the next call is made. */
interface Row {
  readonly name: string;
  readonly tree: Tree;
  readonly call: Call;
  readonly meanwhile: (at: (name: string) => string) => void;
  /** What has to be there once the next call was made. */
  readonly left: Readonly<Record<string, string>>;
}

const write = (path: string, content: string, append = false): Call => ({
  tool: "write",
  input: { path, content, append },
});
const move = (source: string, destination: string): Call => ({ tool: "move", input: { source, destination } });

const ROWS: readonly Row[] = [
  {
    name: "the directory is removed",
    tree: { "d/a.txt": "old\n" },
    call: write("d/a.txt", "new\n"),
    meanwhile: (at) => fs.rmSync(at("d"), { recursive: true }),
    left: {},
  },
  {
    name: "the directory becomes a link",
    tree: { "d/a.txt": "old\n" },
    call: write("d/a.txt", "new\n"),
    meanwhile(at) {
      fs.renameSync(at("d"), at("e"));
      fs.symlinkSync("e", at("d"));
    },
    left: { d: "-> e", "e/": "755", "e/a.txt": "644 new\n" },
  },
  {
    name: "the new content is written to",
    tree: { "a.txt": "old\n" },
    call: write("a.txt", "new\n"),
    meanwhile: (at) => fs.appendFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 new\ntheirs\n" },
  },
  {
    name: "the new file is written to",
    tree: {},
    call: write("a.txt", "new\n"),
    meanwhile: (at) => fs.writeFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 theirs\n" },
  },
  {
    name: "the new content is replaced",
    tree: { "a.txt": "old\n" },
    call: write("a.txt", "new\n"),
    meanwhile(at) {
      fs.writeFileSync(at("b.txt"), "theirs\n");
      fs.renameSync(at("b.txt"), at("a.txt"));
    },
    left: { "a.txt": "644 theirs\n" },
  },
  {
    name: "the new file is removed, and made again under the same number",
    tree: {},
    call: write("a.txt", "new\n"),
    meanwhile(at) {
      fs.rmSync(at("a.txt"));
      fs.writeFileSync(at("a.txt"), "theirs\n");
    },
    left: { "a.txt": "644 theirs\n" },
  },
  {
    name: "more is appended",
    tree: { "a.txt": "old\n" },
    call: write("a.txt", "ours\n", true),
    meanwhile: (at) => fs.appendFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 old\nours\ntheirs\n" },
  },
  {
    name: "the permissions are set",
    tree: { "a.txt": "old\n" },
    call: {
      tool: "apply_patch",
      input: { input: "diff --git a/a.txt b/a.txt\nold mode 100644\nnew mode 100755\n" },
    },
    meanwhile: (at) => fs.chmodSync(at("a.txt"), 0o600),
    left: { "a.txt": "600 old\n" },
  },
  {
    name: "the name that a file left is taken",
    tree: { "a.txt": "old\n" },
    call: move("a.txt", "b.txt"),
    meanwhile: (at) => fs.writeFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 theirs\n", "b.txt": "644 old\n" },
  },
  {
    name: "the name that a directory left is taken",
    tree: { "d/a.txt": "old\n" },
    call: move("d", "e"),
    meanwhile(at) {
      fs.mkdirSync(at("d"));
      fs.writeFileSync(at("d/b.txt"), "theirs\n");
    },
    left: { "d/": "755", "d/b.txt": "644 theirs\n", "e/": "755", "e/a.txt": "644 old\n" },
  },
  {
    name: "a file is put into the new directory",
    tree: {},
    call: write("d/a.txt", "new\n"),
    meanwhile: (at) => fs.writeFileSync(at("d/b.txt"), "theirs\n"),
    left: { "d/": "755", "d/b.txt": "644 theirs\n" },
  },
];

it.each(ROWS)("after a crash, $name: nothing of theirs is lost, and work goes on", async (row) => {
  const [root, model] = [scratch(row.tree), scratch(row.tree)];
  const home = { root, state: stateBeside(root), top: join(root, "..") };
  const commit = await commitIn({ root: model, state: stateBeside(model) }, row.call);
  expect(await killedAt(commit, "before", home, () => callerIn(home)(row.call))).toBe(true);
  row.meanwhile((name) => join(root, name));
  requireOk(await callerIn(home)({ tool: "ls", input: {} }));
  expect(treeOf(root)).toEqual(row.left);
  expect(unfinishedIn(home.state)).toEqual([]);
  requireOk(await callerIn(home)(write("later.txt", "later\n")));
});

/** Which call to the system is the one that makes the change count. */
async function commitIn(home: { root: string; state: string }, call: Call): Promise<number> {
  const calls = await callsOf(async () => requireOk(await callerIn(home)(call)));
  return calls.findLastIndex(({ name }) => name.startsWith("write")) + 1;
}
