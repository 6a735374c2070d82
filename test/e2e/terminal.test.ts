import { expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { connect, ERAS } from "./bin.ts";

it("the built program draws the screen of a terminal, and types into it", async () => {
  needs("bwrap", "unshare", "mount", "setpriv", "script");
  const client = await connect(scratch({}), ERAS[0]?.options, undefined, ["--exec", "full"]);
  const call = async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> =>
    (await client.callTool({ name, arguments: input })).structuredContent as Record<string, unknown>;
  const command = String.raw`printf 'gone\033[2J\033[3;5Hname? '; read name; printf "hello $name"; read end`;
  const started = await call("exec", { command, pty: true });
  expect(started).toMatchObject({ status: "running", output: "\n\n    name?" });
  const job = { process_id: started["process_id"] };
  await call("process", { action: "send-keys", ...job, keys: ["Ada", "Enter"] });
  await expect.poll(async () => (await call("process", { action: "poll", ...job }))["output"]).toContain("hello Ada");
  await call("process", { action: "kill", ...job });
});
