import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { kernel } from "../../../../src/storage/local/jail/kernel.ts";
import { isGitControl } from "../../../../src/workspace/changes/git-control.ts";
import { needs } from "../../../programs.ts";
import { memoryLayout } from "../../../layout.ts";
import { scratch, stateBeside } from "../../../runtime/scratch.ts";
import { workspaceOn } from "../../storages.ts";
import { pictureOf, viewedWorkspace } from "./on-view.ts";
import { runOn } from "./run-on-view.ts";

const TREE = { "a.txt": "one\n", "b.txt": "same text\n", "src/main.ts": "main\n", "src/old/x.ts": "x\n" };

it("lists what a command did, whole directories as one, with sizes and diffs", async () => {
  const root = scratch({ ...TREE, ".git/config": "[core]\n" });
  const { run, plan } = viewedWorkspace(root);
  const view = run(
    "echo two >> a.txt; mv b.txt src/moved.txt; rm -rf src/old; mkdir -p lib/in; echo 12345 > lib/1; echo 1 > lib/in/2;" +
      "chmod 755 src/main.ts; ln -s a.txt link; mkdir sub && git init -q sub; echo x >> .git/config; echo 1 > .git/index",
  );
  const { list, conflicts, refusedCount } = await plan(view);
  const lines = list.map(({ path, isGitControl: isControl, diff, ...rest }) => ({
    path: path.slice(root.length + 1),
    ...(isControl && { isControl }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
    ...(diff !== undefined && { diff: diff.split("\n").filter((line) => /^[+-](?![+-])/.test(line)) }),
  }));
  expect({ conflicts, refusedCount }).toEqual({ conflicts: [], refusedCount: 0 });
  expect(lines).toEqual([
    {
      path: ".git/config",
      isControl: true,
      action: "changed",
      kind: "file",
      bytes: 9,
      lines: { added: 1, removed: 0 },
      diff: ["+x"],
    },
    { path: ".git/index", action: "created", kind: "file", bytes: 2, lines: { added: 1, removed: 0 } },
    { path: "a.txt", action: "changed", kind: "file", bytes: 8, lines: { added: 1, removed: 0 }, diff: ["+two"] },
    { path: "b.txt", action: "deleted", kind: "file", bytes: 10 },
    { path: "lib", action: "created", kind: "directory", bytes: 8, files: 2 },
    { path: "link", action: "created", kind: "symlink", bytes: 5 },
    { path: "src/main.ts", action: "permissions", kind: "file", bytes: 5, mode: 0o755 },
    {
      path: "src/moved.txt",
      action: "created",
      kind: "file",
      bytes: 10,
      from: join(root, "b.txt"),
      lines: { added: 1, removed: 0 },
    },
    { path: "src/old", action: "deleted", kind: "directory", bytes: 2, files: 1 },
    {
      path: "sub",
      isControl: true,
      action: "created",
      kind: "directory",
      bytes: expect.any(Number),
      files: expect.any(Number),
    },
  ]);
});

it("does not apply what is no file, link or directory, belongs to others, or has set-id bits", async () => {
  const root = scratch(TREE);
  const { run, plan, commit } = viewedWorkspace(root);
  const isRoot = process.getuid?.() === 0;
  const view = run(
    "mkfifo pipe; mkdir new; mkfifo new/pipe; echo 1 > new/1; echo s > set; chmod 4755 set; echo s > new/set; chmod 6711 new/set;" +
      "echo x > .holdfast-x; printf x > \"$(printf 'bad\\377')\"" +
      (isRoot ? "; echo o > owned; chown 12345 owned; echo o > new/owned; chown 12345 new/owned" : ""),
  );
  const planned = await plan(view);
  const special = "it is a FIFO, socket or device";
  expect(planned.refused.map(({ path, reason }) => [path.slice(root.length + 1), reason])).toEqual([
    [".holdfast-x", "its name is reserved"],
    ["bad\uFFFD", "its name is not valid UTF-8"],
    ...(isRoot ? [["new/owned", "it belongs to another user"]] : []),
    ["new/pipe", special],
    ["new/set", "its set-id bits were dropped"],
    ...(isRoot ? [["owned", "it belongs to another user"]] : []),
    ["pipe", special],
    ["set", "its set-id bits were dropped"],
  ]);
  await commit(planned);
  expect(pictureOf(join(root, "new"))).toEqual({ "1": "644 1\n", set: "711 s\n" });
  expect(pictureOf(root)).toMatchObject({ set: "755 s\n" });
  expect(readdirSync(root).toSorted()).toEqual(["a.txt", "b.txt", "new", "set", "src"]);
});

/** Lists the marks of an overlay below a directory. */
const marksBelow = (root: string): readonly string[] =>
  ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })].flatMap((name) =>
    (kernel()?.attributes(Buffer.from(join(root, name))) ?? ["no koffi"]).filter(
      (each) => !each.startsWith("security"),
    ),
  );

