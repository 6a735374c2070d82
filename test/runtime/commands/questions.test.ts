import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Options } from "../../../src/app/options.ts";
import type { ApprovalRequest } from "../../../src/runtime/approvals/approval.ts";
import { questionLines } from "../../../src/runtime/effects/effect-text.ts";
import { noticeLine } from "../../../src/runtime/pipeline/notices.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

/** An agent whose changes in one directory need a yes, and all questions that a person was asked. */
function workspace(options: Partial<Options> = {}) {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch({ "a.txt": "one\n" });
  const asked: ApprovalRequest[] = [];
  const call = callerOn(root, {
    exec: { security: "full" },
    ruleSource: {
      layers: [{ name: "user", rules: [{ act: "write", path: "release/**", decide: "approval", origin: "test" }] }],
    },
    approver: async (request) => {
      asked.push(request);
      return { decision: "once" };
    },
    ...options,
  });
  return { root, call, asked };
}

describe("a command that changes what needs a yes", () => {
  it("is asked about once, when its changes are known", async () => {
    const { root, call, asked } = workspace();
    await call("exec", { command: "mkdir release; echo hi > release/notes.md; echo ok > other" });
    expect(asked).toHaveLength(1);
    expect(existsSync(join(root, "release/notes.md"))).toBe(true);
  });

  it("is named in the question, with the contents of a small new directory", async () => {
    const { call, asked } = workspace();
    await call("exec", { command: "mkdir -p release/in; echo hi > release/in/notes.md" });
    const lines = asked.flatMap(questionLines);
    expect(lines[0]).toMatch(/^exec: apply what mkdir -p release\/in; echo hi > release\/in\/notes\.md changed: /);
    expect(lines).toEqual(expect.arrayContaining(["  + in/", "  + in/notes.md", "+hi"]));
  });

  it("shows only the names in a large one", async () => {
    const { call, asked } = workspace();
    await call("exec", { command: "mkdir release; for i in {1..60}; do echo hi > release/$i.md; done" });
    const lines = asked.flatMap(questionLines);
    expect([lines.includes("  + 60.md"), lines.includes("+hi")]).toEqual([true, false]);
  });

  it("leaves the command that a person pastes alone on its line", async () => {
    const { call } = workspace({ approver: undefined, approvalWaitMs: 0 });
    const { text, data } = await call("exec", { command: "mkdir release; echo hi > release/a" });
    expect(text).toMatch(/Cannot apply what the command changed yet/);
    expect(text).toMatch(/\n *holdfast approvals approve \w+ --state \S+\n/);
    expect(data["applied"]).toBe(false);
  });
});

it("a notice names the programs that ran", async () => {
  const lines: string[] = [];
  const { call } = workspace({ onNotice: (notice) => void lines.push(noticeLine(notice)) });
  await call("exec", { command: `echo one; echo ${"x".repeat(200)}` });
  expect(lines[0]).toMatch(/^exec: exec "echo one", exec "echo x+…" \(all commands may run\)$/);
});
