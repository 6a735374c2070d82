import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChannelName } from "../../../src/base/verdicts.ts";
import type { Timeline, WaitingList, WaitingQuestion } from "../../../src/faces/console/contract.ts";
import { scratch } from "../../runtime/scratch.ts";
import { consoleOn } from "./console.ts";

/** An agent that has to ask before it writes or deletes, and does not wait for the answer. */
async function asking(channels?: readonly ChannelName[]) {
  const root = scratch({ "a.txt": "one\ntwo\n", "d/x.txt": "x" });
  const rule = {
    act: ["write", "delete", "move"] as const,
    decide: "approval" as const,
    reason: "it is asked",
    origin: "f:1",
  };
  const rules = [{ ...rule, act: [...rule.act], ...(channels && { channels: [...channels] }) }];
  const server = await consoleOn(root, { ruleSource: { layers: [{ name: "user", rules }] }, approvalWaitMs: 0 });
  const questions = async () => (await server.get<WaitingList>("/api/waiting")).questions;
  const asked = async (tool: string, input: object): Promise<WaitingQuestion> => {
    expect((await server.agent(tool, input)).code).toBe("pending");
    const question = (await questions()).at(-1);
    if (!question) throw new Error("Nothing waits");
    return question;
  };
  return { ...server, root, questions, asked };
}

const EDIT = { path: "a.txt", old_text: "two", new_text: "2" };

describe("a question", () => {
  it("shows exactly what would happen", async () => {
    const { asked, session } = await asking();
    expect(await asked("edit", EDIT)).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      state: "pending",
      tool: "edit",
      session,
      agent: "main",
      asked: expect.any(String),
      expires: expect.any(String),
      reasons: ["it is asked"],
      summary: expect.stringContaining("a.txt"),
      effects: [
        {
          action: "write",
          path: "a.txt",
          note: "6 bytes",
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: [
                { sign: " ", text: "one" },
                { sign: "-", text: "two" },
                { sign: "+", text: "2" },
              ],
            },
          ],
        },
      ],
      recoverable: true,
      answerable: true,
      current: true,
      repeatable: true,
    });
    expect(await asked("delete", { path: "d", recursive: true })).toMatchObject({
      effects: [{ action: "remove", path: "d/", note: "1 file, 1 byte", text: "x.txt" }],
    });
  });

  it("is answered once, and the call goes on", async () => {
    const { asked, post, agent, root, questions } = await asking();
    const { id } = await asked("delete", { path: "a.txt" });
    expect(await post(`/api/waiting/${id}`, { decision: "once" })).toEqual({ status: 200, body: {} });
    expect(await post(`/api/waiting/${id}`, { decision: "deny" })).toMatchObject({ status: 409 });
    expect((await agent("delete", { path: "a.txt" })).code).toBe("ok");
    expect(existsSync(join(root, "a.txt"))).toBe(false);
    expect(await questions()).toMatchObject([{ id, state: "allowed", answer: { decision: "once" } }]);
  });

  it("is denied with a reason that the agent is told", async () => {
    const { asked, post, agent } = await asking();
    const { id } = await asked("delete", { path: "a.txt" });
    await post(`/api/waiting/${id}`, { decision: "deny", reason: "keep it" });
    const { code, text } = await agent("delete", { path: "a.txt" });
    expect([code, text.includes("keep it")]).toEqual(["denied", true]);
  });

  it.each([
    { name: "the file changed", tool: "edit", input: EDIT, changes: "a.txt" },
    {
      name: "something in the directory changed",
      tool: "delete",
      input: { path: "d", recursive: true },
      changes: "d/new",
    },
    {
      name: "something is in the way",
      tool: "move",
      input: { source: "a.txt", destination: "b.txt" },
      changes: "b.txt",
    },
  ])("can only be denied once $name", async ({ tool, input, changes }) => {
    const { asked, post, root, questions } = await asking();
    const { id, current } = await asked(tool, input);
    writeFileSync(join(root, changes), "changed by somebody else\n");
    expect([current, (await questions())[0]?.current]).toEqual([true, false]);
    expect(await post(`/api/waiting/${id}`, { decision: "once" })).toMatchObject({
      status: 409,
      body: { error: { code: "stale" } },
    });
    expect((await post(`/api/waiting/${id}`, { decision: "deny" })).status).toBe(200);
  });

  it("is not for the console where the rules leave it to others", async () => {
    const { asked, post } = await asking(["cli"]);
    const { id, answerable } = await asked("delete", { path: "a.txt" });
    expect(answerable).toBe(false);
    expect(await post(`/api/waiting/${id}`, { decision: "once" })).toMatchObject({
      status: 403,
      body: { error: { code: "denied" } },
    });
  });

  it("is named by the call that waits for it", async () => {
    const { asked, get } = await asking();
    const { id } = await asked("delete", { path: "a.txt" });
    const [event] = (await get<Timeline>("/api/timeline")).events;
    expect(event).toMatchObject({ kind: "asked", code: "pending", message: "it is asked", question: id });
  });
});
