import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { needs } from "../programs.ts";
import { bareEnv, BIN, saying } from "./bin.ts";
import { stateBeside } from "../runtime/scratch.ts";
import { jsonOf, workplace } from "./workplace.ts";

const TREE = {
  "a.txt": "one\ntwo Needle\nthree\n",
  "src/b.ts": "needle()\n",
  ".hidden": "needle\n",
  "src/empty": null,
};

describe("commands that make one call", () => {
  it.each([
    { args: ["read", "a.txt"], out: "one\ntwo Needle\nthree\n" },
    { args: ["read", "a.txt", "--offset", "2", "--limit", "1"], out: /^two Needle\n/ },
    { args: ["read", "a.txt", "--tail", "1"], out: /three\n/ },
    { args: ["read", "a.txt", "-n"], out: /^1\W+one\n2\W+two/ },
    { args: ["read", "a.txt", "src/b.ts"], out: /one\n[^]*needle\(\)\n/ },
    { args: ["ls"], out: ".hidden 7\na.txt 21\nsrc/\n" },
    { args: ["ls", "src"], out: "b.ts 9\nempty/\n" },
    { args: ["tree"], out: "./\n  src/\n    empty/\n    b.ts\n  a.txt\n" },
    { args: ["tree", "-L", "1", "--hidden"], out: /^\.\/\n  src\/.*\n  \.hidden\n  a\.txt\n/ },
    { args: ["find", "*.ts"], out: "src/b.ts\n" },
    { args: ["find", "*", "src", "--type", "directory"], out: "src/empty/\n" },
    { args: ["grep", "needle"], out: "src/b.ts\n1:1 needle()\n" },
    { args: ["grep", "-i", "needle", "a.txt"], out: /^a\.txt\n2:5 two Needle\n/ },
    { args: ["grep", "-n", "needle"], out: "src/b.ts\n1:1 needle()\n" },
    { args: ["grep", "-F", "e()"], out: "src/b.ts\n1:6 needle()\n" },
    { args: ["grep", "-il", "needle", "--hidden"], out: /^(?:(?:\.hidden|a\.txt|src\/b\.ts)\n){3}$/ },
    { args: ["grep", "-C", "1", "Needle"], out: "a.txt\n1- one\n2:5 two Needle\n3- three\n" },
  ])("holdfast $args", async ({ args, out }) => {
    const ran = await workplace(TREE).holdfast(args);
    expect(ran).toEqual({ code: 0, out: saying(out), err: "" });
  });

  it("edit changes a file, and undo takes it back", async () => {
    const { holdfast, textOf } = workplace(TREE);
    const change = ["edit", "a.txt", "--old", "one", "--new", "ONE"];
    expect((await holdfast([...change, "--dry-run"])).out).toMatch(/^Nothing was changed[^]*\n-one\n\+ONE\n/);
    expect(textOf("a.txt")).toBe(TREE["a.txt"]);
    expect((await holdfast(change)).code).toBe(0);
    expect(textOf("a.txt")).toBe("ONE\ntwo Needle\nthree\n");
    await holdfast(["undo"]);
    expect(textOf("a.txt")).toBe(TREE["a.txt"]);
    await holdfast(["edit", "a.txt", "--old", "e", "--new", "E", "--every"]);
    expect(textOf("a.txt")).toBe("onE\ntwo NEEdlE\nthrEE\n");
  });

  it("prints the result of the tool as JSON", async () => {
    const { holdfast } = workplace(TREE);
    expect(jsonOf((await holdfast(["grep", "needle", "--json"])).out)).toMatchObject({ total_matches: 1 });
    const { code, out } = await holdfast(["read", "none", "--json"]);
    expect([code, jsonOf(out)]).toEqual([1, { error: expect.objectContaining({ code: "not_found" }) }]);
  });

  it.each([
    { args: ["read", "none"], err: /^holdfast: Cannot [^]*it does not exist/ },
    { args: ["read", "../x"], err: /is not inside .*; use --root for another directory/ },
    { args: ["grep", "("], err: /^holdfast: Cannot / },
    { args: ["grep", "nowhere"], err: /^$/ },
    { args: ["edit", "a.txt", "--old", "nowhere", "--new", ""], err: /^holdfast: Cannot / },
  ])("fails with exit code 1: $args", async ({ args, err }) => {
    const ran = await workplace(TREE).holdfast(args);
    expect([ran.code, ran.err]).toEqual([1, expect.stringMatching(err)]);
  });
});

/** Runs a command on a terminal that `script` makes; what it shows. */
async function shown(args: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  needs("script");
  const { root } = workplace({ ...TREE, "bell.txt": "a line of plain text\u001B]0;title\n" });
  const { NO_COLOR: _, ...bare } = bareEnv({ HOLDFAST_STATE: stateBeside(root), TERM: "xterm-256color", ...env });
  const child = spawn("script", ["-qec", `${process.execPath} ${BIN} ${args}`, "/dev/null"], {
    cwd: root,
    env: { ...bare, ...env },
  });
  const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
  return out.replaceAll("\r\n", "\n");
}

describe("on a terminal", () => {
  const GREEN = "\u001B[32m";
  const RED = "\u001B[31m";
  const CYAN = "\u001B[36m";

  it.each([
    { args: "ls", shows: `${CYAN}src/\u001B[39m` },
    { args: "grep -i needle src", shows: `${RED}needle\u001B[39m()` },
    { args: "grep -w Needle", shows: `two ${RED}Needle\u001B[39m` },
    { args: "edit a.txt --old one --new ONE --dry-run", shows: `${GREEN}+ONE\u001B[39m` },
    { args: "read bell.txt", shows: "plain text\\u{1b}]0;title" },
  ])("holdfast $args shows $shows", async ({ args, shows }) => {
    expect(await shown(args)).toContain(shows);
  });

  it("shows no colours with NO_COLOR", async () => {
    expect(await shown("grep -i needle", { NO_COLOR: "1" })).not.toContain("\u001B");
  });
});
