import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Approver, denyAll, type Question, settle } from "../../src/runtime/approvals.ts";
import { decide, narrowedTo, READ_ONLY_RULES, type Rule, type Verdict, type Want } from "../../src/runtime/policy.ts";
import { appOn, callerOf, scratch } from "./scratch.ts";

const rule = (within: string, verdict: Verdict, reason: string, act: Rule["act"] = "read"): Rule => ({
  act,
  within,
  verdict,
  reason,
});
const want = (place: string, act: Want["act"] = "read"): Want => ({ act, place });

it.each([
  { name: "a chosen directory", place: "/a/x", verdict: "autonomous" },
  { name: "the directory itself", place: "/b", verdict: "autonomous" },
  { name: "one that was not chosen", place: "/c", verdict: "blocked" },
  { name: "a name that only begins alike", place: "/ab", verdict: "blocked" },
  { name: "what was blocked before", place: "/a/secret", verdict: "blocked" },
])("rules narrowed to directories: $name", ({ place, verdict }) => {
  const rules = narrowedTo([rule("", "autonomous", "free"), rule("/a/secret", "blocked", "secret")], ["/a", "/b"]);
  expect(decide(rules, [want(place)]).verdict).toBe(verdict);
});

describe("what the rules decide", () => {
  it.each([
    { name: "nothing wanted", rules: [], wants: [], verdict: "autonomous", reasons: [] },
    {
      name: "nothing said",
      rules: [],
      wants: [want("/a")],
      verdict: "blocked",
      reasons: ["no rule allows to read it"],
    },
    {
      name: "allowed everywhere",
      rules: [rule("", "autonomous", "free")],
      wants: [want("/a")],
      verdict: "autonomous",
      reasons: ["free"],
    },
    {
      name: "the strictest of two",
      rules: [rule("", "autonomous", "free"), rule("/a", "approval", "ask first")],
      wants: [want("/a/b")],
      verdict: "approval",
      reasons: ["ask first"],
    },
    {
      name: "a blocked place among free ones",
      rules: [rule("", "autonomous", "free"), rule("/secret", "blocked", "secret")],
      wants: [want("/a"), want("/secret/key"), want("/b")],
      verdict: "blocked",
      reasons: ["secret"],
    },
    {
      name: "a name that only begins alike",
      rules: [rule("", "autonomous", "free"), rule("/secret", "blocked", "secret")],
      wants: [want("/secrets")],
      verdict: "autonomous",
      reasons: ["free"],
    },
    {
      name: "the directory itself",
      rules: [rule("", "autonomous", "free"), rule("/secret", "blocked", "secret")],
      wants: [want("/secret")],
      verdict: "blocked",
      reasons: ["secret"],
    },
    {
      name: "everything below the top",
      rules: [rule("/", "blocked", "all of it")],
      wants: [want("/a")],
      verdict: "blocked",
      reasons: ["all of it"],
    },
    {
      name: "two reasons of the same weight",
      rules: [rule("", "notify", "told"), rule("/a", "notify", "told too")],
      wants: [want("/a")],
      verdict: "notify",
      reasons: ["told", "told too"],
    },
    {
      name: "a rule about another act",
      rules: [rule("", "autonomous", "free")],
      wants: [want("/a", "write")],
      verdict: "blocked",
      reasons: ["no rule allows to write it"],
    },
    {
      name: "writing in a read-only session",
      rules: READ_ONLY_RULES,
      wants: [want("/a", "write")],
      verdict: "blocked",
      reasons: ["this session is read-only"],
    },
  ] as const)("$name: $verdict", ({ rules, wants, verdict, reasons }) => {
    expect(decide(rules, wants)).toEqual({ verdict, reasons });
  });
});

