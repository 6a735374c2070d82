import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { scratch } from "../../../runtime/scratch.ts";
import { pictureOf, viewedWorkspace, type ViewedWorkspace } from "./on-view.ts";

const TREE = {
  "a.txt": "one\ntwo\nthree\nfour\nfive\nsix\n",
  "dir/b.txt": "b\n",
  "dir/c.txt": "c\n",
};

/** Says what happens while a command runs, and what is in conflict then. */
interface Row {
  readonly name: string;
  readonly command: string;
  /** Is done by another program. */
  readonly outside?: (root: string) => void;
  /** Is done by a tool. */
  readonly edit?: readonly [tool: string, input: unknown];
  readonly conflicts: readonly (readonly [path: string, reason: string])[];
}

const edit = (old: string, text: string) =>
  ["edit", { path: "a.txt", edits: [{ oldText: old, newText: text }] }] as const;
const outside = (name: string, text: string) => (root: string) => appendFileSync(join(root, name), text);
const CHANGED = "it was changed meanwhile";

const ROWS: readonly Row[] = [
  {
    name: "another program changed the same file",
    command: "echo x >> a.txt; echo y > other.txt",
    outside: outside("a.txt", "seven\n"),
    conflicts: [["a.txt", CHANGED]],
  },
  {
    name: "another program changed what is deleted",
    command: "rm a.txt",
    outside: outside("a.txt", "seven\n"),
    conflicts: [["a.txt", CHANGED]],
  },
  {
    name: "another program changed something in a deleted directory",
    command: "rm -rf dir",
    outside: outside("dir/b.txt", "more\n"),
    conflicts: [["dir", "something in it was changed meanwhile"]],
  },
  {
    name: "something new came into a deleted directory",
    command: "rm -rf dir && mkdir dir && echo n > dir/n",
    outside: outside("dir/d.txt", "new\n"),
    conflicts: [["dir", CHANGED]],
  },
  {
    name: "another program created the same file",
    command: "echo ours > new.txt",
    outside: outside("new.txt", "theirs\n"),
    conflicts: [["new.txt", CHANGED]],
  },
  {
    name: "another program removed what is changed",
    command: "echo x >> a.txt",
    outside: (root) => rmSync(join(root, "a.txt")),
    conflicts: [["a.txt", "it was removed meanwhile"]],
  },
  {
    name: "another program removed the directory of what is changed",
    command: "rm dir/b.txt; echo x >> dir/c.txt",
    outside: (root) => rmSync(join(root, "dir"), { recursive: true }),
    conflicts: [["dir", "it was removed meanwhile"]],
  },
  {
    name: "a tool deleted what is changed",
    command: "sed -i s/two/2/ a.txt",
    edit: ["delete", { path: "a.txt" }],
    conflicts: [["a.txt", "it was removed meanwhile"]],
  },
  {
    name: "a tool changed the same line",
    command: "sed -i s/two/2/ a.txt",
    edit: edit("two", "TWO"),
    conflicts: [["a.txt", "the same lines were changed meanwhile: line 2"]],
  },
  { name: "a tool changed other lines", command: "sed -i s/two/2/ a.txt", edit: edit("five", "5"), conflicts: [] },
  { name: "a tool made the same change", command: "sed -i s/two/2/ a.txt", edit: edit("two", "2"), conflicts: [] },
  { name: "both deleted it", command: "rm a.txt", outside: (root) => rmSync(join(root, "a.txt")), conflicts: [] },
  {
    name: "others changed other files",
    command: "echo x >> a.txt; mkdir new; echo y > new/y; mv dir/c.txt c.txt",
    outside: (root) => {
      outside("dir/b.txt", "more\n")(root);
      mkdirSync(join(root, "else"));
    },
    conflicts: [],
  },
];

async function meanwhile({ call, run, root }: ViewedWorkspace, { command, edit: asked, outside: act }: Row) {
  const view = run(command);
  // The clock of the kernel ticks every few milliseconds.
  await setTimeout(20);
  act?.(root);
  const answer = asked && (await call(...asked));
  if (answer?.isError) throw new Error(answer.text);
  return view;
}

it.each(ROWS)("names every conflict, and applies nothing then: $name", async (row) => {
  const root = scratch(TREE);
  const workspace = viewedWorkspace(root);
  const view = await meanwhile(workspace, row);
  const plan = await workspace.plan(view);
  expect(plan.conflicts).toEqual(row.conflicts.map(([path, reason]) => ({ path: join(root, path), reason })));
});

it("merges what a tool changed in other lines, and takes the merge back", async () => {
  const root = scratch(TREE);
  const workspace = viewedWorkspace(root);
  const view = workspace.run("sed -i s/two/2/ a.txt && chmod 600 a.txt");
  await workspace.call(...edit("five", "5"));
  const plan = await workspace.plan(view);
  await workspace.commit(plan);
  expect(pictureOf(root)["a.txt"]).toBe("600 one\n2\nthree\nfour\n5\nsix\n");
  expect(plan.list).toMatchObject([{ path: join(root, "a.txt"), action: "merged", lines: { added: 1, removed: 1 } }]);
  expect(await workspace.call("undo")).toMatchObject({ code: "ok" });
  expect(pictureOf(root)["a.txt"]).toBe("644 one\ntwo\nthree\nfour\n5\nsix\n");
});

it("lets people choose a side", async () => {
  const root = scratch(TREE);
  const workspace = viewedWorkspace(root);
  const view = await meanwhile(workspace, {
    name: "",
    command: "echo x > a.txt; rm dir/b.txt; echo new > new",
    outside: (top) => {
      writeFileSync(join(top, "a.txt"), "theirs\n");
      writeFileSync(join(top, "dir/b.txt"), "theirs\n");
    },
    conflicts: [],
  });
  const ours = await workspace.plan(view, "ours");
  expect(ours.changes).toMatchObject([{ kind: "adopt", path: join(root, "new") }]);
  await workspace.commit(await workspace.plan(view, "theirs"));
  expect(pictureOf(root)).toMatchObject({ "a.txt": "644 x\n", new: "644 new\n" });
  expect(pictureOf(root)).not.toHaveProperty("dir/b.txt");
});

it("refuses a plan that no longer fits, and plans again", async () => {
  const root = scratch(TREE);
  const workspace = viewedWorkspace(root);
  const view = workspace.run("echo x > a.txt; echo new > new.txt");
  const plan = await workspace.plan(view);
  writeFileSync(join(root, "a.txt"), "late\n");
  await expect(workspace.commit(plan)).rejects.toMatchObject({ code: "stale" });
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("late\n");
  expect(pictureOf(root)).not.toHaveProperty("new.txt");
  await workspace.commit(await workspace.plan(view, "theirs"));
  expect(pictureOf(root)).toMatchObject({ "a.txt": "644 x\n", "new.txt": "644 new\n" });
});

it("lets commands that change other files land, whichever ends first", async () => {
  const root = scratch(TREE);
  const workspace = viewedWorkspace(root);
  const [one, two] = [workspace.run("echo 1 > one; echo 1 >> dir/b.txt"), workspace.run("echo 2 > two; rm dir/c.txt")];
  const three = workspace.run("echo 3 >> dir/b.txt");
  for (const view of [two, one]) await workspace.commit(await workspace.plan(view));
  expect(pictureOf(root)).toMatchObject({ one: "644 1\n", two: "644 2\n", "dir/b.txt": "644 b\n1\n" });
  expect((await workspace.plan(three)).conflicts).toMatchObject([{ path: join(root, "dir/b.txt") }]);
});
