import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { gitIn, repositoryWithWorktree } from "./worktree.ts";
import { callerOn } from "../../runtime/scratch.ts";

const SANDBOXES = ["bubblewrap", "unshare"] as const;

function commandsIn(root: string, kind: (typeof SANDBOXES)[number]) {
  needs("bwrap", "unshare");
  return callerOn(root, { exec: { security: "full", sandbox: { kind } } });
}

describe.each(SANDBOXES)("git in a root whose repository is outside, in %s", (kind) => {
  it.each(["tree", "sub"] as const)("reads the repository: %s", async (which) => {
    const made = repositoryWithWorktree();
    appendFileSync(join(made[which], which === "tree" ? "file" : "a"), "\ntwo");
    const call = commandsIn(made[which], kind);
    const { data } = await call("exec", {
      command: "git status --short && git log --format=%s | tail -1 && git diff | tail -1",
    });
    expect(data).toMatchObject({
      exit_code: 0,
      output: expect.stringMatching(/^ M \w+\nfirst\n\\ No newline at end of file\n$/),
    });
  });

  it.each([{ undo: true }, { undo: false }])("cannot write to it, and says why: %o", async (options) => {
    const { main, tree } = repositoryWithWorktree();
    appendFileSync(join(tree, "file"), "two");
    const command = `git commit -qam two; echo evil > ${main}/.git/hooks/pre-commit; git add file`;
    const { data, text } = await commandsIn(tree, kind)("exec", { command, ...options });
    expect(data).toMatchObject({ exit_code: 128, output: expect.stringContaining("Read-only file system") });
    expect(text).toMatch(/git can only read here: .* make the directory of the repository a root/);
    expect([gitIn(tree, "log", "--format=%s", "-1"), existsSync(join(main, ".git/hooks/pre-commit"))]).toEqual([
      "with a submodule\n",
      false,
    ]);
  });

  it("cannot choose another repository for the user by a live command", async () => {
    const { tree } = repositoryWithWorktree();
    const before = readFileSync(join(tree, ".git"), "utf8");
    const text = 'mkdir evil; echo "gitdir: evil" > .git; rm -f .git; mv .git old; mkdir -p .git/hooks';
    const { data } = await commandsIn(tree, kind)("exec", { command: `eval '${text}'`, undo: false });
    expect([data["undo"], existsSync(join(tree, "evil"))]).toEqual(["none", true]);
    expect(readFileSync(join(tree, ".git"), "utf8")).toBe(before);
  });

  it("shows nothing that a forged file .git names, and says so", async () => {
    const { tree, at } = repositoryWithWorktree();
    rmSync(join(tree, ".git"));
    writeFileSync(join(tree, ".git"), `gitdir: ${at("home/.ssh")}\n`);
    const call = commandsIn(tree, kind);
    const { data, text } = await call("exec", { command: `cat ${at("home/.ssh/HEAD")}; git status` });
    expect(data["output"]).not.toContain("SECRET");
    expect(text).toMatch(/git does not work here/);
  });
});
