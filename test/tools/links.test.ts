import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDialect } from "../../src/dialects/load.ts";
import { appOn, callerOf, callerOn, scratch, type Tree } from "../runtime/scratch.ts";

const TREE: Tree = {
  "v1/a.txt": "A\n",
  current: { link: "v1" },
  "b.txt": "B\n",
  file: { link: "b.txt" },
  dangling: { link: "nowhere" },
  outward: { link: "/etc/hostname" },
};

const patch = (...lines: string[]) => ({ input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

/** Returns the target of a link or the content of a file. */
function at(root: string, name: string): string {
  const path = join(root, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return "nothing";
  if (stats.isSymbolicLink()) return `=> ${readlinkSync(path)}`;
  return stats.isDirectory() ? "directory" : readFileSync(path, "utf8");
}

const seen = (root: string, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, at(root, name)]));

describe("deleting and moving act on the link itself", () => {
  it.each([
    ["delete", { path: "current/" }, { current: "nothing", "v1/a.txt": "A\n" }],
    ["delete", { path: "current/.", recursive: true }, { current: "nothing", "v1/a.txt": "A\n" }],
    ["delete", { path: "current//", permanent: false }, { current: "nothing", "v1/a.txt": "A\n" }],
    ["move", { source: "current/", destination: "c" }, { current: "nothing", c: "=> v1", "v1/a.txt": "A\n" }],
    ["copy", { source: "current/", destination: "c" }, { current: "=> v1", c: "=> v1", "v1/a.txt": "A\n" }],
    ["move", { source: "b.txt", destination: "current/", overwrite: true }, { current: "B\n", "v1/a.txt": "A\n" }],
    ["apply_patch", patch("*** Delete File: file"), { file: "nothing", "b.txt": "B\n" }],
    ["apply_patch", patch("*** Delete File: dangling"), { dangling: "nothing" }],
    ["apply_patch", { input: "--- a/file\n+++ /dev/null\n@@ -1 +0,0 @@\n-B\n" }, { file: "nothing", "b.txt": "B\n" }],
    ["apply_patch", patch("*** Delete File: outward"), { outward: "nothing" }],
    ["apply_patch", patch("*** Delete File: current"), { current: "nothing", "v1/a.txt": "A\n" }],
    [
      "apply_patch",
      patch("*** Update File: file", "*** Move to: g"),
      { file: "nothing", g: "=> b.txt", "b.txt": "B\n" },
    ],
    ["apply_patch", patch("*** Update File: dangling", "*** Move to: g"), { dangling: "nothing", g: "=> nowhere" }],
    [
      "apply_patch",
      patch("*** Update File: file", "*** Move to: g", "@@", "-B", "+C"),
      { file: "nothing", g: "=> b.txt", "b.txt": "C\n" },
    ],
    ["apply_patch", patch("*** Update File: file", "@@", "-B", "+C"), { file: "=> b.txt", "b.txt": "C\n" }],
    [
      "apply_patch",
      patch("*** Update File: file", "*** Move to: g", "*** Update File: g", "@@", "-B", "+C"),
      { file: "nothing", g: "=> b.txt", "b.txt": "C\n" },
    ],
    ["apply_patch", patch("*** Delete File: file", "*** Add File: file", "+new"), { file: "new\n", "b.txt": "B\n" }],
    ["apply_patch", patch("*** Delete File: file", "*** Delete File: b.txt"), { file: "nothing", "b.txt": "nothing" }],
    [
      "apply_patch",
      patch(
        "*** Update File: file",
        "*** Move to: t",
        "*** Update File: b.txt",
        "*** Move to: file",
        "*** Update File: t",
        "*** Move to: b.txt",
      ),
      { file: "B\n", "b.txt": "=> b.txt", t: "nothing" },
    ],
  ] as const)("%s %j", async (tool, input, after) => {
    const root = scratch(TREE);
    const caller = callerOn(root);
    const before = seen(root, Object.keys(TREE));
    const dry = await caller(tool, { ...input, dry_run: true });
    expect([dry.code, seen(root, Object.keys(TREE))]).toEqual(["ok", before]);
    const answer = await caller(tool, input);
    expect([answer.code, answer.text, seen(root, Object.keys(after))]).toEqual(["ok", expect.any(String), after]);
    expect((await caller("undo")).code).toBe("ok");
    expect(seen(root, Object.keys(TREE))).toEqual(before);
  });

  it.each([
    ["a link onto another", patch("*** Update File: file", "*** Move to: current"), "exists"],
    ["something onto a link to nothing", patch("*** Update File: b.txt", "*** Move to: dangling"), "exists"],
    ["a new file onto a link", patch("*** Add File: file", "+x"), "exists"],
    [
      "a link and a file in a circle",
      patch(
        "*** Update File: b.txt",
        "*** Move to: t",
        "*** Update File: file",
        "*** Move to: b.txt",
        "*** Update File: t",
        "*** Move to: file",
      ),
      "invalid_input",
    ],
    [
      "a link with hunks that what it leads to does not hold",
      { input: "--- a/file\n+++ /dev/null\n@@ -1 +0,0 @@\n-X\n" },
      "no_match",
    ],
    ["a file with a slash", patch("*** Delete File: b.txt/"), "not_a_directory"],
  ])("%s: %s", async (_, input, code) => {
    const root = scratch(TREE);
    const before = seen(root, Object.keys(TREE));
    const answer = await callerOn(root)("apply_patch", input);
    expect([answer.code, answer.text]).toEqual([code, expect.any(String)]);
    expect(seen(root, Object.keys(TREE))).toEqual(before);
  });

  it.each([
    ["fractary", "fractary_file_delete", { path: "current/" }],
    ["capabilities", "filesystem__delete", { path: "current/" }],
    ["mcp-filesystem", "move_file", { source: "current/", destination: "gone" }],
  ] as const)("in %s", async (name, tool, input) => {
    const root = scratch(TREE);
    const { surface } = appOn(root, { dialect: await loadDialect(name) });
    const known = surface.tools.map((each) => each.name);
    expect(known).toContain(tool);
    await surface.call({ tool, input, signal: new AbortController().signal });
    expect([existsSync(join(root, "v1/a.txt")), lstatSync(join(root, "v1")).isDirectory()]).toEqual([true, true]);
  });
});

describe("what a patch takes elsewhere is judged as what it was", () => {
  const rotation = patch(
    "*** Update File: y",
    "*** Move to: tmp",
    "*** Update File: .env",
    "*** Move to: y",
    "*** Update File: tmp",
    "*** Move to: .env",
  );
  const tree: Tree = { ".env": "API_TOKEN=sk_live_51Hxyz9876543210abcdef\n", y: "plain\n" };

  it("a yes is needed before settings get another name", async () => {
    const root = scratch(tree);
    const questions: string[] = [];
    const app = appOn(root, {
      approver: async ({ reasons }) => {
        questions.push(...reasons);
        return { decision: "deny" };
      },
    });
    expect((await callerOf(app)("apply_patch", rotation)).code).toBe("denied");
    expect(questions.join()).toContain("it may hold secrets, and under its new name they would be shown");
    expect(seen(root, [".env", "y"])).toEqual({ ".env": tree[".env"], y: "plain\n" });
  });

  it("and with a yes they are shown without values", async () => {
    const root = scratch(tree);
    const caller = callerOn(root, { approver: async () => ({ decision: "once" }) });
    const answer = await caller("apply_patch", rotation);
    expect([answer.code, answer.text]).toEqual(["ok", expect.not.stringContaining("sk_live")]);
    expect(seen(root, [".env", "y"])).toEqual({ ".env": "plain\n", y: tree[".env"] });
    expect((await caller("read", { path: "y" })).text).not.toContain("sk_live");
  });

  it.each([
    { act: "read" as const, path: "secret.txt", decide: "blocked" as const },
    { act: "move" as const, path: "secret.txt", decide: "blocked" as const },
  ])("a rule is not got around: %j", async (rule) => {
    const root = scratch({ "secret.txt": "S\n", y: "plain\n" });
    const ruleSource = { layers: [{ name: "user" as const, rules: [{ ...rule, origin: "test" }] }] };
    const turned = { input: rotation.input.replaceAll(".env", "secret.txt") };
    expect((await callerOn(root, { ruleSource })("apply_patch", turned)).code).toBe("denied");
    expect(seen(root, ["secret.txt", "y"])).toEqual({ "secret.txt": "S\n", y: "plain\n" });
  });
});
