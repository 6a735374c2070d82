import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { resolveDecision } from "../../../src/runtime/approvals/approvals.ts";
import { type Tree } from "../scratch.ts";
import { WHILE_BUSY } from "../../work.ts";
import { under } from "./under-rules.ts";

describe("what has to be asked", () => {
  it.each([
    { verdict: "autonomous", asks: 0 },
    { verdict: "notify", asks: 0 },
    { verdict: "approval", asks: 1 },
  ] as const)("$verdict: $asks questions", async ({ verdict, asks }) => {
    let asked = 0;
    await resolveDecision(
      { verdict, reasons: [] },
      () => "run read",
      async () => {
        asked++;
        return "allowed";
      },
    );
    expect(asked).toBe(asks);
  });

  it("what is blocked is not even asked for", () => {
    expect(() =>
      resolveDecision(
        { verdict: "blocked", reasons: ["because"] },
        () => "run read",
        () => expect.fail("asked"),
      ),
    ).toThrow(expect.objectContaining({ code: "denied", message: "Cannot run read: because" }));
  });
});

const blocked = (act: RuleEntry["act"], path: NonNullable<RuleEntry["path"]>): RuleEntry => ({
  act,
  path,
  decide: "blocked",
});

describe("changing under rules", () => {
  const TREE: Tree = { "a.txt": "a", "docs/b.txt": "b", "docs/secrets/key": "k", "app/.git/HEAD": "h", "app/x": "x" };
  it.each([
    {
      name: "a tree with something blocked in it",
      rules: [blocked("delete", "**/secrets/**")],
      tool: "delete",
      input: { path: "docs", recursive: true },
      code: "denied",
    },
    {
      name: "a tree beside it",
      rules: [blocked("delete", "**/secrets/**")],
      tool: "delete",
      input: { path: "app", recursive: true },
      code: "ok",
    },
    {
      name: "moving such a tree",
      rules: [blocked("move", "docs/secrets/**")],
      tool: "move",
      input: { source: "docs", destination: "d" },
      code: "denied",
    },
    {
      name: "copying a tree to where its parts may not be made",
      rules: [blocked("create", "d/secrets/**")],
      tool: "copy",
      input: { source: "docs", destination: "d" },
      code: "denied",
    },
    {
      name: "moving a tree there",
      rules: [blocked("write", "d/secrets/**")],
      tool: "move",
      input: { source: "docs", destination: "d" },
      code: "denied",
    },
    {
      name: "copying a tree with something unreadable in it",
      rules: [blocked("read", "**/key")],
      tool: "copy",
      input: { source: "docs", destination: "d" },
      code: "denied",
    },
    {
      name: "moving something to where it could be read",
      rules: [blocked("read", "docs/secrets/**")],
      tool: "move",
      input: { source: "docs/secrets", destination: "open" },
      code: "denied",
    },
    {
      name: "moving what is around it",
      rules: [blocked("read", "docs/secrets/**")],
      tool: "move",
      input: { source: "docs", destination: "open" },
      code: "denied",
    },
    {
      name: "moving it where the same holds",
      rules: [blocked("read", "**/secrets/**")],
      tool: "move",
      input: { source: "docs", destination: "open" },
      code: "ok",
    },
    {
      name: "a new file where writing is blocked",
      rules: [blocked("write", "docs/**")],
      tool: "write",
      input: { path: "docs/new", content: "" },
      code: "denied",
    },
    {
      name: "deleting where writing is blocked",
      rules: [blocked("write", "docs/**")],
      tool: "delete",
      input: { path: "docs/b.txt" },
      code: "ok",
    },
    {
      name: "moving in where writing is blocked",
      rules: [blocked("write", "docs/**")],
      tool: "move",
      input: { source: "a.txt", destination: "docs/a.txt" },
      code: "denied",
    },
    {
      name: "a file inside .git",
      rules: [],
      tool: "write",
      input: { path: "app/.git/HEAD", content: "" },
      code: "denied",
    },
    {
      name: "copying a whole repository",
      rules: [],
      tool: "copy",
      input: { source: "app", destination: "app2" },
      code: "ok",
    },
    {
      name: "moving a whole repository",
      rules: [],
      tool: "move",
      input: { source: "app", destination: "app2" },
      code: "ok",
    },
    {
      name: "deleting a whole repository",
      rules: [],
      tool: "delete",
      input: { path: "app", recursive: true },
      code: "ok",
    },
    {
      name: "putting something in the place of .git",
      rules: [],
      tool: "move",
      input: { source: "docs", destination: "docs2/.git" },
      code: "denied",
    },
    {
      name: "a dry run of what would be asked for",
      rules: [{ act: "write", decide: "approval" }],
      tool: "write",
      input: { path: "a.txt", content: "x", dry_run: true },
      code: "ok",
    },
    {
      name: "a dry run of what is blocked",
      rules: [blocked("write", "a.txt")],
      tool: "write",
      input: { path: "a.txt", content: "x", dry_run: true },
      code: "denied",
    },
  ] as const)("$name: $code", async ({ rules, tool, input, code }) => {
    const { caller } = under(rules, "denied", TREE);
    const answer = await caller(tool, input);
    expect([answer.code, answer.text]).toEqual([code, answer.text]);
  });

  it("names what in a tree is in the way", async () => {
    const { caller } = under([blocked("delete", "**/secrets/**")], "denied", TREE);
    const { text } = await caller("delete", { path: "docs", recursive: true });
    expect(text).toMatch(
      /^Cannot run delete: "docs\/secrets\/key": a rule of the user says so \(delete \*\*\/secrets\/\*\*\)\n/,
    );
  });

  it.each([
    {
      name: "one place",
      rules: [blocked("write", "docs/**")],
      tool: "write",
      input: { path: "docs/b.txt", content: "" },
      says: 'Cannot run write on "docs/b.txt": a rule of the user says so (write docs/**)',
    },
    {
      name: "the one of two that is in the way",
      rules: [blocked("create", ["secrets", "/elsewhere/**"])],
      tool: "move",
      input: { source: "a.txt", destination: "secrets/a.txt" },
      says: 'Cannot run move on "secrets", "secrets/a.txt": a rule of the user says so (create secrets)',
    },
    {
      name: "a reason of the operator",
      rules: [{ act: "delete", decide: "blocked", reason: "nothing\ngoes" }],
      tool: "delete",
      input: { path: "a.txt" },
      says: 'Cannot run delete on "a.txt": nothing goes',
    },
    {
      name: "more than anybody reads",
      rules: [{ act: "create", path: "n", decide: "blocked" }],
      tool: "mkdir",
      input: { path: "n/1/2/3/4/5" },
      says: 'Cannot run mkdir on "n", "n/1", "n/1/2", "n/1/2/3", "n/1/2/3/4", …: a rule of the user says so (create n)',
    },
  ] as const)("names what is refused, and the rule: $name", async ({ rules, tool, input, says }) => {
    const { caller } = under(rules, "denied", TREE);
    expect((await caller(tool, input)).text.split("\n")[0]).toBe(says);
  });

  it("what was deleted comes back to its place, but not to where it could be read", async () => {
    const { caller } = under([blocked("read", "docs/secrets/**")], "denied", TREE);
    const { data } = await caller("delete", { path: "docs/secrets", recursive: true });
    const { trash_id } = data;
    expect((await caller("restore", { trash_id, destination: "open" })).code).toBe("denied");
    expect((await caller("restore", { trash_id })).code).toBe("ok");
  });

  it("deleting for good is done after a yes", async () => {
    const { root, questions, caller } = under([], "allowed", TREE);
    expect((await caller("delete", { path: "a.txt", permanent: true })).code).toBe("ok");
    expect(questions.map(({ reasons }) => reasons)).toEqual([["what is deleted for good cannot be brought back"]]);
    expect(existsSync(join(root, "a.txt"))).toBe(false);
  });

  it("a limit is used up by what is done, not by what is shown", async () => {
    const limit: RuleEntry = {
      act: "write",
      decide: "autonomous",
      rate_limit: { max: 2, window: "1h", on_exceed: "blocked" },
    };
    const { caller } = under([limit], "denied", TREE);
    const write = (content: string, dry_run = false) => caller("write", { path: "a.txt", content, dry_run });
    const answer = [await write("1", true), await write("1"), await write("2"), await write("3")];
    expect(answer.map(({ code }) => code)).toEqual(["ok", "ok", "ok", "denied"]);
    expect(answer[3]?.text).toContain("at most 2 in 1h, and that is used up");
    expect(answer[3]?.data).toMatchObject({ error: { retry_after_s: expect.closeTo(3600, -2) } });
  });

  it.each([
    { name: "a limit that is used up", more: [], hint: /^Try again in \d+ s: only the limit is used up$/ },
    {
      name: "more than a limit",
      more: [{ act: "read", path: "a.txt", decide: "blocked" } satisfies RuleEntry],
      hint: /^Do not retry/,
    },
  ])("whoever is refused by $name is told when to come again, or not to", async ({ more, hint }) => {
    const limit: RuleEntry = {
      act: ["read", "write"],
      decide: "autonomous",
      rate_limit: { max: 1, window: "1h", on_exceed: "blocked" },
    };
    const { caller } = under([limit, ...more], "denied", TREE);
    await caller("write", { path: "b.txt", content: "", overwrite: true });
    const answer = await caller("read", { path: "a.txt" });
    expect(answer).toMatchObject({ code: "denied", data: { error: { hint: expect.stringMatching(hint) } } });
  });
});

