import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

it.each([
  ["a repository in a new directory", "git init -q new", "new"],
  ["one that is deep in it", "mkdir -p new/a && git init -q --bare new/a/.git", "new"],
  ["a link that is called so", "mkdir new && ln -s ../old new/.git", "new"],
  ["a copy of a repository", "cp -r repository new", "new"],
  ["a hook that its text names", "echo evil > repository/.git/hooks", "repository/.git/hooks"],
  ["the hooks of a new submodule", "eval 'mkdir -p repository/.git/modules/m/hooks'", "repository/.git/modules"],
  [
    "its settings",
    "eval 'mkdir -p repository/.git/modules/m; touch repository/.git/modules/m/config'",
    "repository/.git/modules",
  ],
])("%s needs a yes before it is applied", async (_, command, made) => {
  needs("bwrap", "unshare", "mount", "setpriv", "git");
  const root = scratch({ "repository/.git/HEAD": "ref: refs/heads/main\n", "repository/.git/config": "", a: "" });
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  const { data, text } = await call("exec", { command: `${command}; echo 1 > a` });
  expect([data["applied"], text]).toEqual([false, expect.stringContaining("decides what git runs")]);
  expect(existsSync(join(root, made))).toBe(false);
});

it.each([
  ["its text names them", "rm .git/index.lock; echo new > .git/description"],
  ["nobody can tell from its text", "eval 'rm .git/index.lock; echo new > .git/description'"],
])("a command changes files of git like others, where %s", async (_, command) => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch({ ".git/HEAD": "ref: refs/heads/main\n", ".git/index.lock": "", ".git/description": "old\n" });
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  expect((await call("exec", { command })).data).toMatchObject({ exit_code: 0, applied: true });
  expect(contentsOf(root)).toEqual(["HEAD", "description: new"]);
  await call("undo");
  expect(contentsOf(root)).toEqual(["HEAD", "description: old", "index.lock"]);
});

it.each([
  ["a command", "exec", { command: "rm -rf * .git" }],
  ["the tool for it", "delete", { path: ".git", recursive: true }],
])("undo brings back a repository that %s deleted, without a question like the deletion", async (_, tool, input) => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch({ ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n", a: "" });
  const call = callerOn(root, { exec: { security: "full" }, approvalWaitMs: 0 });
  await call(tool, input);
  expect(existsSync(join(root, ".git"))).toBe(false);
  expect((await call("undo")).text).not.toContain("approval");
  expect(existsSync(join(root, ".git/config"))).toBe(true);
});

function contentsOf(root: string): readonly string[] {
  const description = readFileSync(join(root, ".git/description"), "utf8").trim();
  return readdirSync(join(root, ".git")).map((name) => (name === "description" ? `${name}: ${description}` : name));
}
