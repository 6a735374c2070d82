import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { hasProcessExited, identityOf } from "../../../src/base/process-identity.ts";
import { bytesOfKeys } from "../../../src/exec/pty/keys.ts";
import { runAlone } from "../../contracts/run-alone.ts";
import { needs } from "../../programs.ts";
import { WHILE_BUSY } from "../../work.ts";
import { processOfJob } from "../../../src/exec/jobs/job-directory.ts";
import { plainStart } from "../plain-start.ts";
import { temporaryJobs } from "./temporary-jobs.ts";

const EVEN_IF_KILLED = ["sh", "-c", '"$@" || exit 0', "sh"];

it("a new server finds the jobs of one that was killed", async () => {
  needs("script", "setsid", "mkfifo");
  const { home, ...jobs } = temporaryJobs();
  const ids = runAlone("test/exec/jobs/fixtures/killed-server.ts", { home }, { through: EVEN_IF_KILLED });
  const find = (name: string) => {
    const job = jobs.find((ids as Record<string, string>)[name] ?? "");
    if (!job) throw new Error(`there is no job ${name}`);
    return job;
  };
  const ours = processOfJob(join(home, find("ours").id)) ?? "";
  expect(["exits", "runs", "ends", "typed"].map((name) => find(name).state().kind)).not.toContain("lost");
  expect([find("ours").state().kind, hasProcessExited(ours, false)]).toEqual(["running", false]);

  await jobs.sweep();
  expect(find("ours").state()).toMatchObject({ kind: "lost", because: "killed", reason: "session" });
  await vi.waitFor(() => expect(hasProcessExited(ours, false)).toBe(true), WHILE_BUSY);

  expect(await find("exits").ended).toMatchObject({ kind: "exited", exit: { code: 7, signal: null } });
  expect(find("exits").output.read().text).toBe("start\nend\n");

  const runs = find("runs");
  await runs.write(Buffer.from("still here\n"));
  await runs.output.wait(0, { ms: 30_000 });
  await runs.write(null);
  expect(await runs.ended).toMatchObject({ exit: { code: 0 } });
  expect(runs.output.read().text).toBe("still here\n");

  expect(await find("ends").ended).toMatchObject({ exit: { signal: "SIGTERM" }, reason: "timeout" });

  const typed = find("typed");
  await typed.resize({ columns: 44, rows: 7 });
  await typed.write(bytesOfKeys(["x", "Enter"]));
  expect(await typed.ended).toMatchObject({ exit: { code: 0 } });
  expect(typed.output.read().text).toBe("ready\nx\n7 44\ngot x\n");
});

it("a process that has exited counts as such before it is reaped", async () => {
  const command = await plainStart(
    "bash",
    "-c",
    "sleep 0.2 & echo $! >&2; exec sleep 30",
  )({ input: "none", output: 2 });
  onTestFinished(() => command.end(0));
  const pid = command.pid ?? 0;
  const child = await vi.waitFor(() => {
    const [found] = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
    return Number(found) || Promise.reject(new Error("no child yet"));
  }, WHILE_BUSY);
  const identity = identityOf(child);
  expect(hasProcessExited(identity, false)).toBe(false);
  await vi.waitFor(() => expect(readFileSync(`/proc/${child}/stat`, "utf8")).toContain(") Z "), WHILE_BUSY);
  expect(hasProcessExited(identity, false)).toBe(true);
});
