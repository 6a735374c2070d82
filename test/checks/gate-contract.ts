import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { plant, run, type Tree } from "./script.ts";
import { needs } from "../programs.ts";

/** A tree that breaks one rule, laid over the clean one, and what the gate must say about it. */
export interface Violation {
  readonly name: string;
  readonly tree: Tree;
  readonly says: string;
}

/** Checks the contract of every gate: a clean tree passes, an empty one does not, and each violation is named. */
export function gateContract(script: string, clean: Tree, violations: readonly Violation[]): void {
  describe(script, () => {
    it("passes a clean tree", () => {
      expect(judge(script, clean)).toMatchObject({ passed: true });
    });

    it("fails when it finds nothing to look at", () => {
      expect(judge(script, {})).toMatchObject({ passed: false });
    });

    it.each(violations)("fails on $name", ({ tree, says }) => {
      expect(judge(script, { ...clean, ...tree })).toMatchObject({
        passed: false,
        output: expect.stringContaining(says),
      });
    });
  });
}

function judge(script: string, tree: Tree): { passed: boolean; output: string } {
  const root = plant(tree);
  if (script === "check-portable.mjs") {
    needs("git");
    spawnSync("git", ["init", "--quiet", root]);
  }
  return run(script, ".", root);
}
