import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { type Caller, callerOn, scratch } from "../../runtime/scratch.ts";
import { gitIn } from "./worktree.ts";

/** A small project as it comes from a fresh clone: nothing is installed. */
const PROJECT = {
  "package.json": JSON.stringify({
    name: "fresh",
    version: "1.0.0",
    scripts: { test: "node --test", sum: "node -p 'require(\"./sum.js\")(1, 2)'" },
  }),
  "sum.js": "module.exports = (a, b) => a + b;\n",
  "test/sum.test.js": `require("node:test")("adds", () => require("node:assert").equal(require("../sum.js")(1, 2), 3));\n`,
};

describe.each(["bubblewrap", "unshare"] as const)("tool chains in %s, without a network", (kind) => {
  function project(): { root: string; call: Caller } {
    needs("bwrap", "git", "unshare");
    const root = scratch(PROJECT);
    gitIn(root, "init", "-q");
    return { root, call: callerOn(root, { exec: { security: "full", sandbox: { kind } } }) };
  }

  it("run the tests of a fresh repository, and its scripts", async () => {
    const { call } = project();
    const tested = await call("exec", { command: "npm test" });
    expect(tested.data).toMatchObject({ exit_code: 0, output: expect.stringMatching(/pass 1\n/), changes: [] });
    const ran = await call("exec", { command: "npm run --silent sum" });
    expect(ran.data).toMatchObject({ exit_code: 0, output: "3\n" });
  });

  it("fail soon where they miss the network, and name the setting that opens a host", async () => {
    const { call } = project();
    const { data, text } = await call("exec", { command: "npm install left-pad" });
    expect(data).toMatchObject({ status: "done", exit_code: expect.any(Number) });
    expect(data["exit_code"]).not.toBe(0);
    expect(text).toMatch(
      /the network is off for commands: ask the user to add the host to tools\.exec\.sandbox\.network/,
    );
  });

  it("keep caches of their own, apart for each root", async () => {
    const [one, other] = [project(), project()];
    const name = `holdfast-${basename(join(one.root, ".."))}`;
    const places = [".npm", ".cache", ".cargo/registry"].map((place) => `~/${place}/${name}`);
    const each = (command: string): string => places.map((place) => `${command} ${place}`).join(" && ");
    expect((await one.call("exec", { command: each("echo kept >") })).data["exit_code"]).toBe(0);
    expect((await one.call("exec", { command: each("cat") })).data["output"]).toBe("kept\nkept\nkept\n");
    expect((await other.call("exec", { command: `ls ${places.join(" ")}` })).data["exit_code"]).toBe(2);
    expect(existsSync(join(homedir(), ".npm", name))).toBe(false);
  });
});
