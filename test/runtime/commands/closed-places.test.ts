import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

const RULES = {
  name: "user" as const,
  rules: [{ act: "read" as const, path: "**/*.key", decide: "blocked" as const, origin: "test" }],
};

it.each([{ undo: true }, { undo: false }])(
  "a command never sees a secret that is younger than the last: %o",
  async (how) => {
    needs("bwrap", "unshare", "mount", "setpriv");
    const root = scratch({ "d/old.key": "SECRET 1", "d/plain": "SECRET 2", "e/f": "" });
    const call = callerOn(root, { exec: { security: "full" }, ruleSource: { layers: [RULES] } });
    const look = async () => (await call("exec", { command: "eval 'cat */*.key */*/*.key'", ...how })).data["output"];
    expect(await look()).toMatch(/^cat: d\/old.key: Permission denied\n.*\n$/);
    const steps = [
      () => renameSync(join(root, "d/plain"), join(root, "d/new.key")),
      () => writeFileSync(join(root, "e/new.key"), "SECRET 3"),
      () => {
        mkdirSync(join(root, "g/h"), { recursive: true });
        writeFileSync(join(root, "g/h/new.key"), "SECRET 4");
      },
    ];
    for (const step of steps) {
      step();
      expect(await look()).not.toContain("SECRET");
    }
  },
);
