import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Options } from "../../src/app/options.ts";
import { needs } from "../programs.ts";
import { type Caller, callerOn, scratch } from "../runtime/scratch.ts";
import { pictureOf } from "../workspace/changes/views/on-view.ts";

const approver: Options["approver"] = async () => ({ decision: "once" });

const IDENTITY = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"];

interface Repository {
  readonly root: string;
  readonly call: Caller;
  git(...words: readonly string[]): string;
  read(name: string): string;
}

/** A repository with changed, staged, untracked and ignored files. */
function repository(kind: "none" | "bubblewrap"): Repository {
  needs("git", ...(kind === "none" ? [] : (["bwrap", "unshare", "mount", "setpriv"] as const)));
  const root = scratch({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "ignored\n" });
  const git = (...words: readonly string[]): string =>
    execFileSync("git", [...IDENTITY, ...words], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "one");
  writeFileSync(join(root, "a.txt"), "changed\n");
  writeFileSync(join(root, "staged.txt"), "staged\n");
  git("add", "staged.txt");
  writeFileSync(join(root, "untracked.txt"), "untracked\n");
  writeFileSync(join(root, "ignored"), "ignored\n");
  const exec = { security: "full", sandbox: { kind } } as const;
  const call = callerOn(root, { exec, loopDetection: false, approver });
  return { root, call, git, read: (name) => readFileSync(join(root, name), "utf8") };
}

it.each([
  ["of a dry run", { command: "git reset --hard", dry_run: true }],
  ["of a command that failed", { command: "git reset --hard nowhere" }],
  ["of a branch, in a dry run", { command: "git branch -D main", dry_run: true }],
])("no note says that something was lost and kept %s", async (_, input) => {
  const { call } = repository("bubblewrap");
  expect((await call("exec", input)).text).not.toMatch(/brings it back/);
});

describe.each(["none", "bubblewrap"] as const)("destructive git, sandbox %s", (kind) => {
  it.each([
    "git reset --hard",
    "git reset -q --hard HEAD",
    "git checkout -- .",
    "git checkout -f",
    "git restore a.txt",
    "git restore --staged --worktree .",
    "git clean -fdx",
    "git stash -u && git stash drop && git clean -fd",
    "git -C . clean -fd",
  ])("%s: what was not committed comes back", async (command) => {
    const { root, call } = repository(kind);
    const before = pictureOf(root);
    const { data, text } = await call("exec", { command });
    expect(data).toMatchObject({ exit_code: 0, change_id: expect.any(String) });
    expect(text).toMatch(/what was not committed is kept; undo brings it back|git stash apply/);
    expect(pictureOf(root)).not.toEqual(before);
    expect((await call("undo", { change_id: data["change_id"] })).isError).toBe(false);
    expect(pictureOf(root)).toEqual(before);
  });

  it("a dropped stash is named", async () => {
    const { call, git, read } = repository(kind);
    git("stash");
    const { text } = await call("exec", { command: "git stash drop" });
    const [, command] = /(git stash apply [\da-f]{40}) brings it back/.exec(text) ?? [];
    git(...(command ?? "").split(" ").slice(1));
    expect(read("a.txt")).toBe("changed\n");
  });

  it("a deleted branch is named", async () => {
    const { call, git } = repository(kind);
    git("branch", "topic");
    const tip = git("rev-parse", "topic");
    const { text } = await call("exec", { command: "git branch -D topic" });
    const [, command] = /(git branch -f topic [\da-f]{40}) brings it back/.exec(text) ?? [];
    git(...(command ?? "").split(" ").slice(1));
    expect(git("rev-parse", "topic")).toBe(tip);
  });
});

it.each(["git push --force", "git push -f origin main", "git push origin +main", "git push --force origin HEAD:main"])(
  "%s: the old tip of the remote is told, and comes back",
  async (command) => {
    const { root, call, git } = repository("none");
    const remote = join(dirname(root), "remote.git");
    git("init", "-q", "--bare", remote);
    git("remote", "add", "origin", remote);
    git("push", "-q", "-u", "origin", "main");
    const tip = git("rev-parse", "HEAD");
    git("commit", "-q", "--amend", "-m", "other");
    const { data, text } = await call("exec", { command });
    expect([data["exit_code"], git("ls-remote", "origin", "main").startsWith(tip.trim())]).toEqual([0, false]);
    const [, way] = /(git push --force origin [\da-f]{40}:refs\/heads\/main) brings it back/.exec(text) ?? [];
    git(...(way ?? "").split(" ").slice(1));
    expect(git("ls-remote", "origin", "main").startsWith(tip.trim())).toBe(true);
  },
);

it("a push by force from a view tells the old tip as well", async () => {
  const { call, git } = repository("bubblewrap");
  git("init", "-q", "--bare", "remote.git");
  git("remote", "add", "origin", "./remote.git");
  git("push", "-q", "-u", "origin", "main");
  const tip = git("rev-parse", "HEAD").trim();
  git("commit", "-q", "--amend", "-m", "other");
  const { data, text } = await call("exec", { command: "git push --force origin main" });
  expect([data["undo"], text]).toEqual(["overlay", expect.stringContaining(`origin/main was at ${tip}`)]);
});
