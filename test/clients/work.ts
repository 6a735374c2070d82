import { mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { BIN, run } from "../e2e/bin.ts";
import { startServer } from "../e2e/http-server.ts";
import type { ModelTurn } from "../examples/endpoint.ts";
import { scratch, stateBeside, withTest } from "../runtime/scratch.ts";
import type { Connection } from "./connections.ts";

/** Leaves the answer to the command line: Codex, without a person at its terminal, declines every form. */
const RULE = { act: "write", path: "b.txt", decide: "approval", channels: ["cli"] };

/** A workspace in which writing `b.txt` needs a yes, and the home of an agent beside it. */
export function workplace() {
  const directory = scratch({ "a.txt": "one\ntwo\n" });
  const config = join(dirname(directory), "rules.jsonc");
  writeFileSync(config, JSON.stringify({ policy: { rules: [RULE] } }));
  const env = { HOLDFAST_STATE: stateBeside(directory), HOLDFAST_CONFIG: config, HOLDFAST_APPROVAL_WAIT: "0" };
  return { directory, home: mkdtempSync(join(dirname(directory), "home-")), env };
}

type Place = ReturnType<typeof workplace>;

export const CONNECTIONS: readonly { readonly by: string; readonly open: (place: Place) => Promise<Connection> }[] = [
  {
    by: "stdio",
    open: async ({ directory, env }) => ({ kind: "stdio", argv: [process.execPath, BIN, directory], env }),
  },
  {
    by: "HTTP",
    open: async ({ directory, env }) => ({ kind: "http", ...(await startServer(directory, [], withTest, env)) }),
  },
];

/** Answers the question that waits, as the person would. */
async function approveAll(env: Readonly<Record<string, string>>): Promise<void> {
  const { out } = await run(["approvals", "list", "--json"], { env });
  const { approvals } = JSON.parse(out) as { readonly approvals: readonly { readonly id: string }[] };
  for (const { id } of approvals) await run(["approvals", "approve", id], { env });
}

type ToolTurn = Extract<ModelTurn, { tool: string }>;

/** Reads, edits, fails, waits for an approval, gets it, and undoes. */
export const toolTurns = (env: Readonly<Record<string, string>>): readonly ToolTurn[] => [
  { tool: "read", input: { path: "a.txt" } },
  { tool: "edit", input: { path: "a.txt", old_text: "two", new_text: "TWO" } },
  { tool: "read", input: { path: "none.txt" } },
  { tool: "write", input: { path: "b.txt", content: "new\n" } },
  { tool: "write", input: { path: "b.txt", content: "new\n" }, meanwhile: () => approveAll(env) },
  { tool: "undo", input: {} },
];

/** Lists what each of these calls has to show to a model. */
export const EXPECTED: readonly unknown[] = [
  expect.stringMatching(/one(\\n|\n)two/),
  expect.stringContaining("TWO"),
  expect.stringContaining("it does not exist"),
  expect.stringMatching(/approvals approve [^]*make the same call again|make the same call again[^]*approvals approve/),
  expect.stringContaining("b.txt"),
  expect.stringContaining("b.txt"),
];
