import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const HUGE_LINES = 400_000;

/** The number of lines of the plan that are edited, and of the servers that share them. */
export const EDITS = 20;
export const SERVERS = 4;

export const PLAN = Array.from({ length: EDITS }, (_, n) => `task ${n + 1}: open\n`).join("");

/** Creates a workspace with a secret beside it. */
export function createDemoWorkspace(home: string): string {
  const workspace = join(home, "workspace");
  mkdirSync(join(workspace, "src"), { recursive: true });
  writeFileSync(join(home, "secret.txt"), "the secret\n");
  writeFileSync(join(home, "config.jsonc"), JSON.stringify(RULES));
  writeFileSync(join(workspace, "notes.txt"), "Buy milk.\nCall Ada.\n");
  writeFileSync(join(workspace, "plan.txt"), PLAN);
  writeFileSync(join(workspace, "src", "main.ts"), 'console.log("hello");\n');
  writeFileSync(join(workspace, "latin-1.txt"), Buffer.from("Gr\u00fc\u00dfe aus K\u00f6ln\r\n", "latin1"));
  writeFileSync(
    join(workspace, "huge.log"),
    Array.from({ length: HUGE_LINES }, (_, n) => `line ${n + 1} of a long log`).join("\n"),
  );
  symlinkSync(join(home, "secret.txt"), join(workspace, "innocent.txt"));
  symlinkSync("../../..", join(workspace, "src", "up"));
  return workspace;
}

/** Replaces the user's rules, which might ask for approvals. */
const RULES = { policy: { rules: [{ act: ["write", "move", "delete", "exec"], decide: "autonomous" }] } };
