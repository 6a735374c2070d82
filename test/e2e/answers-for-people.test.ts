import { cpSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createApp } from "../../src/app/app.ts";
import { approvalState } from "../../src/runtime/approvals/approval.ts";
import type { ExecConfig } from "../../src/runtime/tools/config.ts";
import { needs } from "../programs.ts";
import { type AtEnd, callerOf, scratch, stateBeside, together, withTest } from "../runtime/scratch.ts";
import { BIN } from "./bin.ts";

vi.setConfig({ testTimeout: 120_000 });

type Kind = NonNullable<ExecConfig["sandbox"]>["kind"];

/** An agent that may run anything in some sandbox, and a question of it that waits for a person. */
async function asking(kind: Kind, atEnd: AtEnd = withTest) {
  const root = scratch({ id_rsa: "key" }, atEnd);
  const state = stateBeside(root);
  const app = createApp({
    roots: [root],
    stateDirectory: state,
    exec: { security: "full", sandbox: { kind } },
    approver: async ({ tool }) => (tool === "exec" ? { decision: "once" } : undefined),
    agentContext: { agent: "main", sender: { provider: "test", id: "me" } },
    toolConfig: { agents: { main: { tools: { elevated: { enabled: true, allowFrom: { test: ["me"] } } } } } },
  });
  atEnd(() => app.close());
  const agent = callerOf(app);
  const { data, code } = await agent("read", { path: "id_rsa" });
  expect(code).toBe("pending");
  const id = String((data["error"] as Record<string, unknown>)["approval_id"]);
  const isPending = (): boolean => {
    const request = app.approvals.list().find((each) => each.id === id);
    return request !== undefined && approvalState(request, Date.now()) === "pending";
  };
  return { root, state, agent, id, isPending };
}

/** Ways to start a program that hide who started it. */
const WAYS = {
  plainly: (program: string) => program,
  "with another environment": (program: string) => `env -i ${program}`,
  "in the background": (program: string) => `env -i ${program} & wait`,
  "in a session of its own": (program: string) => `env -i setsid --wait ${program}`,
  "by shells": (program: string) => `env -i bash -c 'bash -c "${program}; true"; true'`,
};

describe("without a sandbox, a command that approves its own question is refused", () => {
  const place = together((atEnd) => asking("none", atEnd));
  const holdfast = `${process.execPath} ${BIN}`;

  for (const elevated of [false, true])
    it.each(Object.entries(WAYS))(`%s${elevated ? ", elevated" : ""}`, async (_, way) => {
      needs("setsid");
      const { agent, id, state, isPending } = place();
      const command = way(`${holdfast} approvals approve ${id} --state ${state}`);
      const { text } = await agent("exec", { command, elevated });
      expect(text).toContain("Cannot run holdfast approvals: the command of ");
      expect(isPending()).toBe(true);
    });

  it.each([
    "undo",
    "trash purge --all",
    "jobs apply x",
    "jobs discard x",
    "jobs stop x",
    "doctor --give-up x",
    "install cursor",
  ])("and so is holdfast %s", async (words) => {
    const { agent, state } = place();
    const { text } = await agent("exec", { command: `env -i ${holdfast} ${words} --state ${state}` });
    expect(text).toMatch(/Cannot run holdfast \w+: the command of job \w{6} started it, and only people may/);
  });

  it("looking is allowed", async () => {
    const { agent, state } = place();
    const { text } = await agent("exec", { command: `${holdfast} jobs --state ${state}` });
    expect(text).toContain("exit code 0");
  });
});

describe.each<Kind>(["bubblewrap", "unshare"])("in the sandbox %s", (kind) => {
  it("the state cannot be read or written, and nothing can be answered", async () => {
    needs("bwrap", "unshare");
    const { root, agent, id, state, isPending } = await asking(kind);
    // The sandbox has a /tmp of its own, where neither our program nor Node may be.
    cpSync(process.execPath, join(root, "node"));
    for (const name of ["holdfast.cjs", "builds"])
      cpSync(join(dirname(BIN), name), join(root, "dist", name), { recursive: true });
    const files = ["grants.json", "exec-approvals.json"].map((name) => join(state, name));
    const attempts = [
      `env -i ./node dist/holdfast.cjs approvals approve ${id} --state ${state}`,
      ...files.map((file) => `mkdir -p ${state}; echo '[]' > ${file}; cat ${file}`),
      `rm -rf ${state}; mv ${dirname(state)} ${dirname(state)}2`,
      "ls /var/run/docker.sock /run/docker.sock /run/podman/podman.sock && echo a socket is there",
    ];
    const texts: string[] = [];
    for (const undo of [true, false])
      for (const command of attempts) texts.push((await agent("exec", { command, undo })).text);
    expect([texts[0], texts[5]]).toEqual(Array(2).fill(expect.stringMatching(/holdfast: Cannot/)));
    expect(texts.join("\n")).not.toMatch(/Allowed|a socket is there/);
    expect(files.filter((file) => existsSync(file))).toEqual([]);
    expect(isPending()).toBe(true);
  });
});
