import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ApprovalAnswer } from "../../../src/runtime/approvals/approval.ts";
import { callerOn, scratch } from "../scratch.ts";

const ME = { provider: "chat", id: "ann" };
const OPEN = { enabled: true, allowFrom: { chat: ["ann"] } };

/** An agent that may ask to run without a sandbox as these settings say, and a person who always answers the same. */
function asking(elevated: object, sender: typeof ME | undefined, decision: ApprovalAnswer["decision"]) {
  let asked = 0;
  const root = scratch({ a: "" });
  const agent = callerOn(root, {
    exec: { security: "full", ask: "off" },
    agentContext: { agent: "main", sender },
    toolConfig: { agents: { main: { tools: { elevated } } } },
    approver: async () => ((asked += 1), { decision }),
  });
  return { root, agent, count: () => asked };
}

describe("a command that asks to run without a sandbox", () => {
  const key = "agents.main.tools.elevated";
  it.each([
    ["it is not enabled", {}, ME, `${key}.enabled is not true`],
    [
      "nobody knows who asks",
      OPEN,
      undefined,
      `it is not known who sent the request, and ${key}.allowFrom names who may`,
    ],
    ["somebody else asks", OPEN, { ...ME, id: "bob" }, `${key}.allowFrom does not name the sender`],
    ["the name is from elsewhere", OPEN, { ...ME, provider: "mail" }, `${key}.allowFrom does not name the sender`],
  ])("is refused where %s, and the gate is named", async (_, elevated, sender, reason) => {
    const { agent, count } = asking(elevated, sender, "always");
    const { data } = await agent("exec", { command: "true", elevated: true });
    expect(data).toMatchObject({ error: { code: "denied", message: `Cannot run without a sandbox: ${reason}` } });
    expect(count()).toBe(0);
  });

  it.each(["once", "session", "always"] as const)("asks each time, although the answer was %s", async (decision) => {
    const { root, agent, count } = asking(OPEN, ME, decision);
    const run = () => agent("exec", { command: "echo live >> a", elevated: true });
    expect((await run()).data).toMatchObject({ exit_code: 0, undo: "none" });
    await run();
    expect([count(), readFileSync(join(root, "a"), "utf8")]).toEqual([2, "live\nlive\n"]);
  });
});
