import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BIN, run } from "../e2e/bin.ts";
import { startServer } from "../e2e/http-server.ts";
import { endpointOf } from "../examples/endpoint.ts";
import { scratch, stateBeside, withTest } from "../runtime/scratch.ts";
import { type Agent, runAgent } from "./agents/agent.ts";
import { claude } from "./agents/claude.ts";
import { codex } from "./agents/codex.ts";
import { gemini } from "./agents/gemini.ts";
import { opencode } from "./agents/opencode.ts";
import type { Connection } from "./connections.ts";

/** Leaves the answer to the command line: Codex, without a person at its terminal, declines every form. */
const RULE = { act: "write", path: "b.txt", decide: "approval", channels: ["cli"] };

/** A workspace in which writing `b.txt` needs a yes, and the home of an agent beside it. */
function workplace() {
  const directory = scratch({ "a.txt": "one\ntwo\n" });
  const config = join(dirname(directory), "rules.jsonc");
  writeFileSync(config, JSON.stringify({ policy: { rules: [RULE] } }));
  const env = { HOLDFAST_STATE: stateBeside(directory), HOLDFAST_CONFIG: config, HOLDFAST_APPROVAL_WAIT: "0" };
  return { directory, home: mkdtempSync(join(dirname(directory), "home-")), env };
}

type Place = ReturnType<typeof workplace>;

const CONNECTIONS: readonly { readonly by: string; readonly open: (place: Place) => Promise<Connection> }[] = [
  {
    by: "stdio",
    open: async ({ directory, env }) => ({ kind: "stdio", argv: [process.execPath, BIN, directory], env }),
  },
  {
    by: "HTTP",
    open: async ({ directory, env }) => ({ kind: "http", ...(await startServer(directory, [], withTest, env)) }),
  },
];

const CASES = [claude, codex, gemini, opencode].flatMap((agent) =>
  CONNECTIONS.map((connection) => ({ name: agent.name, agent, ...connection })),
);

/** Answers the question that waits, as the person would. */
async function approveAll(env: Readonly<Record<string, string>>): Promise<void> {
  const { out } = await run(["approvals", "list", "--json"], { env });
  const { approvals } = JSON.parse(out) as { readonly approvals: readonly { readonly id: string }[] };
  for (const { id } of approvals) await run(["approvals", "approve", id], { env });
}

const work = ({ toolName }: Agent, env: Readonly<Record<string, string>>) => [
  { tool: toolName("read"), input: { path: "a.txt" } },
  { tool: toolName("edit"), input: { path: "a.txt", old_text: "two", new_text: "TWO" } },
  { tool: toolName("read"), input: { path: "none.txt" } },
  { tool: toolName("write"), input: { path: "b.txt", content: "new\n" } },
  { tool: toolName("write"), input: { path: "b.txt", content: "new\n" }, meanwhile: () => approveAll(env) },
  { tool: toolName("undo"), input: {} },
  { text: "Done." },
];

describe.each(CASES)("$name over $by", ({ agent, open }) => {
  it("gives its model contents, reasons of failures, the next step of an approval, and undo", async () => {
    const place = workplace();
    const { directory, home, env } = place;
    const { url, asked } = await endpointOf(agent.wire, work(agent, env));
    await runAgent(agent, { home, directory, model: url, connection: await open(place) });
    const results = asked.at(-1);
    expect(results && agent.results(results)).toEqual([
      expect.stringMatching(/one(\\n|\n)two/),
      expect.stringContaining("TWO"),
      expect.stringContaining("it does not exist"),
      expect.stringMatching(
        /approvals approve [^]*make the same call again|make the same call again[^]*approvals approve/,
      ),
      expect.stringContaining("b.txt"),
      expect.stringContaining("b.txt"),
    ]);
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\nTWO\n");
    expect(() => readFileSync(join(directory, "b.txt"))).toThrow("ENOENT");
  });
});
