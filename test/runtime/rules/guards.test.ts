import { realpathSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import { LIMITS } from "../../../src/base/limits.ts";
import { checkedPlugins } from "../../../src/plugins/check-plugins.ts";
import { callerOn, scratch, type Tree } from "../scratch.ts";

const EVIL = '{ "policy": { "rules": [] } }';

/** A root in which the user's own directory for configuration lies. */
function home(tree: Tree): string {
  const root = scratch({
    "evil.jsonc": EVIL,
    "evil-dir/config.jsonc": EVIL,
    "evil-link": { link: "evil-dir" },
    ...tree,
  });
  vi.stubEnv("XDG_CONFIG_HOME", join(root, "cfg"));
  onTestFinished(() => void vi.unstubAllEnvs());
  return root;
}

const write = (path: string) => ({ tool: "write", input: { path, content: EVIL, overwrite: true } });
const remove = (path: string) => ({ tool: "delete", input: { path, recursive: true } });
const move = (source: string, destination: string) => ({
  tool: "move",
  input: { source, destination, overwrite: true },
});
const copy = (source: string, destination: string) => ({ ...move(source, destination), tool: "copy" });

describe("the way to the configuration", () => {
  const plain: Tree = { "cfg/holdfast/config.jsonc": "{}" };
  const fileLink: Tree = { "cfg/holdfast/config.jsonc": { link: "../../dot/hf.jsonc" }, "dot/hf.jsonc": "{}" };
  const nowhere: Tree = { "cfg/holdfast/config.jsonc": { link: "../../dot/hf.jsonc" } };
  const chain: Tree = { cfg: { link: "dot" }, dot: { link: "deep/dot" }, "deep/dot/holdfast/config.jsonc": "{}" };
  const upward: Tree = { "cfg/holdfast": { link: "../none/../dot" }, "dot/config.jsonc": "{}" };
  it.each([
    { name: "the file", tree: plain, call: write("cfg/holdfast/config.jsonc") },
    { name: "the file, from beside it", tree: plain, call: move("evil.jsonc", "cfg/holdfast/config.jsonc") },
    { name: "its directory, moved away", tree: plain, call: move("cfg/holdfast", "x") },
    { name: "the one above, deleted", tree: plain, call: remove("cfg") },
    { name: "a file that is not there yet", tree: {}, call: write("cfg/holdfast/config.jsonc") },
    { name: "a directory with one in it", tree: {}, call: copy("evil-dir", "cfg/holdfast") },
    { name: "a link that would lead to one", tree: {}, call: move("evil-link", "cfg/holdfast") },
    { name: "where the file's link leads", tree: fileLink, call: write("dot/hf.jsonc") },
    { name: "the same through the link", tree: fileLink, call: write("cfg/holdfast/config.jsonc") },
    { name: "the file's link itself", tree: fileLink, call: remove("cfg/holdfast/config.jsonc") },
    { name: "the directory where that leads", tree: fileLink, call: move("dot", "x") },
    { name: "where a link leads to nothing yet", tree: nowhere, call: write("dot/hf.jsonc") },
    { name: "the same, copied there", tree: nowhere, call: copy("evil.jsonc", "dot/hf.jsonc") },
    { name: "a link to the directory", tree: chain, call: remove("cfg") },
    { name: "a link in the middle of a chain", tree: chain, call: remove("dot") },
    { name: "the same, replaced by another link", tree: chain, call: move("evil-link", "dot") },
    { name: "the end of a chain", tree: chain, call: write("deep/dot/holdfast/config.jsonc") },
    { name: "a directory above the end", tree: chain, call: move("deep", "x") },
    { name: "the same by a patch", tree: chain, call: patch("*** Delete File: dot/holdfast/config.jsonc") },
    { name: "a name on the way that is not there", tree: upward, call: move("evil-link", "none") },
  ])("$name is not changed", async ({ tree, call: { tool, input } }) => {
    const root = home(tree);
    const answer = await callerOn(root)(tool, input);
    expect([answer.code, answer.text]).toEqual([
      "denied",
      expect.stringContaining("it sets the limits of this session"),
    ]);
  });

  it("leads through links that somebody else may change: then the new way is guarded", async () => {
    const root = home({ ...nowhere, "other/x": "" });
    const caller = callerOn(root);
    expect((await caller("write", write("other/new.jsonc").input)).code).toBe("ok");
    rmSync(join(root, "other/new.jsonc"));
    rmSync(join(root, "cfg/holdfast/config.jsonc"));
    symlinkSync("../../other/new.jsonc", join(root, "cfg/holdfast/config.jsonc"));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * LIMITS.configPollMs });
    onTestFinished(() => void vi.useRealTimers());
    expect((await caller("write", write("other/new.jsonc").input)).code).toBe("denied");
  });

  it("is guarded for the user's own file, too, while another one is named", async () => {
    const root = home(plain);
    const caller = callerOn(root, { configFile: join(root, "named.jsonc") });
    for (const path of ["cfg/holdfast/config.jsonc", "named.jsonc"])
      expect((await caller("write", write(path).input)).code).toBe("denied");
  });

  it("leaves everything else alone", async () => {
    const root = home({ ...chain, "dot2/x": "", "cfg2/x": "", link: { link: "dot2" } });
    const caller = callerOn(root);
    for (const { tool, input } of [
      write("dot2/hf.jsonc"),
      write("holdfast/config.jsonc"),
      remove("link"),
      move("cfg2", "c"),
    ])
      expect((await caller(tool, input)).code).toBe("ok");
  });
});

