import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Caller, callerOn, scratch, stateBeside, type Tree } from "../runtime/scratch.ts";
import { run } from "./bin.ts";

export const TREE: Tree = { "a.txt": "one\ntwo\nthree\n", "d/x.txt": "x\n", "d/y.txt": "y\n" };
/** A moment, as people are shown it. */
export const TIME = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d";

/** A workspace in which an agent works, and the command line beside it. */
export function workplace(tree: Tree = TREE) {
  const root = scratch(tree);
  const agent = callerOn(root);
  const holdfast = (args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) =>
    run(args, { cwd: root, env: { HOLDFAST_STATE: stateBeside(root), ...env } });
  const textOf = (name: string): string => readFileSync(join(root, name), "utf8");
  return { root, agent, holdfast, textOf };
}

/** Makes a change that must succeed; its id. */
export async function changeBy(agent: Caller, tool: string, input: unknown): Promise<string> {
  const { data, text, isError } = await agent(tool, input);
  expect([isError, text]).toEqual([false, text]);
  return String(data["change_id"]);
}

export const jsonOf = (out: string): Readonly<Record<string, unknown>> => JSON.parse(out);
