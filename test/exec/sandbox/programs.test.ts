import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPrograms, identityOf } from "../../../src/exec/sandbox/programs.ts";
import { judge } from "../../../src/exec/shell/judge.ts";
import { layout } from "../../layout.ts";

const SYSTEM = "/usr/bin:/bin";

function program(file: string): void {
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
}

describe("createPrograms", () => {
  it("finds a program of the system, which is safe", () => {
    const programs = createPrograms({ path: SYSTEM, writable: [] });
    expect(programs.find("ls")).toEqual({ file: "/usr/bin/ls", isSafe: true });
    expect(programs.find("/bin/ls")).toEqual({ file: "/bin/ls", isSafe: true });
  });

  it.each(["bin/ls", "./ls", "/usr/bin/../bin/ls", "/usr/lib/os-release"])("does not trust %s", (name) => {
    expect(createPrograms({ path: SYSTEM, writable: [] }).find(name).isSafe).toBe(false);
  });

  it("does not trust what the agent can write, be it the file or a link to it", () => {
    const root = layout([]);
    mkdirSync(join(root, "bin"));
    program(join(root, "bin/ls"));
    symlinkSync("/usr/bin/cat", join(root, "bin/cat"));
    const programs = createPrograms({ path: `${root}/bin:${SYSTEM}`, writable: [root] });
    expect(programs.find("ls")).toEqual({ file: join(root, "bin/ls"), isSafe: false });
    expect(programs.find("cat")).toEqual({ file: join(root, "bin/cat"), isSafe: false });
    expect(programs.find("head")).toEqual({ file: "/usr/bin/head", isSafe: false });
    expect(programs.find("no-such-program")).toEqual({ file: undefined, isSafe: false });
    expect(judge("ls", { programs, home: "/", safeBins: [] })).toMatchObject({
      kind: "unknown",
      reasons: ["`ls`: the agent can change the file that would run"],
    });
  });

  it("does not trust directories where everyone can write, nor the current one", () => {
    const root = layout([]);
    program(join(root, "ls"));
    expect(createPrograms({ path: root, writable: [] }).find("ls").isSafe).toBe(false);
    expect(createPrograms({ path: `:${SYSTEM}`, writable: [] }).find("no-such-program").isSafe).toBe(false);
    expect(createPrograms({ path: SYSTEM, writable: [] }).find("no-such-program").isSafe).toBe(true);
  });

  it("trusts what comes before a directory where everyone can write, but for scripts, which start others by name", () => {
    const open = layout([]);
    chmodSync(open, 0o777);
    program(join(open, "only-here"));
    const programs = createPrograms({ path: `${SYSTEM}:${open}`, writable: [] });
    expect(["ls", "/bin/ls", "egrep", "/usr/bin/egrep", "only-here", "no-such-program"].map(programs.find)).toEqual([
      { file: "/usr/bin/ls", isSafe: true },
      { file: "/bin/ls", isSafe: true },
      { file: "/usr/bin/egrep", isSafe: false },
      { file: "/usr/bin/egrep", isSafe: false },
      { file: join(open, "only-here"), isSafe: false },
      { file: undefined, isSafe: false },
    ]);
  });

  it("resolves a name once", () => {
    const root = layout([]);
    program(join(root, "x"));
    const programs = createPrograms({ path: root, writable: [] });
    const first = programs.find("x");
    rmSync(join(root, "x"));
    expect(programs.find("x")).toEqual(first);
  });
});

describe("identityOf", () => {
  it("changes with the content of a file that the agent can write", () => {
    const root = layout([]);
    const file = join(root, "x");
    program(file);
    const before = identityOf({ file, isSafe: false });
    writeFileSync(file, "#!/bin/sh\nid\n");
    expect(identityOf({ file, isSafe: false })).toEqual({
      ...before,
      hash: expect.not.stringMatching(before?.hash ?? ""),
    });
    expect(identityOf({ file: join(root, "gone"), isSafe: false })).toBeUndefined();
    expect(identityOf({ file: "/usr/bin/ls", isSafe: true })).toMatchObject({ path: "/usr/bin/ls", hash: undefined });
  });
});