it("a limit holds for calls that are made at once", async () => {
  const limit: RuleEntry = {
    act: "write",
    decide: "autonomous",
    rate_limit: { max: 2, window: "1h", on_exceed: "blocked" },
  };
  const { caller } = under([limit], "denied", { "a.txt": "" });
  const answer = await Promise.all([1, 2, 3, 4].map((nth) => caller("write", { path: `n${nth}`, content: "" })));
  expect(answer.map(({ code }) => code).toSorted()).toEqual(["denied", "denied", "ok", "ok"]);
});

it("calls whose limit is used up meanwhile ask at the same time", async () => {
  const rules: readonly RuleEntry[] = [
    { act: "delete", decide: "autonomous", rate_limit: { max: 1, window: "1h", on_exceed: "approval" } },
    { act: "delete", path: "**/precious", decide: "blocked" },
  ];
  const trees = ["a", "b", "c", "d"];
  const tree = Object.fromEntries(trees.map((name) => [`${name}/file`, ""]));
  // Nobody answers the first question before all three are asked.
  const { caller } = under(rules, "allowed", tree, (questions) =>
    vi.waitUntil(() => questions.length === 3, WHILE_BUSY),
  );
  const answers = await Promise.all(trees.map((path) => caller("delete", { path, recursive: true })));
  expect(answers.map(({ code }) => code)).toEqual(["ok", "ok", "ok", "ok"]);
});

