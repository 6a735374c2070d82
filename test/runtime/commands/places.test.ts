import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch, type Tree } from "../scratch.ts";

/** Commands without a sandbox: what they read is up to the judge alone. */
const JUDGED: Partial<Options> = {
  exec: { security: "allowlist", sandbox: { kind: "none" } },
  ruleSource: {
    layers: [{ name: "user", rules: [{ act: "read", path: "closed/**", decide: "blocked", origin: "test" }] }],
  },
  approvalWaitMs: 0,
};

const TREE: Tree = {
  "closed/key": "hidden words\n",
  "closed/inner/a": "",
  "open/a.txt": "a\n",
  "open/key": "",
  inner: { link: "closed/inner" },
  deep: { link: "open" },
  etc: { link: "/etc/ssl" },
};

function workspace() {
  needs("git");
  const root = scratch(TREE);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", ...args], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "one");
  return callerOn(root, JUDGED);
}

describe("a command without a sandbox needs a yes", () => {
  it.each([
    ["`..` behind a link that leads outside", "cat etc/../passwd"],
    ["`..` behind a link that leads to a closed place", "cat inner/../key"],
    ["`..` behind `cd` through such a link", "cd inner && cat ../key"],
    ["a redirection from there", "cat < etc/../passwd"],
    ["grep that walks by the name of an action", "grep -d recurse hidden ."],
    ["the same, as a long option", "grep --directories=recurse hidden ."],
    ["diff of directories, which compares what is in them", "diff closed open"],
    ["git in a directory, which shows the whole repository", "git -C open log -p"],
    ["git behind cd", "cd open && git show HEAD"],
    ["a blob by its path from the top", "git -C open show HEAD:closed/key"],
    ["a tree by its path from the top", "git -C open grep -e hidden HEAD:closed"],
    ["lines of a file", "git -C open log -L1,1:../closed/key"],
    ["a patch beside a summary", "git log --patch-with-stat"],
    ["a patch beside raw lines", "git log --patch-with-raw"],
    ["lines with wrong spaces", "git log --check"],
    ["a patch of what is staged", "git status -v"],
    ["a pattern for a closed place", "cat clo*/key"],
    ["the same, in the last name", "head closed/k?y"],
    ["a bracket", "cat closed/[jk]ey"],
    ["a pattern of a program that walks", "grep -r hidden *"],
    ["a pattern that matches a link to a closed place", "cat i*er/../key"],
    ["a pattern that matches a link outside", "cat e*/../passwd"],
    ["a pattern outside", "cat /etc/pass*"],
  ])("%s", async (_, command) => {
    const { code, text } = await workspace()("exec", { command });
    expect([code, text]).toEqual([
      expect.stringMatching(/^(?:denied|pending)$/),
      expect.not.stringContaining("hidden words"),
    ]);
  });
});

describe("a command without a sandbox needs no yes", () => {
  it.each([
    ["on a revision with a slash", "git log --oneline topic/one..HEAD"],
    ["on a path that is gone", "git log --oneline -- gone/away/file"],
    ["with a pattern", "cat open/*.txt"],
    ["with a pattern that matches nothing", "ls *.json || true"],
    ["with a pattern for directories", "ls -d op*/"],
    ["behind a link inside", "cat deep/../open/a.txt"],
    ["with `..` that climbs no link", "cat open/../open/a.txt"],
  ])("%s", async (_, command) => {
    const { code, data } = await workspace()("exec", { command });
    expect([code, data["status"]]).toEqual(["ok", "done"]);
  });
});

describe("a program that walks", () => {
  const STORED: Tree = { ...TREE, ".holdfast-store/objects/1": "hidden words\n", id_rsa: "hidden words\n" };

  it.each(["grep -rn words .", "grep -rn words closed open", "ls -R", "find . -name key", "du -a ."])(
    "needs no yes in a sandbox, which hides what is closed: %s",
    async (command) => {
      needs("bwrap", "unshare", "mount", "setpriv");
      const call = callerOn(scratch({ ...STORED, "open/b.txt": "other words\n" }), {
        ...JUDGED,
        exec: { security: "allowlist" },
      });
      const { code, data, text } = await call("exec", { command });
      expect([code, data["status"], text]).toEqual(["ok", "done", expect.not.stringContaining("hidden words")]);
      expect(String(data["output"]).includes("other words")).toBe(command.startsWith("grep"));
    },
  );

  it("needs a yes for a closed file that it names", async () => {
    needs("bwrap", "unshare", "mount", "setpriv");
    const call = callerOn(scratch(STORED), { ...JUDGED, exec: { security: "allowlist" } });
    expect((await call("exec", { command: "cat id_rsa" })).code).toBe("pending");
  });

  it("through history needs no yes for our own store, which git never keeps", async () => {
    needs("git");
    const root = scratch({ "a.txt": "a\n", ".holdfast-store/objects/1": "hidden words\n" });
    execFileSync("git", ["init", "-q"], { cwd: root });
    execFileSync("git", ["add", "a.txt"], { cwd: root });
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "one"], { cwd: root });
    const { code, data } = await callerOn(root, JUDGED)("exec", { command: "git log -p" });
    expect([code, data["exit_code"], String(data["output"]).includes("+a")]).toEqual(["ok", 0, true]);
  });
});

describe("a command that needs a yes", () => {
  it.each([
    ["a program that the list does not know", "whoami-not-known"],
    ["a program from outside of the workspace", "/usr/bin/env -S whoami"],
    ["a change of a file", "touch new.txt"],
  ])("is refused with its reason, not with a piece of the path of its program: %s", async (_, command) => {
    const { text } = await workspace()("exec", { command });
    expect(text).toMatch(/^Cannot run exec yet: /);
  });
});
