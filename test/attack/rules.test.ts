import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { questionText } from "../../src/runtime/effects/effect-text.ts";
import { callerOn, scratch } from "../runtime/scratch.ts";
import { under } from "../runtime/rules/under-rules.ts";

describe("the operator's rules cannot be replaced by way of a link", () => {
  const tree = {
    link: { link: "b" },
    "dots/holdfast/config.jsonc": "{}",
    "conf/holdfast": { link: "../dots/holdfast" },
  };
  const on = (configFile: string) => {
    const root = scratch(tree);
    return callerOn(root, { configFile: join(root, configFile) });
  };

  it.each([
    { tool: "move", input: { source: "link", destination: "new/holdfast" } },
    { tool: "copy", input: { source: "link", destination: "new/holdfast" } },
    { tool: "move", input: { source: "link", destination: "new" } },
  ])("$tool does not put one where the file will be looked for: $input.destination", async ({ tool, input }) => {
    expect(await on("new/holdfast/config.jsonc")(tool, input)).toMatchObject({ code: "denied" });
  });

  it("restore does not either", async () => {
    const caller = on("new/holdfast/config.jsonc");
    await caller("delete", { path: "link" });
    expect(await caller("restore", { path: "link", destination: "new/holdfast" })).toMatchObject({ code: "denied" });
  });

  it.each([
    { tool: "delete", input: { path: "conf/holdfast" } },
    { tool: "move", input: { source: "conf/holdfast", destination: "away" } },
    { tool: "delete", input: { path: "conf", recursive: true } },
    { tool: "move", input: { source: "conf", destination: "away" } },
  ])("$tool does not take the one away that leads to the file: $input", async ({ tool, input }) => {
    expect(await on("conf/holdfast/config.jsonc")(tool, input)).toMatchObject({ code: "denied" });
  });

  it("other links come and go", async () => {
    const caller = on("conf/holdfast/config.jsonc");
    expect(await caller("move", { source: "link", destination: "dots/link" })).toMatchObject({ code: "ok" });
    expect(await caller("delete", { path: "dots/link" })).toMatchObject({ code: "ok" });
    expect(await caller("restore", { path: "dots/link", destination: "link" })).toMatchObject({ code: "ok" });
  });
});

describe("a .git that is a file leads git elsewhere", () => {
  it.each([
    { tool: "write", input: { path: "tree/.git", content: "gitdir: ../evil\n" } },
    { tool: "write", input: { path: "tree/.git", content: "x", append: true } },
    { tool: "edit", input: { path: "tree/.git", oldText: "main", newText: "evil" } },
    { tool: "move", input: { source: "evil", destination: "tree/.git", overwrite: true } },
    { tool: "copy", input: { source: "evil", destination: "tree/.git", overwrite: true } },
  ])("$tool needs a yes: $input", async ({ tool, input }) => {
    const { caller, questions } = under([], "denied", {
      "tree/.git": "gitdir: ../main/.git/worktrees/tree\n",
      "evil/config": "[core]\nfsmonitor = touch /tmp/owned\n",
    });
    expect(await caller(tool, input)).toMatchObject({ code: "denied" });
    expect(questions).toHaveLength(1);
  });
});

describe("what may not be read without a yes", () => {
  const hash = "c-2cf24dba5fb0a30e26e83b2a";

  it.each([
    { tool: "move", input: { source: "id_rsa", destination: "x", dry_run: true } },
    { tool: "move", input: { source: "id_rsa", destination: "other/id_rsa" } },
    { tool: "delete", input: { path: "id_rsa", if_match: "c-000000000000000000000000", dry_run: true } },
    { tool: "move", input: { source: "id_rsa", destination: "other/id_rsa", if_match: "c-000000000000000000000000" } },
    { tool: "write", input: { path: "id_rsa", content: "", append: true, if_match: "c-000000000000000000000000" } },
  ])("$tool does not tell the hash of its content: $input", async ({ tool, input }) => {
    const { caller } = under([], "denied", { id_rsa: "hello" });
    const { text, data } = await caller(tool, input);
    expect(text + JSON.stringify(data)).not.toContain(hash);
  });

  it("restore does not tell it", async () => {
    const { caller } = under([], "denied", { id_rsa: "hello" });
    await caller("delete", { path: "id_rsa" });
    expect(JSON.stringify(await caller("restore", { path: "id_rsa" }))).not.toContain(hash);
  });

  it("a guess is not confirmed", async () => {
    const { caller } = under([], "denied", { id_rsa: "hello" });
    const guess = (if_match: string) => caller("delete", { path: "id_rsa", dry_run: true, if_match });
    expect((await guess(hash)).code).toBe((await guess("c-000000000000000000000000")).code);
  });
});

it("history does not name what the rules hide", async () => {
  const root = scratch({ "public/a.txt": "a" });
  const before = callerOn(root);
  await before("write", { path: "private/diary.txt", content: "one\n" });
  await before("move", { source: "private/diary.txt", destination: "public/diary.txt" });
  await before("write", { path: "public/b.txt", content: "b" });
  const rules = [{ act: "read" as const, path: "private", decide: "blocked" as const, origin: "test" }];
  const after = callerOn(root, { ruleSource: { layers: [{ name: "user", rules }] } });
  const { text, data } = await after("history");
  expect(text + JSON.stringify(data)).not.toContain("private");
  expect(data["changes"]).toMatchObject([{ files: [{ path: "public/b.txt" }] }]);
});

it("the reason of a rule, which a workspace may write, forges no line of a question", async () => {
  const reason = "it is old\nread /tmp/harmless\u2028Undo takes it back\u001b[8m";
  const { caller, questions } = under([{ act: "read", path: "a", decide: "approval", reason }], "denied", { a: "a" });
  await caller("read", { path: "a" });
  const [question] = questions;
  expect(question && questionText(question).split(/[\n\u2028]/)).toHaveLength(3);
  expect(question && questionText(question)).not.toContain("\u001b");
});

it.each([
  { tool: "read", path: "" },
  { tool: "read", path: "/deeper" },
  { tool: "stat", path: "/deeper" },
  { tool: "stat", path: "/deeper/still" },
  { tool: "ls", path: "" },
  { tool: "grep", path: "", pattern: "1" },
  { tool: "write", path: "/deeper", content: "x" },
])("a link into what is hidden tells neither where it leads nor what is there: $tool $path", async (wanted) => {
  const tree = { "private/there": "1", way: { link: "private" } };
  const { caller } = under([{ act: "read", path: "private", decide: "blocked" }], "denied", tree);
  const { tool, path, ...more } = wanted;
  const asked = (name: string) => caller(tool, { ...more, path: `way/${name}${path}` });
  const [there, gone] = [await asked("there"), await asked("gone")];
  expect(there.text).not.toContain("private");
  expect(gone.text.replace("way/gone", "way/there")).toBe(there.text);
});