describe("how an answer settles it", () => {
  const asked: Question = { tool: "read", preview: "read /a", reasons: ["because"] };
  const refused = { code: "denied", message: "Cannot run read: because" };

  it.each([
    { verdict: "autonomous", answer: "denied", asks: 0, throws: undefined },
    { verdict: "notify", answer: "denied", asks: 0, throws: undefined },
    { verdict: "approval", answer: "allowed", asks: 1, throws: undefined },
    {
      verdict: "approval",
      answer: "denied",
      asks: 1,
      throws: { ...refused, details: { verdict: "approval", answer: "denied" } },
    },
    {
      verdict: "approval",
      answer: "pending",
      asks: 1,
      throws: { ...refused, details: { verdict: "approval", answer: "pending" } },
    },
    {
      verdict: "blocked",
      answer: "allowed",
      asks: 0,
      throws: { ...refused, details: { verdict: "blocked", answer: "denied" } },
    },
  ] as const)("$verdict, and the answer is $answer", async ({ verdict, answer, asks, throws }) => {
    const questions: Question[] = [];
    const approver: Approver = async (question) => {
      questions.push(question);
      return answer;
    };
    const settled = settle({ verdict, reasons: ["because"] }, approver, "read", "read /a");
    const fault = await settled?.catch(({ code, message, details }) => ({ code, message, details }));
    expect(fault).toEqual(throws);
    expect(questions).toEqual(Array.from({ length: asks }, () => asked));
  });

  it("nobody there to ask means no", async () => {
    expect(await denyAll(asked)).toBe("denied");
  });
});

describe("a whole call under rules", () => {
  const tree = { "free.txt": "free", "private/diary.txt": "dear diary", "to-diary": { link: "private/diary.txt" } };

  const callerWith = (verdict: Verdict, answer: Awaited<ReturnType<Approver>>) => {
    const root = scratch(tree);
    const app = appOn(root);
    const questions: Question[] = [];
    const session = {
      ...app.session,
      rules: [...app.session.rules, rule(join(root, "private"), verdict, "it is private")],
      approver: async (question: Question) => {
        questions.push(question);
        return answer;
      },
    };
    return { root, questions, caller: callerOf({ ...app, session }) };
  };

  it.each([
    { verdict: "autonomous", answer: "denied", text: "dear diary" },
    { verdict: "notify", answer: "denied", text: "dear diary" },
    { verdict: "approval", answer: "allowed", text: "dear diary" },
  ] as const)("$verdict and $answer: read", async ({ verdict, answer, text }) => {
    const { caller } = callerWith(verdict, answer);
    expect((await caller("read", { path: "private/diary.txt" })).text).toBe(text);
  });

  it.each([
    { verdict: "approval", answer: "denied", path: "private/diary.txt" },
    { verdict: "approval", answer: "pending", path: "private/diary.txt" },
    { verdict: "blocked", answer: "allowed", path: "private/diary.txt" },
    { verdict: "blocked", answer: "allowed", path: "to-diary" },
    { verdict: "blocked", answer: "allowed", path: "private/../private/diary.txt" },
  ] as const)("$verdict and $answer: $path is refused", async ({ verdict, answer, path }) => {
    const { caller } = callerWith(verdict, answer);
    const told = await caller("read", { path });
    expect(told.code).toBe("denied");
    expect(told.text).not.toContain("dear diary");
  });

  it("the approver sees exactly what would be read", async () => {
    const { root, questions, caller } = callerWith("approval", "allowed");
    await caller("read", { paths: ["free.txt", "private/diary.txt"] });
    const preview = `read ${join(root, "private/diary.txt")}`;
    expect(questions).toEqual([{ tool: "read", preview, reasons: ["it is private"] }]);
  });

  it.each([
    { name: "by its own path", state: (root: string) => join(root, "kept") },
    { name: "through a link", state: (root: string) => join(root, "link", "kept") },
  ])("our own state inside a root is neither shown nor read: $name", async ({ state }) => {
    const root = scratch({ ...tree, link: { link: "." } });
    const app = appOn(root, { stateDirectory: state(root) });
    const caller = callerOf(app);
    await caller("ls");
    app.close();
    const log = join("kept", String(readdirSync(join(root, "kept"))[0]));
    expect((await caller("ls")).text).not.toContain("kept");
    expect((await caller("tree")).text).not.toContain("kept");
    for (const path of ["kept", log, join("link", log), join(root, log)]) {
      expect((await caller("ls", { path })).code).toBe("denied");
      expect((await caller("stat", { path })).code).toBe("denied");
    }
  });

  it("a walk does not show what is blocked, and a list answers for the rest", async () => {
    const { caller } = callerWith("blocked", "allowed");
    expect((await caller("tree")).text).toBe("./\n  free.txt\n  to-diary@");
    const { data } = await caller("read", { paths: ["private/diary.txt", "free.txt"] });
    expect(data["files"]).toMatchObject([{ error: { code: "denied" } }, { content: "free" }]);
  });
});
