import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { createPrograms } from "../../../src/exec/sandbox/programs.ts";
import { judge } from "../../../src/exec/shell/judge.ts";
import type { Judgement } from "../../../src/exec/shell/judgement.ts";
import { layout } from "../../layout.ts";
import { needs } from "../../programs.ts";
import { HARMLESS } from "./harmless.cases.ts";

const PATH = "/usr/local/bin:/usr/bin:/bin";

/** Leaves out what differs from run to run, writes or measures, and `git config --list`, which lists our settings. */
const LEFT_OUT =
  /\b(?:date|ps|pgrep|free|uptime|time|sleep|env|df|du|stat|tee|touch|mkdir|cp|mv|npm)\b|>|^git config --list/;

describe("the script of a known command", () => {
  it("prints what the text prints, in a real repository", () => {
    needs("git");
    const root = repository();
    const programs = createPrograms({ path: PATH, writable: [] });
    const differing = HARMLESS.filter((text) => !LEFT_OUT.test(text)).filter((command) => {
      const judgement = judge(command, { programs, home: root, safeBins: [] });
      if (judgement.kind === "unknown") return false;
      return JSON.stringify(run(root, judgement.script)) !== JSON.stringify(run(root, command));
    });
    expect(differing).toEqual([]);
  });

  it("does not run what a directory that looks like a repository says", () => {
    needs("git");
    const root = repository();
    run(
      root,
      `mkdir bare bare/objects bare/refs; echo 'ref: refs/heads/main' > bare/HEAD
      printf '[core]\\nrepositoryformatversion = 0\\nworktree = ..\\nfsmonitor = "touch ${root}/ran; false"\\n' > bare/config`,
    );
    const programs = createPrograms({ path: PATH, writable: [] });
    run(root, scriptOf(judge("cd bare && git status", { programs, home: root, safeBins: [] })));
    expect(run(root, "ls ran").status).not.toBe(0);
    run(root, "cd bare && git status");
    expect(run(root, "ls ran").status).toBe(0);
  });
});

function scriptOf(judgement: Judgement): string {
  if (judgement.kind === "known") return judgement.script;
  throw new Error(judgement.reasons.join("; "));
}

function repository(): string {
  const root = layout(["a = b", "src/index.ts = foo", "README.md = x", "package.json = {}"]);
  run(root, "git init -qb main && git add . && git -c user.name=a -c user.email=b commit -qm first && echo foo >> a");
  return root;
}

/** Runs a text with the shell that commands run with. */
function run(root: string, text: string) {
  const { status, stdout, stderr } = spawnSync("/bin/bash", ["--noprofile", "--norc", "-c", text], {
    cwd: root,
    input: "",
    encoding: "utf8",
    env: { PATH, HOME: root, LC_ALL: "C.UTF-8" },
  });
  return { status, stdout, stderr: stderr.replaceAll(/\/usr\/bin\//g, "") };
}
