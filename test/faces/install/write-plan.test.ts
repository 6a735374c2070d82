import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readSettings } from "../../../src/faces/cli/flags.ts";
import { type Client, CLIENTS } from "../../../src/faces/cli/install/clients.ts";
import { planInstall } from "../../../src/faces/cli/install/plan.ts";
import { writePlan } from "../../../src/faces/cli/install/write-plan.ts";
import { scratch, stateBeside } from "../../runtime/scratch.ts";

const CONNECTION = { kind: "stdio", command: "node", args: ["/opt/holdfast.cjs"] } as const;

it.each([
  {
    name: "a file that somebody changed",
    before: "{}",
    meanwhile: '{ "theirs": 1 }',
    says: /it has changed meanwhile; run/,
  },
  { name: "a file that somebody created", before: undefined, meanwhile: '{ "theirs": 1 }', says: /^Cannot .*exists/ },
])("does not overwrite $name between the plan and the write", async ({ before, meanwhile, says }) => {
  const root = scratch();
  const file = join(root, "mcp.json");
  if (before !== undefined) writeFileSync(file, before);
  const plan = planInstall(CLIENTS["cursor"] as Client, file, "holdfast", CONNECTION);
  writeFileSync(file, meanwhile);
  const { error } = await writePlan(readSettings(["--state", stateBeside(root)], {}), plan, false);
  expect(error).toMatch(says);
  expect(readFileSync(file, "utf8")).toBe(meanwhile);
});