it("a limit holds for trees that are deleted at once, each of which has to be looked into", async () => {
  const rules: readonly RuleEntry[] = [
    { act: "delete", decide: "autonomous", rate_limit: { max: 2, window: "1h", on_exceed: "blocked" } },
    { act: "delete", path: "**/precious", decide: "blocked" },
  ];
  const trees = ["a", "b", "c", "d"];
  const { caller } = under(rules, "denied", Object.fromEntries(trees.map((name) => [`${name}/file`, ""])));
  const answers = await Promise.all(trees.map((path) => caller("delete", { path, recursive: true })));
  expect(answers.map(({ code }) => code).toSorted()).toEqual(["denied", "denied", "ok", "ok"]);
});

describe("what is told", () => {
  it.each([
    {
      name: "a write",
      tool: "write",
      input: { path: "new/a.txt", content: "a" },
      done: ["create new", "create new/a.txt"],
      reasons: ["it changes files"],
    },
    { name: "a deletion", tool: "delete", input: { path: "a.txt" }, done: ["delete a.txt"], reasons: ["it deletes"] },
    {
      name: "a read of an environment",
      tool: "read",
      input: { path: ".env" },
      done: ["read .env"],
      reasons: ["it often holds passwords"],
    },
    {
      name: "moving an environment to where nobody would be told",
      tool: "move",
      input: { source: ".env", destination: ".env.old" },
      done: ["move .env", "read .env", "create .env.old"],
      reasons: ["it moves files", "it often holds passwords", "it changes files"],
    },
  ])("$name", async ({ tool, input, done, reasons }) => {
    const { caller, notices } = under([], "denied", { "a.txt": "a", ".env": "A=1" });
    expect((await caller(tool, input)).code).toBe("ok");
    const answer = notices.map((notice) => ({ ...notice, done: notice.done.map(({ act, path }) => `${act} ${path}`) }));
    expect(answer).toEqual([{ tool, session: expect.any(String), done, reasons }]);
  });

  it("names a tree that holds something to be notified of, beside places that are so themselves", async () => {
    const rules: RuleEntry[] = [
      { act: ["write", "move"], decide: "autonomous" },
      { act: "move", path: "a/one.txt", decide: "notify", reason: "it moves one" },
      { act: "write", path: "b", decide: "notify", reason: "it writes b" },
    ];
    const { caller, notices } = under(rules, "denied", { "a/one.txt": "1" });
    expect(await caller("move", { source: "a", destination: "b" })).toMatchObject({ code: "ok" });
    expect(notices.map(({ done, reasons }) => ({ done, reasons }))).toEqual([
      {
        done: [
          { act: "move", path: "a" },
          { act: "create", path: "b" },
        ],
        reasons: [`"a/one.txt": it moves one`, "it writes b"],
      },
    ]);
  });

  it.each([
    { name: "an ordinary read", tool: "read", input: { path: "a.txt" } },
    { name: "a dry run", tool: "write", input: { path: "a.txt", content: "b", dry_run: true } },
    { name: "what was refused", tool: "write", input: { path: ".git/x", content: "b" } },
    { name: "a listing", tool: "ls", input: {} },
  ])("nothing: $name", async ({ tool, input }) => {
    const { caller, notices } = under([], "denied", { "a.txt": "a", ".env": "A=1", ".git/HEAD": "" });
    await caller(tool, input);
    expect(notices).toEqual([]);
  });
});
