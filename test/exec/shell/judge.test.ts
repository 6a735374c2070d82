import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { judge } from "../../../src/exec/shell/judge.ts";
import type { Judgement } from "../../../src/exec/shell/judgement.ts";
import { BYPASSES, EXPOSED } from "./bypasses.cases.ts";
import { CONTEXT } from "./context.ts";
import { HARMLESS } from "./harmless.cases.ts";
import { HELD_OUT_BYPASSES, HELD_OUT_EXPOSED, HELD_OUT_HARMLESS } from "./held-out.cases.ts";
import { pick, randomBelow } from "./random.ts";

const judged = (command: string): Judgement => judge(command, CONTEXT);

describe("commands that must not run without a question", () => {
  it("holds at least 150", () => expect(Object.values(BYPASSES).flat().length).toBeGreaterThan(150));

  it.each(Object.entries(BYPASSES))("%s", (_, commands) => {
    expect(commands.filter((command) => judged(command).kind === "known")).toEqual([]);
  });

  it.each(EXPOSED)("%s shows the rules: %s %s", (command, act, path) => {
    expect(judged(command).places).toContainEqual(expect.objectContaining({ act, path }));
  });

  it("are not known when they are chained, wrapped and nested", () => {
    const below = randomBelow(17);
    const known = Array.from({ length: 10_000 }, () => mutated(below)).filter(
      (command) => judged(command).kind === "known",
    );
    expect(known).toEqual([]);
  });
});

/** Leaves out what another part may complete, and what is harmless in a shell of its own. */
const MUTABLE = Object.entries(BYPASSES).flatMap(([trap, commands]) =>
  ["syntax errors", "what a parser skips", "directories", "too much"].includes(trap) ? [] : commands,
);

const CHAINS: readonly ((command: string, other: string) => string)[] = [
  ...["; ", " && ", " || ", " | ", " |& ", " & ", "\n", " ;\n"].flatMap((operator) => [
    (command: string, other: string) => other + operator + command,
    (command: string, other: string) => command + operator + other,
  ]),
  (command) => `( ${command}\n)`,
  (command) => `{ ${command}\n}`,
  (command) => `! ${command}`,
  (command) => `time ${command}`,
  (command, other) => `if ${command}\nthen ${other}\nfi`,
  (command, other) => `if ${other}\nthen ${command}\nfi`,
  (command, other) => `if ${other}\nthen ${other}\nelse ${command}\nfi`,
  (command) => `( ${command}\n) > out.txt 2>&1`,
  (command) => `eval '${command.replaceAll("'", String.raw`'\''`)}'`,
  (command) => `bash -c '${command.replaceAll("'", String.raw`'\''`)}'`,
  (command) => `echo "$(${command}\n)"`,
  (command) => `cat <(${command}\n)`,
  (command) => `timeout 5 ${command}`,
  (command) => `cd src && ${command}`,
];

function mutated(below: (bound: number) => number): string {
  let command = pick(below, MUTABLE);
  for (let depth = 1 + below(3); depth > 0; depth--) command = pick(below, CHAINS)(command, pick(below, HARMLESS));
  return command;
}

describe("harmless commands", () => {
  it("holds at least 150", () => expect(HARMLESS.length).toBeGreaterThan(150));

  it("are known, but for 5 %", () => {
    const asked = HARMLESS.filter((command) => judged(command).kind === "unknown");
    expect(asked.length / HARMLESS.length).toBeLessThanOrEqual(0.05);
  });

  it("keep npm from the cache and the logs that a project names", () => {
    const judgement = judged("npm ls");
    const script = judgement.kind === "known" ? judgement.script : "";
    expect(["--cache=.", "--logs-max=0", "--no-update-notifier"].filter((word) => !script.includes(word))).toEqual([]);
  });

  it("give scripts that bash accepts", () => {
    const scripts = HARMLESS.map(judged).flatMap((judgement) => (judgement.kind === "known" ? judgement.script : []));
    const { status, stderr } = spawnSync("bash", ["-n", "-c", scripts.join("\n")], { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

describe("the second corpus", () => {
  it("has no bypass that is known", () => {
    expect(HELD_OUT_BYPASSES.filter((command) => judged(command).kind === "known")).toEqual([]);
  });

  it.each(HELD_OUT_EXPOSED)("%s shows the rules: %s %s", (command, act, path) => {
    expect(judged(command).places).toContainEqual(expect.objectContaining({ act, path }));
  });

  it("has harmless commands that are known, but for 5 %", () => {
    const asked = HELD_OUT_HARMLESS.filter((command) => judged(command).kind === "unknown");
    expect(asked.length / HELD_OUT_HARMLESS.length).toBeLessThanOrEqual(0.05);
  });
});

describe("what bash refuses", () => {
  it("is not known, in random strings of tokens", () => {
    const below = randomBelow(5);
    const commands = Array.from({ length: 30_000 }, () =>
      Array.from({ length: 1 + below(7) }, () => pick(below, TOKENS)).join(pick(below, [" ", " ", ""])),
    );
    const known = [...new Set(commands)].filter((command) => judged(command).kind === "known");
    expect(known.length).toBeGreaterThan(200);
    const refused = known.slice(0, 300).filter((command) => spawnSync("bash", ["-n", "-c", command]).status !== 0);
    expect(refused).toEqual([]);
  });
});

const TOKENS =
  `ls echo cat true a 'b' "c" -l ; && || | |& & ( ) { } ! if then else fi > >> < 2>&1 >/dev/null # $? \\ '' ""
  time [ ] [[ ]] -f * ? ~ a=b { a,b } \n $'x' <<< for do done in`.match(/\S+|\n(?! )/g) as readonly string[];
