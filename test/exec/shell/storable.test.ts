import { describe, expect, it } from "vitest";
import { judge } from "../../../src/exec/shell/judge.ts";
import { isStored, storableOf, type Storable } from "../../../src/exec/shell/storable.ts";
import { CONTEXT } from "./context.ts";

function storable(command: string): Storable {
  const judgement = judge(command, CONTEXT);
  if (judgement.kind === "known") throw new Error(`${command} is known`);
  return storableOf(judgement);
}

describe("what an always may store", () => {
  it.each([
    ["gh pr list", [{ file: "/usr/bin/gh", words: ["pr", "list"], script: undefined }]],
    ["ls && gh pr list", [{ file: "/usr/bin/gh", words: ["pr", "list"], script: undefined }]],
    ["python3 x.py a", [{ file: "/usr/bin/python3", words: ["x.py", "a"], script: "x.py" }]],
    ["npm test", [{ file: "/usr/bin/npm", words: ["test"], script: "package.json" }]],
    ["make", [{ file: "/usr/bin/make", words: [], script: "Makefile" }]],
  ])("%s: its exact words, and the script", (command, patterns) => {
    expect(storable(command)).toEqual({ kind: "storable", patterns });
  });

  it.each([
    "bash -c id",
    "/bin/zsh -lc whoami",
    "python3 -c 1",
    "python3",
    "node -e 1",
    "sudo ls",
    "xargs rm",
    "env ls",
    "find . -delete",
    "npx evil",
    "cargo build",
    "git push",
    "rm x",
    "gh $(id)",
    "gh pr list > $x",
    "eval id",
  ])("nothing for %s", (command) => expect(storable(command).kind).toBe("refused"));

  it("matches only the same words", () => {
    const [pattern] = [{ file: "/usr/bin/gh", words: ["pr", "list"], script: undefined }];
    const program = { file: "/usr/bin/gh", isBuiltin: false, isKnown: false, argv: ["gh", "pr", "list"] };
    expect(isStored(pattern, program)).toBe(true);
    expect(isStored(pattern, { ...program, argv: ["gh", "pr", "list", "--web"] })).toBe(false);
    expect(isStored(pattern, { ...program, argv: ["gh", "pr list"] })).toBe(false);
    expect(isStored(pattern, { ...program, file: "/tmp/gh" })).toBe(false);
  });
});

const known = (command: string, safeBins: readonly string[]): boolean =>
  judge(command, { ...CONTEXT, safeBins }).kind === "known";

describe("safe bins", () => {
  it.each(["figlet hello", "figlet", "figlet hello world"])("admit %s", (command) => {
    expect(known(command, ["figlet"])).toBe(true);
    expect(known(command, [])).toBe(false);
  });

  it.each([
    "figlet -f x",
    "figlet ./x",
    "figlet /etc/passwd",
    "figlet a.txt",
    "figlet *",
    "figlet $HOME",
    "/tmp/figlet x",
    "python3 x",
    "bash x",
    "sudo x",
    "sort --compress-program=x f",
  ])("do not admit %s", (command) => {
    expect(known(command, ["figlet", "python3", "bash", "sudo", "sort"])).toBe(false);
  });
});
