import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { adminOf } from "../../src/runtime/admin.ts";
import { createState } from "../../src/storage/local/state/state.ts";
import { scratch, stateBeside, type Tree } from "../runtime/scratch.ts";
import { unfinishedIn } from "../workspace/changes/journals.ts";
import type { Call } from "./cases.ts";
import { callsOf, killedAt } from "./death.ts";
import { callerIn, requireOk, treeOf } from "./home.ts";

/**
 * A change that is killed when all of it but its record is on the disk. Another program goes on before the next
 * call.
 */
interface Row {
  readonly name: string;
  readonly tree: Tree;
  readonly call: Call;
  readonly meanwhile: (at: (name: string) => string) => void;
  /** The tree that must be there after the next call. */
  readonly left: Readonly<Record<string, string>>;
  /** The trash then: the path each file had, and its content. */
  readonly trash?: Readonly<Record<string, string>>;
}

const write = (path: string, content: string, append = false): Call => ({
  tool: "write",
  input: { path, content, append },
});
const move = (source: string, destination: string, overwrite = false): Call => ({
  tool: "move",
  input: { source, destination, overwrite },
});
/** Saves as editors and formatters do. */
const renameOver = (path: string): void => {
  fs.writeFileSync(`${path}.part`, "theirs\n");
  fs.renameSync(`${path}.part`, path);
};

const ROWS: readonly Row[] = [
  {
    name: "the directory is removed",
    tree: { "d/a.txt": "old\n" },
    call: write("d/a.txt", "new\n"),
    meanwhile: (at) => fs.rmSync(at("d"), { recursive: true }),
    left: {},
    trash: { "d/a.txt": "old\n" },
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
    trash: { "d/a.txt": "old\n" },
  },
  {
    name: "the new content is written to",
    tree: { "a.txt": "old\n" },
    call: write("a.txt", "new\n"),
    meanwhile: (at) => fs.appendFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 new\ntheirs\n" },
    trash: { "a.txt": "old\n" },
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
    meanwhile: (at) => renameOver(at("a.txt")),
    left: { "a.txt": "644 theirs\n" },
    trash: { "a.txt": "old\n" },
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
    name: "the file that a move went over is replaced",
    tree: { "a.txt": "moved\n", "b.txt": "old\n" },
    call: move("a.txt", "b.txt", true),
    meanwhile: (at) => renameOver(at("b.txt")),
    left: { "b.txt": "644 theirs\n" },
    trash: { "b.txt": "old\n" },
  },
  {
    name: "the name that a file left to go over another is taken",
    tree: { "a.txt": "moved\n", "b.txt": "old\n" },
    call: move("a.txt", "b.txt", true),
    meanwhile: (at) => fs.writeFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 theirs\n", "b.txt": "644 moved\n" },
    trash: { "b.txt": "old\n" },
  },
  {
    name: "the name of a deleted file is taken",
    tree: { "a.txt": "old\n" },
    call: { tool: "delete", input: { path: "a.txt" } },
    meanwhile: (at) => fs.writeFileSync(at("a.txt"), "theirs\n"),
    left: { "a.txt": "644 theirs\n" },
    trash: { "a.txt": "old\n" },
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
  expect(await trashIn(home)).toEqual(row.trash ?? {});
  requireOk(await callerIn(home)(write("later.txt", "later\n")));
});

/** The journal first records that a change is about to append: nothing has been added yet. */
it("after a crash before an append, what others append is theirs, however short", async () => {
  const [root, model] = [scratch({ "a.txt": "old\n" }), scratch({ "a.txt": "old\n" })];
  const home = { root, state: stateBeside(root), top: join(root, "..") };
  const append = write("a.txt", "a line of ours\n", true);
  // The append itself comes before the number of the change and the commit.
  const [appending] = (await writesIn({ root: model, state: stateBeside(model) }, append)).slice(-3);
  expect(await killedAt(appending as number, "before", home, () => callerIn(home)(append))).toBe(true);
  fs.appendFileSync(join(root, "a.txt"), "x\n");
  requireOk(await callerIn(home)({ tool: "ls", input: {} }));
  expect(treeOf(root)).toEqual({ "a.txt": "644 old\nx\n" });
});

/** Returns what the operator sees in the trash, with the contents from the store. */
async function trashIn({ root, state }: { root: string; state: string }): Promise<Record<string, string>> {
  const { session } = createApp({ roots: [root], stateDirectory: state });
  const store = join(createState(state).directory, ".holdfast-store/trash");
  const lines = await adminOf(session).trash();
  return Object.fromEntries(lines.map(({ path, trash_id }) => [path, fs.readFileSync(join(store, trash_id), "utf8")]));
}

/**
 * Returns the number of the system call that commits the change: the last line of a journal. State files are written
 * whole.
 */
const commitIn = async (home: { root: string; state: string }, call: Call): Promise<number> =>
  (await writesIn(home, call)).at(-1) as number;

/** Returns the numbers of all system calls that write to an open file. */
async function writesIn(home: { root: string; state: string }, call: Call): Promise<readonly number[]> {
  const calls = await callsOf(async () => requireOk(await callerIn(home)(call)));
  return calls.flatMap(({ name }, index) => (name === "writeSync" ? [index + 1] : []));
}