it.each(process.getuid?.() === 0 ? ["userxattr,volatile", "volatile", "redirect_dir=off"] : ["userxattr,volatile"])(
  "leaves no mark of the overlay in the workspace: %s",
  async (options) => {
    const root = scratch(TREE);
    const { views, plan, commit } = viewedWorkspace(root);
    const view = views.create([root as never]);
    runOn(
      view,
      "echo x >> a.txt; chmod 444 a.txt; mkdir new; mv b.txt new; rm -rf src; mkdir src; echo 1 > src/1",
      options,
    );
    await commit(await plan(view));
    expect(pictureOf(root)).toMatchObject({ "a.txt": "444 one\nx\n", "src/1": "644 1\n" });
    expect(pictureOf(root)).not.toHaveProperty("src/main.ts");
    expect(marksBelow(root)).toEqual([]);
  },
);

function cutShort(): never {
  throw new Error("cut short");
}

it("removes the marks of copies that were moved or linked into new directories, also when it is cut short", async () => {
  const root = scratch(TREE);
  const { run, views, plan, commit } = viewedWorkspace(root);
  const view = run("mkdir -p new/deep/in new/plain; mv a.txt new/deep/in; ln b.txt new/deep; echo 1 > new/plain/1");
  for (let steps = 1; steps < 4; steps++) {
    let left = steps;
    await expect(views.harvest(view.id, () => (left-- > 0 ? undefined : cutShort()))).rejects.toThrow("cut short");
  }
  await commit(await plan(view));
  expect(pictureOf(join(root, "new"))).toMatchObject({ "deep/in/a.txt": "644 one\n", "deep/b.txt": "644 same text\n" });
  expect(marksBelow(root)).toEqual([]);
});

const set = (name: string, value: string, place: string): string =>
  `setfattr -n user.overlay.${name} -v ${value} ${place} || :`;

/** The overlay takes such marks of a command for those of another overlay inside it, or refuses them. */
it("gives a command nothing that sets marks itself: the next one sees all that is there", async () => {
  needs("setfattr");
  const root = scratch(TREE);
  const { run, plan, commit } = viewedWorkspace(root);
  const first = run(
    [
      "mkdir -p new/in; echo 1 > new/1; echo 2 > new/in/2; echo 3 > new/in/3",
      ...["new/1", "new/in/2"].flatMap((file) => [
        set("whiteout", "y", file),
        set("metacopy", "", file),
        set("redirect", "/etc/hostname", file),
      ]),
      ...["new", "new/in"].flatMap((place) => [set("opaque", "x", place), set("redirect", "/etc", place)]),
      "setfattr -x user.overlay.impure new || :",
    ].join("\n"),
  );
  await commit(await plan(first));
  // The clock of the disk moves in steps: what changed in the step in which a view begins counts as changed meanwhile.
  await delay(20);
  const second = run("cp -r new seen; rm -rf new/in; mkdir new/in; echo 4 > new/in/4");
  await commit(await plan(second));
  expect(pictureOf(join(root, "seen"))).toEqual({
    "1": "644 1\n",
    "in/": "755",
    "in/2": "644 2\n",
    "in/3": "644 3\n",
  });
  expect(pictureOf(join(root, "new"))).toEqual({ "1": "644 1\n", "in/": "755", "in/4": "644 4\n" });
  const effective = marksBelow(root).filter((mark) => !mark.startsWith("user.overlay.overlay."));
  expect(effective).toEqual([]);
});

it.each([
  { name: "each name once", command: "mkdir -p new/a/b; echo 1 > new/a/1; echo 1 > new/a/b/1", names: ["a", "1", "b"] },
  { name: "none that is dropped", command: "mkdir new; mkfifo new/pipe; echo 1 > new/1", names: ["1"] },
  {
    name: "nothing, where one is not UTF-8",
    command: 'mkdir new; echo 1 > "$(printf "new/bad\\377")"',
    names: undefined,
  },
])("lists the names in a new directory: $name", async ({ command, names }) => {
  const { run, views } = viewedWorkspace(scratch(TREE));
  const { layers } = await views.harvest(run(command).id, () => {});
  expect(layers[0]?.entries[0]?.left?.names?.toSorted()).toEqual(names?.toSorted());
});

