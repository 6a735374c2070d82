import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { layout } from "../../layout.ts";
import { needs } from "../../programs.ts";

/** Runs git as nobody in particular, without the settings of this machine. */
export const gitIn = (directory: string, ...words: readonly string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "protocol.file.allow=always", ...words], {
    cwd: directory,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: directory, GIT_CONFIG_NOSYSTEM: "1" },
  });

/** Makes a repository with a submodule, a worktree beside it and another one, and a home with a key. */
export function repositoryWithWorktree() {
  needs("git");
  const top = layout(["home/.ssh/HEAD = SECRET", "library/a = a", "main/file = one"]);
  const at = (name: string): string => join(top, name);
  for (const name of ["library", "main"]) {
    gitIn(at(name), "init", "-q", "-b", "main");
    gitIn(at(name), "add", ".");
    gitIn(at(name), "commit", "-q", "-m", "first");
  }
  gitIn(at("main"), "submodule", "--quiet", "add", at("library"), "sub");
  gitIn(at("main"), "commit", "-q", "-m", "with a submodule");
  gitIn(at("main"), "worktree", "add", "-q", "../tree");
  gitIn(at("main"), "worktree", "add", "-q", "../other");
  return { top, at, main: at("main"), tree: at("tree"), sub: at("main/sub") };
}
