import { describe, expect, it } from "vitest";
import type { Explanation, Health, RuleList } from "../../../src/faces/console/contract.ts";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch, stateBeside } from "../../runtime/scratch.ts";
import { changeIn, consoleOn } from "./console.ts";

const RULES = [
  {
    act: "write" as const,
    path: "docs/**",
    decide: "approval" as const,
    reason: "docs are asked",
    origin: "f.jsonc:1",
  },
  { act: "read" as const, path: "*.env", decide: "blocked" as const, reason: "secrets", origin: "f.jsonc:2" },
];

const withRules = (root: string) =>
  consoleOn(root, { ruleSource: { layers: [{ name: "user", rules: RULES }] }, approvalWaitMs: 0 });

describe("rules", () => {
  it("are listed with where they are written", async () => {
    const { get } = await withRules(scratch());
    const { rules, grants, problems } = await get<RuleList>("/api/rules");
    expect(rules).toContainEqual({
      decide: "approval",
      act: "write",
      path: "docs/**",
      reason: "docs are asked",
      origin: "f.jsonc:1",
    });
    expect([grants, problems]).toEqual([[], []]);
  });

  it.each([
    ["read", "x.env", "blocked", "f.jsonc:2"],
    ["write", "docs/a.md", "approval", "f.jsonc:1"],
    ["read", "docs/a.md", "autonomous", "built in"],
  ])("explain %s %s: %s", async (act, subject, verdict, origin) => {
    const { get } = await withRules(scratch());
    const explained = await get<Explanation>(`/api/explain?act=${act}&subject=${encodeURIComponent(subject)}`);
    expect([explained.verdict, explained.matching[0]?.origin]).toEqual([verdict, origin]);
  });

  it("explain a command", async () => {
    const { get } = await withRules(scratch());
    expect(await get<Explanation>("/api/explain?act=exec&subject=ls")).toMatchObject({
      verdict: "blocked",
      matching: [],
    });
  });

  it("show what was allowed for longer, until it is revoked", async () => {
    const { get, post, agent } = await withRules(scratch({ "docs/a.md": "a\n" }));
    const write = { path: "docs/a.md", content: "b\n" };
    await agent("write", write);
    const { questions } = await get<{ questions: { id: string }[] }>("/api/waiting");
    await post(`/api/waiting/${questions[0]?.id}`, { decision: "always" });
    expect((await agent("write", write)).code).toBe("ok");
    const { grants } = await get<RuleList>("/api/rules");
    expect(grants).toEqual([
      { id: expect.any(String), what: "write docs/a.md", agent: "main", until: expect.any(String) },
    ]);
    expect((await post(`/api/grants/${grants[0]?.id}/revoke`)).status).toBe(200);
    expect((await get<RuleList>("/api/rules")).grants).toEqual([]);
  });
});

describe("health", () => {
  it("says what holds, and measures what is kept", async () => {
    const { get, agent } = await consoleOn(scratch({ "a.txt": "one\n" }));
    await agent("write", { path: "a.txt", content: "two\n" });
    const { rows, history, trash } = await get<Health>("/api/health");
    expect(rows.map(({ name, state }) => [name, state])).toEqual([
      ["Containment", "good"],
      ["Commands", "good"],
      ["Audit log", "good"],
    ]);
    expect([history.count, history.bytes, trash.count]).toEqual([1, 4, 0]);
  });

  it("notices an altered audit log", async () => {
    const root = scratch({ "a.txt": "one\n" });
    const { get, agent, own } = await consoleOn(root);
    await agent("read", { path: "a.txt" });
    await agent("read", { path: "a.txt" });
    own.app.session.audit.flush();
    const file = join(stateBeside(root), `audit-${new Date().toISOString().slice(0, 10)}.jsonl`);
    writeFileSync(file, readFileSync(file, "utf8").replace('"read"', '"ls"'));
    const { rows } = await get<Health>("/api/health");
    expect(rows.at(-1)).toMatchObject({ name: "Audit log", state: "bad" });
  });
});

describe("a saved session", () => {
  it("is a patch that git applies", async () => {
    const tree = { "a.txt": "one\ntwo\n", "b.txt": "b\n", "m.txt": "m\n" };
    const [root, copy] = [scratch(tree), scratch(tree)];
    const { agent, ask, session } = await consoleOn(root);
    await agent("edit", { path: "a.txt", old_text: "two", new_text: "2" });
    await agent("edit", { path: "a.txt", old_text: "one", new_text: "1" });
    await agent("delete", { path: "b.txt" });
    await agent("write", { path: "new.txt", content: "new\n" });
    const response = await ask("GET", `/api/export?session=${session}&as=patch`);
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="session-${session.slice(0, 8)}.patch"`,
    );
    const applied = spawnSync("git", ["apply", "-"], { cwd: copy, input: await response.text(), encoding: "utf8" });
    expect(applied.stderr).toBe("");
    expect(readFileSync(join(copy, "a.txt"), "utf8")).toBe("1\n2\n");
    expect(readFileSync(join(copy, "new.txt"), "utf8")).toBe("new\n");
  });

  it("is a report in which no name or content forges markup", async () => {
    const { agent, ask, session } = await consoleOn(scratch());
    const name = "`](javascript:x) <img src=x>.txt";
    changeIn(await agent("write", { path: name, content: "```\n# forged\n```\n" }));
    const text = await (await ask("GET", `/api/export?session=${session}&as=markdown`)).text();
    expect(text).toContain(`created \`\` ${name} \`\` +3 -0`);
    expect(text).toMatch(/^````diff$/m);
  });
});