function patch(...lines: string[]) {
  return { tool: "apply_patch", input: { input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") } };
}

describe("the way to the state", () => {
  it.each([
    { name: "a link on it", call: remove("state-link") },
    { name: "a link in the middle", call: move("evil-link", "middle") },
    { name: "where it ends", call: write("deep/state/x") },
    { name: "what is above its end", call: move("deep", "x") },
  ])("$name is not changed", async ({ call: { tool, input } }) => {
    const root = home({ "state-link": { link: "middle" }, middle: { link: "deep/state" }, "deep/": null });
    const caller = callerOn(root, { stateDirectory: join(root, "state-link") });
    expect((await caller("write", write("a.txt").input)).code).toBe("ok");
    const answer = await caller(tool, input);
    expect([answer.code, answer.text]).toEqual(["denied", expect.stringMatching(/belongs to Holdfast itself/)]);
  });

  it("ends where a link says, also before there is anything", async () => {
    const root = home({ "state-link": { link: "deep/state" } });
    const caller = callerOn(root, { stateDirectory: join(root, "state-link") });
    expect((await caller("write", write("a.txt").input)).code).toBe("ok");
    expect((await caller("read", { path: "deep/state" })).code).toBe("denied");
    expect(realpathSync(join(root, "state-link"))).toBe(join(root, "deep/state"));
  });
});

it("a link on the way to a root is not led elsewhere", async () => {
  const root = home({ "project/a.txt": "A", way: { link: "project" } });
  const caller = callerOn(root, { roots: [root, join(root, "way")] });
  for (const { tool, input } of [remove("way"), move("evil-link", "way")])
    expect((await caller(tool, input)).code).toBe("denied");
  expect((await caller("write", write(join(root, "way/a.txt")).input)).code).toBe("ok");
});

const languageServer = (...command: [string, ...string[]]) => ({
  diagnostics: { servers: [{ command, files: ["*.ts"] }] },
  warn: () => {},
});
const hook = (...command: string[]) => ({ hookCommands: { afterCall: [{ command }] } });
const ran = (options: (root: string) => Partial<Options>, call: { tool: string; input: object }, code: string) => ({
  options,
  call,
  code,
});
const server = (root: string): Partial<Options> => ({
  plugins: checkedPlugins(
    [
      {
        from: "x",
        plugin: { id: "p", servers: { s: { command: "node", args: ["run.mjs"], directory: join(root, "code") } } },
      },
    ],
    expect.fail,
  ),
});

describe("code that runs for the operator", () => {
  const tree: Tree = {
    "code/run.mjs": "1",
    "code/lib.mjs": "1",
    "bin/tool": "1",
    link: { link: "code/run.mjs" },
    "data/db.sqlite": "1",
    "data/other": "1",
    "top.mjs": "1",
  };
  it.each([
    ["a hook program", ran((root) => hook(join(root, "bin/tool")), write("bin/tool"), "denied")],
    ["what lies beside it", ran((root) => hook(join(root, "bin/tool")), write("bin/new"), "denied")],
    ["its directory", ran((root) => hook(join(root, "bin/tool")), move("bin", "x"), "denied")],
    ["one that is not there yet", ran((root) => hook(join(root, "bin/none")), write("bin/none"), "denied")],
    ["a script", ran((root) => hook("node", join(root, "code/run.mjs")), write("code/run.mjs"), "denied")],
    ["what a script imports", ran((root) => hook("node", join(root, "code/run.mjs")), write("code/lib.mjs"), "denied")],
    ["a script by a link", ran((root) => hook("node", join(root, "link")), write("code/run.mjs"), "denied")],
    ["that link", ran((root) => hook("node", join(root, "link")), remove("link"), "denied")],
    ["a script beside everything", ran((root) => hook("node", join(root, "top.mjs")), write("top.mjs"), "denied")],
    ["but not everything", ran((root) => hook("node", join(root, "top.mjs")), write("a.txt"), "ok")],
    ["a file of an option", ran((root) => hook("x", `--db=${root}/data/db.sqlite`), write("data/db.sqlite"), "denied")],
    ["but not its directory", ran((root) => hook("x", `--db=${root}/data/db.sqlite`), write("data/other"), "ok")],
    ["nor a directory to work on", ran((root) => hook("x", root), write("a.txt"), "ok")],
    [
      "an alert program",
      ran((root) => ({ alerts: { command: [join(root, "bin/tool")] } }), write("bin/tool"), "denied"),
    ],
    [
      "a language server",
      ran((root) => languageServer(join(root, "bin/tool"), "--stdio"), write("bin/tool"), "denied"),
    ],
    ["the program of a server", ran(server, write("code/run.mjs"), "denied")],
    ["a plugin", ran((root) => ({ pluginFiles: [join(root, "code/run.mjs")] }), write("code/run.mjs"), "denied")],
    ["what a plugin imports", ran((root) => ({ pluginFiles: [join(root, "link")] }), write("code/lib.mjs"), "denied")],
  ])("%s", async (_, { options, call: { tool, input }, code }) => {
    const root = home(tree);
    expect((await callerOn(root, options(root))(tool, input)).code).toBe(code);
  });

  it("is found by its name in PATH, also where there is none yet", async () => {
    const root = home(tree);
    vi.stubEnv("PATH", `${join(root, "empty")}:${join(root, "bin")}:${process.env["PATH"]}`);
    const caller = callerOn(root, hook("tool"));
    for (const path of ["empty/tool", "bin/tool"])
      expect((await caller("write", write(path).input)).code).toBe("denied");
    expect((await caller("write", write("empty/other").input)).code).toBe("ok");
  });

  it("can be read", async () => {
    const root = home(tree);
    expect((await callerOn(root, hook(join(root, "bin/tool")))("read", { path: "bin/tool" })).text).toContain("1");
  });
});
