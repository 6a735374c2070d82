import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitControlFiles, outsideRepository } from "../../../src/exec/sandbox/git-directories.ts";
import { layout } from "../../layout.ts";
import { needs } from "../../programs.ts";
import { gitIn, repositoryWithWorktree } from "./worktree.ts";

/** Looks for the repository of a root alone. */
const outside = (root: string, ...others: readonly string[]) => outsideRepository(root, [root, ...others]);

describe("the repository of a root", () => {
  it("is read where a worktree or a submodule is registered in it", () => {
    const { main, tree, sub } = repositoryWithWorktree();
    expect([outside(tree), outside(sub)]).toEqual([
      { directory: join(main, ".git") },
      { directory: join(main, ".git/modules/sub") },
    ]);
    expect([gitControlFiles(tree), gitControlFiles(main)[0]]).toEqual([[join(tree, ".git")], join(main, ".git/hooks")]);
  });

  it("is none of our business where it is in the roots, or where there is none", () => {
    const { main, tree } = repositoryWithWorktree();
    const top = layout(["strange/.git = hello", "empty/a = a"]);
    const found = [outside(tree, main), outside(main), outside(join(top, "strange")), outside(join(top, "empty"))];
    expect(found).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("stays closed where the user moved it elsewhere, since nothing there names the root", () => {
    const { tree, top } = repositoryWithWorktree();
    gitIn(top, "init", "-q", `--separate-git-dir=${join(top, "elsewhere")}`, "moved");
    writeFileSync(join(tree, ".git"), `gitdir: ${join(top, "elsewhere")}\n`);
    expect([outside(join(top, "moved")), outside(tree)]).toEqual([{ directory: undefined }, { directory: undefined }]);
  });
});

describe("a file .git of a hostile agent", () => {
  const hostile: readonly { name: string; text: (at: (name: string) => string) => string }[] = [
    { name: "names credentials", text: (at) => `gitdir: ${at("home/.ssh")}` },
    { name: "names nothing that is there", text: (at) => `gitdir: ${at("home/no-such-place")}` },
    { name: "names the repository itself", text: (at) => `gitdir: ${at("main/.git")}` },
    { name: "names the registration of another worktree", text: (at) => `gitdir: ${at("main/.git/worktrees/other")}` },
    { name: "names a directory above", text: () => "gitdir: .." },
    { name: "leads through a link of its own", text: () => "gitdir: link" },
    { name: "has a very long name", text: () => `gitdir: ${"a/".repeat(8000)}` },
    { name: "has a NUL", text: (at) => `gitdir: ${at("home/.ssh")}\0` },
  ];

  it.each(hostile)("opens nothing where it $name", ({ text }) => {
    const { tree, at } = repositoryWithWorktree();
    symlinkSync(at("home/.ssh"), join(tree, "link"));
    writeFileSync(join(tree, ".git"), `${text(at)}\n`);
    expect(outside(tree)?.directory).toBeUndefined();
  });

  it("opens nothing by registering itself in its own root", () => {
    const { tree, at } = repositoryWithWorktree();
    mkdirSync(join(tree, "worktrees/x"), { recursive: true });
    writeFileSync(join(tree, "worktrees/x/gitdir"), join(tree, ".git"));
    writeFileSync(join(tree, "worktrees/x/commondir"), at("home/.ssh"));
    writeFileSync(join(tree, ".git"), "gitdir: worktrees/x\n");
    expect(outside(tree)).toBeUndefined();
  });

  it("is not waited for where it is a FIFO, nor followed where it is a link", () => {
    needs("mkfifo");
    const top = layout(["link/a = a"]);
    mkdirSync(join(top, "fifo"));
    execFileSync("mkfifo", [join(top, "fifo/.git")]);
    symlinkSync("a", join(top, "link/.git"));
    expect([outside(join(top, "fifo")), outside(join(top, "link"))]).toEqual([undefined, undefined]);
  });

  it.runIf(process.getuid?.() === 0)("opens no repository of another user", () => {
    const { main, tree } = repositoryWithWorktree();
    chownSync(join(main, ".git"), 1000, 1000);
    expect(outside(tree)).toEqual({ directory: undefined });
  });
});
