import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, vi } from "vitest";
import { scratch, stateBeside, type Tree } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";

export const CONFIG =
  '{ "policy": { "rules": [{ "act": "delete", "decide": "approval", "reason": "deleting needs a yes" }] } }';
const TREE: Tree = { "a.txt": "one\ntwo\n", "d/x.txt": "x", "keep.txt": "k" };

/** A workspace in which deleting needs a yes, and the command line beside it. */
export function workplace(config = CONFIG) {
  const root = scratch(TREE);
  const file = join(dirname(root), "f.jsonc");
  writeFileSync(file, config);
  const holdfast = (...words: readonly string[]) =>
    run([...words, "--config", file], { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } });
  const waiting = (): Promise<string> =>
    vi.waitFor(async () => {
      const { out } = await holdfast("approvals", "list", "--json");
      const [first] = (JSON.parse(out) as { approvals: { id: string; state: string }[] }).approvals;
      expect(first?.state).toBe("pending");
      return String(first?.id);
    }, WHILE_BUSY);
  return { root, args: ["--config", file], holdfast, waiting, isThere: () => existsSync(join(root, "a.txt")) };
}
