import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import type { Verdict } from "../../../src/base/verdicts.ts";
import { callerOn, scratch } from "../scratch.ts";
import { type Says, under } from "./under-rules.ts";

/** Returns the answer of grep when so many paths need approval. */
const left = (count: number) => ({ code: "ok", data: { needs_approval: { count } } });

describe("reading under rules", () => {
  const tree = { "free.txt": "free", "private/diary.txt": "dear diary", "to-diary": { link: "private/diary.txt" } };
  const reading = (decide: Verdict, answer: Says) =>
    under([{ act: "read", path: "private", decide, reason: "it is private" }], answer, tree);

  it.each([
    { verdict: "autonomous", answer: "denied", path: "private/diary.txt" },
    { verdict: "notify", answer: "denied", path: "private/diary.txt" },
    { verdict: "approval", answer: "allowed", path: "private/diary.txt" },
    { verdict: "approval", answer: "allowed", path: "to-diary" },
  ] as const)("$verdict and $answer: $path is read", async ({ verdict, answer, path }) => {
    const { caller } = reading(verdict, answer);
    expect((await caller("read", { path })).text).toBe("dear diary");
  });

  it.each([
    { verdict: "approval", answer: "denied", path: "private/diary.txt" },
    { verdict: "approval", answer: "pending", path: "private/diary.txt", code: "pending" },
    { verdict: "approval", answer: "denied", path: "to-diary" },
    { verdict: "blocked", answer: "allowed", path: "private/diary.txt" },
    { verdict: "blocked", answer: "allowed", path: "to-diary" },
    { verdict: "blocked", answer: "allowed", path: "private/../private/diary.txt" },
  ] as const)("$verdict and $answer: $path is refused", async ({ verdict, answer, path, ...more }) => {
    const { caller } = reading(verdict, answer);
    const result = await caller("read", { path });
    expect(result.code).toBe("code" in more ? more.code : "denied");
    expect(result.text).not.toContain("dear diary");
  });

  it("what waits for a yes is named", async () => {
    const { caller } = reading("approval", "pending");
    const { text } = await caller("read", { path: "private/diary.txt" });
    expect(text).toMatch(/^Cannot run read on "private\/diary\.txt" yet: /);
  });

  it.each(["to-none", "private/none.txt"])("whether %s exists is not told where nothing may be seen", async (path) => {
    const closed = { act: "read", path: "private", decide: "blocked" } as const;
    const { caller } = under([closed], "allowed", { ...tree, "to-none": { link: "private/none.txt" } });
    expect((await caller("read", { path })).code).toBe("denied");
    expect((await caller("write", { path, content: "x" })).code).toBe("denied");
  });

  it("asks once for all that a call names, and says exactly what would be read", async () => {
    const { root, questions, caller } = under([{ act: "read", path: "[ab].txt", decide: "approval" }], "allowed", {
      "a.txt": "A",
      "b.txt": "B",
      "c.txt": "C",
    });
    const { data } = await caller("read", { paths: ["c.txt", "a.txt", "b.txt"] });
    expect(data["files"]).toMatchObject([{ content: "C" }, { content: "A" }, { content: "B" }]);
    const parts = [join(root, "a.txt"), join(root, "b.txt")].map((path) => ({ action: "read", path }));
    expect(questions).toMatchObject([
      { tool: "read", effect: { parts }, reasons: ["a rule of the user says so (read)"] },
    ]);
  });

  it("does not ask about what is not there", async () => {
    const { questions, caller } = reading("approval", "allowed");
    expect((await caller("read", { path: "private/none.txt" })).code).toBe("not_found");
    expect(questions).toEqual([]);
  });

  it("shows the names of what it would ask for, and does not walk into it", async () => {
    const { questions, caller } = reading("approval", "denied");
    expect((await caller("tree")).text).toBe("./\n  private/ (cannot be opened)\n  free.txt\n  to-diary@");
    expect((await caller("stat", { path: "private/diary.txt" })).isError).toBe(false);
    expect(questions).toEqual([]);
  });

  it("a walk does not show what is blocked, and a list answers for the rest", async () => {
    const { caller } = reading("blocked", "allowed");
    expect((await caller("tree")).text).toBe("./\n  free.txt\n  to-diary@");
    const { data } = await caller("read", { paths: ["private/diary.txt", "free.txt"] });
    expect(data["files"]).toMatchObject([{ error: { code: "denied" } }, { content: "free" }]);
  });

  it.each([
    { tool: "write", input: { path: "private/diary.txt", content: "new" } },
    { tool: "edit", input: { path: "private/diary.txt", oldText: "dear", newText: "my" } },
    { tool: "copy", input: { source: "private", destination: "copy" } },
    { tool: "copy", input: { source: "private/diary.txt", destination: "copy" } },
    { tool: "delete", input: { path: "private", recursive: true } },
    {
      tool: "apply_patch",
      input: { input: "*** Begin Patch\n*** Update File: private/diary.txt\n-dear diary\n+x\n*** End Patch" },
    },
  ])("$tool asks before it reads", async ({ tool, input }) => {
    const { questions, caller } = reading("approval", "allowed");
    expect(await caller(tool, input)).toMatchObject({ code: "ok" });
    expect(questions.length).toBeGreaterThan(0);
  });

  const notice = "[Not searched: 3 places that need approval; name one as path to ask]";

  it.each([
    { input: {}, result: { ...left(3), text: `free.txt\n1:1 free\n${notice}` } },
    { input: { pattern: "nowhere" }, result: { ...left(3), text: `[No matches]\n${notice}` } },
    { input: { mode: "files" }, result: left(3) },
    { input: { mode: "count" }, result: left(3) },
    { input: { mode: "total" }, result: left(3) },
    { input: { count_by: 1 }, result: left(3) },
    { input: { glob: "*.txt" }, result: left(1) },
    { input: { exclude: ["private"] }, result: left(2) },
    { input: { path: "b.key" }, result: { code: "denied" } },
    { input: { path: "private" }, result: { code: "denied" } },
  ])("grep says of $input how many places need a yes, whatever is in them", async ({ input, result }) => {
    const locked = { act: "read" as const, path: ["private", "*.key"], decide: "approval" as const };
    const searched = async (secret: string) => {
      const diary = { "private/diary.txt": secret, "to-diary": { link: "private/diary.txt" } };
      const keys = { "a.key": secret, "b.key": secret };
      const { caller } = under([locked], "denied", { "free.txt": "free", ...keys, ...diary });
      return caller("grep", { pattern: "(free)", ...input });
    };
    const [one, other] = await Promise.all([searched("free"), searched("nothing")]);
    expect(one).toMatchObject(result);
    expect(other.text).toBe(one.text);
  });

  it("grep counts them in the nearest directories, and says so", async () => {
    const many = Array.from({ length: LIMITS.hiddenDirectories }, (_, index) => [`many/${index}/a.txt`, "a"] as const);
    const { caller } = under([{ act: "read", path: "*.key", decide: "approval" }], "denied", {
      "near.key": "a",
      ...Object.fromEntries(many),
      "many/0/1/2/far.key": "a",
    });
    const { data, text } = await caller("grep", { pattern: "nowhere" });
    expect(data).toMatchObject({ needs_approval: { count: 1, at_least: true } });
    expect(text).toContain(`1 place that needs approval, counted in ${LIMITS.hiddenDirectories} directories;`);
  });

  it("grep searches what it was given a yes for", async () => {
    const { caller, questions } = reading("approval", "allowed");
    const { text } = await caller("grep", { pattern: "diary", path: "private/diary.txt" });
    expect(text).toBe("private/diary.txt\n1:6 dear diary");
    expect(questions).toHaveLength(1);
  });

  it.each([
    { decide: "autonomous", code: "no_match" },
    { decide: "blocked", code: "stale" },
  ] as const)("what was kept of a file tells nothing to who may not read that: $decide", async ({ decide, code }) => {
    const root = scratch({ "a.txt": "a\n" });
    const before = callerOn(root);
    const { data } = await before("write", { path: "secret.txt", content: "1\n2\n" });
    await before("write", { path: "secret.txt", append: true, content: "3\n" });
    const rules = [{ act: "read" as const, path: "secret.txt", decide, origin: "test" }];
    const caller = callerOn(root, { ruleSource: { layers: [{ name: "user", rules }] } });
    const edit = { path: "a.txt", oldText: "9", newText: "x", if_match: data["version"] };
    expect((await caller("edit", edit)).code).toBe(code);
  });
});
