import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...args], { cwd: root, encoding: "utf8" }).trim();

/** Makes two branches that git can pick from, and a program that leaves a mark. */
function repository(): string {
  needs("git");
  const root = scratch({ a: "1\n", run: "#!/bin/sh\ntouch ran\n" });
  git(root, "init", "-q", "-b", "main");
  git(root, "config", "user.name", "a");
  git(root, "config", "user.email", "a@b.c");
  git(root, "add", "a");
  git(root, "commit", "-qm", "1");
  git(root, "branch", "other");
  writeFileSync(join(root, "a"), "2\n");
  git(root, "commit", "-qam", "2");
  git(root, "checkout", "-q", "other");
  writeFileSync(join(root, "b"), "b\n");
  git(root, "add", "b");
  git(root, "commit", "-qm", "b");
  execFileSync("chmod", ["+x", "run"], { cwd: root });
  // The name of a strategy becomes the path git-merge-../../run.
  mkdirSync(join(root, "git-merge-.."));
  return root;
}

const REBASE = [
  "cd .git/rebase-merge",
  "git rev-parse other > onto",
  "git rev-parse main > orig-head",
  "echo refs/heads/main > head-name",
  "touch interactive done",
].join(" && ");
const FLAGS = "threeway quiet utf8 keep messageid scissors no-rerere-autoupdate sign";

const PLANTED: readonly (readonly [name: string, command: string, later: readonly string[]])[] = [
  [
    "a step of a rebase that is a command",
    `mkdir .git/rebase-merge && ${REBASE} && echo "exec ./run" > git-rebase-todo`,
    ["rebase", "--continue"],
  ],
  [
    "the strategy of a rebase",
    `mkdir .git/rebase-merge && ${REBASE} && echo "pick $(git rev-parse main) x" > git-rebase-todo && ` +
      "echo ../../run > strategy",
    ["rebase", "--continue"],
  ],
  [
    "the strategy of a cherry-pick",
    "mkdir .git/sequencer && cd .git/sequencer && git rev-parse other > head && " +
      'for _ in 1 2; do echo "pick $(git rev-parse main) x"; done > todo && ' +
      'printf "[options]\\n\\tstrategy = ../../run\\n" > opts && git rev-parse other~1 > ../CHERRY_PICK_HEAD',
    ["cherry-pick", "--skip"],
  ],
  [
    "the options of patches that are applied",
    "mkdir .git/rebase-apply && cd .git/rebase-apply && git format-patch -q -1 --full-index --stdout main > 0002 && " +
      `echo 1 > next && echo 2 > last && touch applying 0001 && for each in ${FLAGS}; do echo f > $each; done && ` +
      `echo "'--build-fake-ancestor=ran'" > apply-opt && echo x > final-commit && ` +
      `printf "GIT_AUTHOR_NAME='a'\\nGIT_AUTHOR_EMAIL='a'\\nGIT_AUTHOR_DATE='@0 +0000'\\n" > author-script`,
    ["am", "--skip"],
  ],
];

it.each(PLANTED)("git obeys %s, so that it needs a yes", async (_, command, later) => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = repository();
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  const { data, text } = await call("exec", { command });
  expect([data["applied"], text]).toEqual([false, expect.stringContaining("decides what git runs")]);
  spawnSync("git", later, { cwd: root });
  expect(existsSync(join(root, "ran"))).toBe(false);
  execFileSync("/bin/bash", ["-c", command], { cwd: root });
  spawnSync("git", later, { cwd: root });
  expect(existsSync(join(root, "ran"))).toBe(true);
});

it("a rebase that ends, and the end of one that a person began, need none", async () => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = repository();
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  expect((await call("exec", { command: "git rebase -q main" })).data).toMatchObject({ exit_code: 0, applied: true });
  rmSync(join(root, "run"));
  writeFileSync(join(root, "a"), "3\n");
  git(root, "commit", "-qam", "3");
  git(root, "checkout", "-q", "main");
  writeFileSync(join(root, "a"), "4\n");
  git(root, "commit", "-qam", "4");
  expect(spawnSync("git", ["rebase", "other"], { cwd: root }).status).toBe(1);
  const aborted = await call("exec", { command: "git rebase --abort" });
  expect(aborted.data).toMatchObject({ exit_code: 0, applied: true });
  expect(existsSync(join(root, ".git/rebase-merge"))).toBe(false);
});
