import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { Options } from "../../src/app/options.ts";
import type { RuleEntry } from "../../src/config/rule.ts";
import { checkedPlugins } from "../../src/plugins/check-plugins.ts";
import type { ApprovalAnswer, ApprovalRequest } from "../../src/runtime/approvals/approval.ts";
import { answer, defineTool, outward, OUTWARD } from "../../src/tools/tool.ts";
import { readWholeText } from "../../src/tools/whole-text.ts";
import { questionLines } from "../../src/runtime/effects/effect-text.ts";
import { person, sessionOn, workroom } from "./approvals/approving.ts";
import { rule } from "./rules/ruling.ts";
import { callerOn, scratch } from "./scratch.ts";

/** A tool that posts what it is given, and what really left. */
function posting() {
  const sent: string[] = [];
  const post = defineTool({
    name: "post",
    title: "Post",
    description: "Send a text.",
    annotations: OUTWARD,
    input: z.strictObject({ text: z.string().optional(), path: z.string().optional() }),
    output: z.object({ sent: z.int() }),
    async plan({ text, path }, view) {
      const body = text ?? (await readWholeText(view, path ?? ""));
      return outward({
        acts: ["network"],
        target: "POST https://example.org/notes",
        sends: body,
        async run() {
          sent.push(body);
          return answer(`echo: ${body}`, { sent: body.length });
        },
      });
    },
  });
  return { sent, post };
}

const on = (rules: readonly RuleEntry[], more: Partial<Options> = {}) => {
  const { sent, post } = posting();
  return { sent, ...workroom({ rules, options: { tools: [post], ...more } }) };
};

describe("what reaches beyond the files is decided by rules", () => {
  const ask = rule("network", undefined, "approval");
  it.each([
    { name: "asked for where nobody says anything", rules: [], code: "pending" },
    { name: "let", rules: [rule("network", undefined, "autonomous")], code: "ok" },
    { name: "blocked", rules: [rule("network", undefined, "blocked")], code: "denied" },
    { name: "let by its name", rules: [rule("network", undefined, "autonomous", { tool: "p*t" })], code: "ok" },
    { name: "let for another tool", rules: [rule("network", undefined, "autonomous", { tool: "x" })], code: "pending" },
    { name: "asked by its name", rules: [ask, rule("network", undefined, "blocked", { tool: "x" })], code: "pending" },
    { name: "let as another act", rules: [rule("exec", undefined, "autonomous")], code: "pending" },
  ])("$name: $code", async ({ rules, code }) => {
    const { sent, caller } = on(rules);
    expect((await caller("post", { text: "hello" })).code).toBe(code);
    expect(sent).toEqual(code === "ok" ? ["hello"] : []);
  });
});

describe("a yes", () => {
  it("is for exactly what is sent, all of which is shown", async () => {
    const { sent, caller } = on([]);
    const { asked, channel } = person("client", { decision: "once" });
    await caller("post", { text: "one\ntwo" }, { channel });
    await caller("post", { text: "three" }, { channel });
    expect(sent).toEqual(["one\ntwo", "three"]);
    expect(asked.map(questionLines)).toEqual([
      [
        "post: it reaches beyond the files",
        "call POST https://example.org/notes",
        "one",
        "two",
        "CANNOT be taken back",
      ],
      ["post: it reaches beyond the files", "call POST https://example.org/notes", "three", "CANNOT be taken back"],
    ]);
  });

  it.each(["session", "always"] as const)("for longer (%s) is for the tool", async (decision) => {
    const { sent, caller, app } = on([]);
    const { asked, channel } = person("client", { decision });
    await caller("post", { text: "one" }, { channel });
    await caller("post", { text: "two" }, { channel });
    expect({ sent, questions: asked.length }).toEqual({ sent: ["one", "two"], questions: 1 });
    expect(app.grants.listStored()).toMatchObject(decision === "always" ? [{ act: "network", tool: "post" }] : []);
  });
});

const named = (name: string) => ({ ...posting().post, name });

it("a yes to a tool is none to a plugin of that name, nor to a tool that is spelled almost so", async () => {
  const plugins = checkedPlugins([{ from: "test", plugin: { id: "mail", tools: [named("send")] } }], expect.fail);
  const tools = ["mail", "Post", "post"].map(named);
  const asked: string[] = [];
  const approver = async ({ tool }: ApprovalRequest): Promise<ApprovalAnswer> => {
    asked.push(tool);
    return { decision: "session" };
  };
  const caller = callerOn(scratch(), { tools, plugins, approver });
  for (const tool of ["mail", "send", "Post", "post", "mail", "send", "Post", "post"])
    expect(await caller(tool, { text: "x" })).toMatchObject({ code: "ok" });
  expect(asked).toEqual(["mail", "send", "Post", "post"]);
});

it("that waits for a yes goes on, once, when it was given", async () => {
  const { sent, caller, store } = on([]);
  const { data } = await caller("post", { text: "late" });
  const { approval_id: approval } = data["error"] as { readonly approval_id: string };
  await store.answer(approval, { decision: "once" }, "cli");
  expect((await caller("session", { approval })).data["resumed"]).toEqual({ sent: 4 });
  expect((await caller("post", { text: "late" })).code).toBe("pending");
  expect(sent).toEqual(["late"]);
});

it("is told where the rules want that, by the name of the tool", async () => {
  const notices: unknown[] = [];
  const rules = [rule("network", undefined, "notify", { reason: "we like to know" })];
  const { caller } = on(rules, { onNotice: (notice) => notices.push(notice) });
  await caller("post", { text: "x" });
  expect(notices).toMatchObject([{ done: [{ act: "network", path: "post" }], reasons: ["we like to know"] }]);
});

it("ends when it is cancelled, whether or not it obeys the signal", async () => {
  let heard: AbortSignal | undefined;
  const deaf = defineTool({
    ...posting().post,
    input: z.strictObject({}),
    output: z.object({}),
    plan: async () =>
      outward({
        acts: [],
        target: "nowhere",
        sends: "",
        run: (signal) => {
          heard = signal;
          stop.abort();
          return new Promise(() => {});
        },
      }),
  });
  const stop = new AbortController();
  const { caller } = on([], { tools: [deaf] });
  expect((await caller("post", {}, { signal: stop.signal })).code).toBe("cancelled");
  expect(heard?.aborted).toBe(true);
});

it("is handed no secrets: neither for placeholders nor from files; and what comes back is without them", async () => {
  const root = scratch({ ".env": "API_TOKEN=t0ps3cr3t-value\n" });
  const { sent, post } = posting();
  const free = [rule("network", undefined, "autonomous")];
  const { caller } = sessionOn(root, { rules: free, options: { tools: [post] } });
  await caller("post", { path: ".env" });
  await caller("post", { text: "‹secret:API_TOKEN#1›" });
  expect(sent).toEqual(["API_TOKEN=‹secret:API_TOKEN#1›\n", "‹secret:API_TOKEN#1›"]);
  const echoed = await caller("post", { text: "t0ps3cr3t-value" });
  expect(echoed.text).not.toContain("t0ps3cr3t-value");
});