it("keeps the list of what a command left, whatever happens to the view", async () => {
  const root = scratch(TREE);
  const { run, views, plan } = viewedWorkspace(root);
  const view = run("echo x >> a.txt");
  const harvest = await views.harvest(view.id, () => {});
  writeFileSync(join(view.layers[0]?.upper ?? "", "later"), "");
  expect(await views.harvest(view.id, () => {})).toEqual(harvest);
  expect(views.open(view.id)).toEqual(view);
  await views.discard(view.id);
  expect(views.open(view.id)).toBeNull();
  await expect(plan(view)).rejects.toMatchObject({ code: "not_found" });
});

it("erases views of exited processes, and kept ones after a day", async () => {
  const root = scratch(TREE);
  const { run, views } = viewedWorkspace(root);
  const [running = "", kept = "", left = ""] = ["1", "2", "3"].map((name) => run(`echo ${name} > new; rm -rf src`).id);
  views.keep(kept);
  const note = join(stateBeside(root), "views", left);
  writeFileSync(note, readFileSync(note, "utf8").replace(/"owner":"[^"]*"/, '"owner":"00000000.1.1.1"'));
  const now = Date.now();
  await views.expire(now);
  expect([running, kept, left].map((id) => views.open(id) !== null)).toEqual([true, true, false]);
  await views.expire(now + 25 * 3_600_000);
  expect([running, kept].map((id) => views.open(id) !== null)).toEqual([true, false]);
  expect(readdirSync(join(stateBeside(root), ".holdfast-store/views"))).toEqual([`${running}-0`]);
});

it("shows the root to the command with its own permissions", () => {
  const root = scratch(TREE);
  const { views } = viewedWorkspace(root);
  const [layer] = views.create([root as never]).layers;
  expect(lstatSync(layer?.upper ?? "").mode & 0o7777).toBe(0o755);
  expect(existsSync(layer?.work ?? "")).toBe(true);
});

it("has no views where a storage has no directories of this machine", () => {
  expect(workspaceOn(memoryLayout([])).writing?.views).toBeUndefined();
});

it.each([
  [".git/hooks/pre-commit", true],
  [".git/hooks", true],
  [".git/config", true],
  [".git/config.worktree", true],
  [".git/info/attributes", true],
  [".git/info/exclude", false],
  [".git/modules/lib/config", true],
  [".git/modules/deep/lib/hooks/update", true],
  [".git/modules/lib/index", false],
  [".git/modules/lib/info/attributes", true],
  [".git/modules/lib/rebase-merge/git-rebase-todo", true],
  [".git/commondir", true],
  [".git/rebase-merge/git-rebase-todo", true],
  [".git/rebase-merge/strategy", true],
  [".git/rebase-apply/apply-opt", true],
  [".git/sequencer/opts", true],
  [".git/remotes/origin", true],
  [".git/branches/origin", true],
  [".git/objects/info/alternates", true],
  [".git/objects/info/packs", false],
  [".git/worktrees/tree/gitdir", true],
  [".git/worktrees/tree/sequencer/todo", true],
  [".git/MERGE_HEAD", false],
  [".git/logs/HEAD", false],
  [".git/worktrees/tree/commondir", true],
  [".git/worktrees/tree/index", false],
  [".git/index", false],
  [".git/refs/heads/main", false],
  ["sub/.git/hooks/x", true],
  [".GIT/config", true],
  [".gitignore", false],
  ["config", false],
])("knows the places that decide what git runs: %s", (path, isControl) => {
  expect(isGitControl(`/project/${path}`)).toBe(isControl);
});

it.each([
  [".git", true],
  [".git/modules/lib", true],
  [".git/info", true],
  [".git/objects/info", true],
  [".git/rebase-merge", true],
  [".git/objects/ab", false],
  ["src", false],
])("takes a whole directory for one of them where it may hold one: %s", (path, isControl) => {
  expect(isGitControl(`/project/${path}`, true)).toBe(isControl);
});

it("leaves out what is too deep to be looked at", async () => {
  const root = scratch({});
  const { run, plan } = viewedWorkspace(root);
  const view = run("for i in $(seq 520); do mkdir d; cd d; done; echo x > program; chmod 4755 program; mkfifo pipe");
  const { list, refused } = await plan(view);
  expect(list).toMatchObject([{ path: join(root, "d"), files: 0 }]);
  expect(refused).toEqual([{ path: expect.stringMatching(/(?:\/d){502}$/), reason: "its directories are too deep" }]);
});
