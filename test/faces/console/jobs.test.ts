import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { JobEntry, JobList, JobOutput, Overview, Timeline } from "../../../src/faces/console/contract.ts";
import { needs } from "../../programs.ts";
import { scratch } from "../../runtime/scratch.ts";
import { WHILE_BUSY } from "../../work.ts";
import { consoleOn } from "./console.ts";

vi.setConfig({ testTimeout: 60_000 });

async function withCommands() {
  const root = scratch({ "a.txt": "one\n" });
  const server = await consoleOn(root, { exec: { security: "full" } });
  const jobs = async (): Promise<readonly JobEntry[]> => (await server.get<JobList>("/api/jobs")).jobs;
  return { ...server, root, jobs };
}

it("shows jobs, prints what they say as it comes, and stops them", async () => {
  const { agent, jobs, get, post, session } = await withCommands();
  const command = "echo one; sleep 60";
  const { data } = await agent("exec", { command, background: true });
  const id = String(data["process_id"]);
  const read = (from: number) => get<JobOutput>(`/api/jobs/${id}/output?from=${from}`);
  await vi.waitFor(async () => expect((await read(0)).text).toContain("one"), WHILE_BUSY);
  const { cursor, running } = await read(0);
  expect([running, (await read(cursor)).text, (await get<Overview>("/api/overview")).runningJobs]).toEqual([
    true,
    "",
    1,
  ]);
  expect(await jobs()).toMatchObject([{ id, state: "running", command, session, agent: "main", changesWait: false }]);
  expect((await post(`/api/jobs/${id}/stop`)).status).toBe(200);
  expect(await jobs()).toMatchObject([{ id, state: "done", stopped: "killed" }]);
  expect((await read(cursor)).running).toBe(false);
});

it("names the job of a call, and the change of a job", async () => {
  needs("bwrap");
  const { agent, jobs, get } = await withCommands();
  await agent("exec", { command: "echo two > a.txt" });
  const [job] = await jobs();
  expect(job).toMatchObject({ state: "done", exitCode: 0, files: [{ path: "a.txt", action: "edited" }] });
  const [event] = (await get<Timeline>("/api/timeline")).events;
  expect(event).toMatchObject({
    kind: "command",
    subject: "echo two > a.txt",
    job: job?.id,
    change: { id: job?.change },
  });
});

it.each([
  { verb: "discard", body: {}, gives: "person\n" },
  { verb: "apply", body: { prefer: "theirs" }, gives: "command\n" },
])("$verb: decides about changes that wait", async ({ verb, body, gives }) => {
  needs("bwrap");
  const { agent, jobs, post, root } = await withCommands();
  const running = agent("exec", { command: "touch started; sleep 1; echo command > a.txt" });
  await vi.waitFor(async () => expect(await jobs()).toHaveLength(1), WHILE_BUSY);
  writeFileSync(join(root, "a.txt"), "person\n");
  await running;
  const [job] = await jobs();
  expect(job).toMatchObject({ state: "done", changesWait: true });
  expect((await post(`/api/jobs/${job?.id}/apply`)).status).toBe(409);
  expect((await post(`/api/jobs/${job?.id}/${verb}`, body)).status).toBe(200);
  expect(await jobs()).toMatchObject([{ changesWait: false }]);
  expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(gives);
});
