import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch, together } from "../runtime/scratch.ts";
import { bareEnv, run } from "./bin.ts";

/** A directory with the scripts of all shells. */
const scripts = together(async (atEnd) => {
  const folder = scratch({ "some-file": "", "some-dir": null }, atEnd);
  for (const shell of ["bash", "zsh", "fish"])
    writeFileSync(join(folder, shell), (await run(["completion", shell])).out);
  return folder;
});

/** Lets a real shell complete a command line; the words that it offers. */
type Complete = (line: string) => readonly string[];

const offered = (program: string, args: readonly string[]): readonly string[] => {
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: scripts(), env: bareEnv(), encoding: "utf8" });
  expect([status, stderr]).toEqual([0, ""]);
  return stdout.split("\n").filter(Boolean);
};

const BASH = 'source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast; printf "%s\\n" "${COMPREPLY[@]}"';

/** Replaces the functions of zsh that show words by ones that print them. */
const ZSH = `
_describe() { print -l -- \${\${(P)2}%%:*} }; compadd() { shift; print -l -- $@ }; _files() { print -- files $@ }
source ./zsh; words=("$@"); CURRENT=$#; _holdfast`;

const SHELLS: readonly { readonly shell: "bash" | "zsh" | "fish"; readonly complete: Complete }[] = [
  { shell: "bash", complete: (line) => offered("bash", ["--norc", "-c", BASH, "bash", ...line.split(" ")]) },
  { shell: "zsh", complete: (line) => offered("zsh", ["-f", "-c", ZSH, "zsh", ...line.split(" ")]) },
  {
    shell: "fish",
    complete: (line) =>
      offered("fish", ["--no-config", "-c", `source ./fish; complete -C "${line}"`]).map(
        (each) => each.split("\t")[0] ?? "",
      ),
  },
];

describe.each(SHELLS)("$shell", ({ shell, complete }) => {
  it.each([
    { line: "holdfast ", has: ["undo", "install", "completion"], lacks: ["cursor"] },
    { line: "holdfast install ", has: ["cursor", "claude-code"], lacks: ["undo"] },
    { line: "holdfast trash ", has: ["list", "restore", "purge"], lacks: ["undo"] },
    { line: "holdfast undo --", has: ["--since", "--root"], lacks: ["--content"] },
    { line: "holdfast --root x grep --", has: ["--ignore-case"], lacks: ["--since"] },
    { line: "holdfast --profile ", has: ["minimal", "coding"], lacks: ["undo"] },
    { line: "holdfast --durability ", has: ["process", "power"], lacks: ["undo"] },
  ])('completes "$line"', ({ line, has, lacks }) => {
    needs(shell);
    const words = complete(line);
    expect(words).toEqual(expect.arrayContaining(has));
    expect(words.filter((word) => lacks.includes(word))).toEqual([]);
  });
});

it("completes directories after --root", () => {
  const [bash, , fish] = SHELLS;
  needs("bash", "fish");
  expect(bash?.complete("holdfast --root some")).toEqual(["some-dir"]);
  expect(fish?.complete("holdfast --root some")).toEqual(["some-dir/"]);
});

it.each([[["completion"]], [["completion", "tcsh"]], [["completion", "bash", "x"]]])("refuses %j", async (args) => {
  const says = "holdfast: Cannot print a completion script: give bash, zsh, fish; example: holdfast completion bash\n";
  expect(await run(args)).toEqual({ code: 2, out: "", err: says });
});
