import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { OWN_PROCESS } from "../../../src/base/process-identity.ts";
import { createJobs } from "../../../src/exec/jobs/jobs.ts";
import { WHILE_BUSY } from "../../work.ts";
import { bash, plainStart } from "../plain-start.ts";
import { JOB, temporaryJobs } from "./temporary-jobs.ts";

const KINDS = [
  { name: "in our process", isDetached: false },
  { name: "detached", isDetached: true },
];

describe.each(KINDS)("a job $name", ({ isDetached }) => {
  const wanted = { ...JOB, isDetached };

  it("writes both streams into one log, and tells its exit code", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start(wanted, bash("echo out; echo err >&2; exit 7"));
    const end = await job.ended;
    expect(end).toMatchObject({ kind: "exited", exit: { code: 7, signal: null } });
    expect(job.output.summary({ chars: 1000 })).toEqual({ text: "out\nerr\n", from: 0, cursor: 8, isCut: false });
    expect(jobs.find(job.id)?.state()).toMatchObject({ kind: "exited", exit: { code: 7, signal: null } });
  });

  it("keeps all output of a script that opens its streams anew, and cannot be erased by it", async () => {
    const script = `
      echo one; echo two >/dev/stdout; echo three 2>/dev/stderr >/proc/self/fd/1
      echo four | tee /dev/stderr >/dev/null; truncate -s 0 /proc/self/fd/1 2>/dev/null; : >/dev/stderr; echo five`;
    const job = await temporaryJobs().start(wanted, bash(script));
    await job.ended;
    expect(job.output.read().text).toBe("one\ntwo\nthree\nfour\nfive\n");
  });

  it("tells the signal that ended it", async () => {
    const job = await temporaryJobs().start(wanted, bash("kill -9 $$"));
    expect(await job.ended).toMatchObject({ exit: { code: null, signal: "SIGKILL" } });
  });

  it("becomes a background job by not being waited for", async () => {
    const job = await temporaryJobs().start(wanted, bash("echo first; sleep 0.7; echo second"));
    await job.output.wait(0, { ms: 30_000 });
    const first = job.output.summary({ chars: 100 });
    expect([first.text, job.state().kind]).toEqual(["first\n", "running"]);
    await job.output.wait(first.cursor, { ms: 30_000 });
    expect(job.output.read({ offset: first.cursor }).text).toBe("second\n");
    await job.output.wait(0, { ms: 30_000, forExit: true });
    expect(job.state().kind).toBe("exited");
  });

  it("reads what is written to it, until its input is closed", async () => {
    const job = await temporaryJobs().start({ ...wanted, hasInput: true }, plainStart("cat"));
    await job.output.wait(0, { ms: 100 });
    await vi.waitFor(() => job.write(Buffer.from("hello\n")), WHILE_BUSY);
    await job.output.wait(0, { ms: 30_000 });
    await job.write(null);
    expect(await job.ended).toMatchObject({ exit: { code: 0 } });
    expect(job.output.read().text).toBe("hello\n");
    await expect(job.write(Buffer.from("late"))).rejects.toMatchObject({ code: "conflict" });
  });

  it("has no input unless that was asked for", async () => {
    const job = await temporaryJobs().start(wanted, bash("cat; sleep 5"));
    await expect(job.write(Buffer.from("x"))).rejects.toMatchObject({ code: "conflict" });
  });

  it("is interrupted by a signal", async () => {
    const job = await temporaryJobs().start(
      wanted,
      bash("trap 'echo caught; exit 3' INT; echo ready; sleep 30 & wait"),
    );
    await job.output.wait(0, { ms: 30_000 });
    job.signal("SIGINT");
    expect(await job.ended).toMatchObject({ exit: { code: 3 } });
    expect(job.output.read().text).toBe("ready\ncaught\n");
  });

  it("is killed after the grace when it ignores TERM", async () => {
    const job = await temporaryJobs().start(wanted, bash("trap '' TERM; echo ready; while :; do sleep 0.1; done"));
    await job.output.wait(0, { ms: 30_000 });
    const started = Date.now();
    const end = await job.end("cancelled");
    expect(end).toMatchObject({ kind: "exited", exit: { signal: "SIGKILL" }, reason: "cancelled" });
    expect(Date.now() - started).toBeGreaterThanOrEqual(LIMITS.jobGraceMs);
  });

  it("ends at its deadline", async () => {
    const job = await temporaryJobs().start({ ...wanted, timeoutMs: 200 }, plainStart("sleep", "30"));
    expect(await job.ended).toMatchObject({ exit: { signal: "SIGTERM" }, reason: "timeout" });
  });

  it("is removed only when it has ended", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start(wanted, plainStart("sleep", "30"));
    expect(() => job.remove()).toThrow(/it is running/);
    await job.end();
    job.remove();
    expect([existsSync(join(jobs.home, job.id)), jobs.find(job.id), jobs.list()]).toEqual([false, undefined, []]);
  });
});

describe("a detached job", () => {
  it("ends with all that it started", async () => {
    const job = await temporaryJobs().start(
      { ...JOB, isDetached: true },
      bash("sleep 301 & sleep 302 & echo $!; wait"),
    );
    await job.output.wait(0, { ms: 30_000 });
    const pid = Number(job.output.read().text);
    await job.end();
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), WHILE_BUSY);
  });

  it("is lost when its supervisor is killed", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start({ ...JOB, isDetached: true }, bash("echo $PPID; sleep 30"));
    await job.output.wait(0, { ms: 30_000 });
    process.kill(Number(job.output.read().text), "SIGKILL");
    expect(await job.ended).toMatchObject({ kind: "lost", because: "killed" });
    await job.end();
  });
});

it("ends a command whose output cannot be kept", async () => {
  const { home, ...jobs } = temporaryJobs();
  let pid: number | undefined;
  const starting = jobs.start(JOB, async (streams) => {
    const command = await bash("sleep 600")(streams);
    ({ pid } = command);
    for (const id of readdirSync(home)) rmSync(join(home, id, "log"));
    return command;
  });
  await expect(starting).rejects.toMatchObject({ code: "ENOENT" });
  expect([existsSync(`/proc/${pid}`), readdirSync(home)]).toEqual([false, []]);
});

describe("the jobs of a user", () => {
  it("are refused above the cap, and ended ones do not count", async () => {
    const jobs = temporaryJobs(1);
    const first = await jobs.start(JOB, plainStart("sleep", "30"));
    const second = jobs.start(JOB, plainStart("true"));
    await expect(second).rejects.toMatchObject({
      code: "busy",
      message: "Cannot start the command: 1 jobs are running",
    });
    await first.end();
    expect(await (await jobs.start(JOB, plainStart("true"))).ended).toMatchObject({ exit: { code: 0 } });
  });

  it("leave nothing behind when the command cannot be started", async () => {
    const jobs = temporaryJobs();
    await expect(jobs.start(JOB, plainStart("/no/such/program"))).rejects.toThrow("ENOENT");
    expect(jobs.list()).toEqual([]);
  });

  it("end with their session unless they are detached", async () => {
    const jobs = temporaryJobs();
    const [mine, detached, other] = [
      await jobs.start(JOB, plainStart("sleep", "30")),
      await jobs.start({ ...JOB, isDetached: true }, plainStart("sleep", "30")),
      await jobs.start({ ...JOB, session: "s2" }, plainStart("sleep", "30")),
    ];
    await jobs.endSession("s1");
    expect([mine, detached, other].map((job) => job.state().kind)).toEqual(["exited", "running", "running"]);
    await jobs.close();
    expect([detached, other].map((job) => job.state().kind)).toEqual(["running", "exited"]);
    expect(jobs.list().map(({ id }) => id)).toEqual(expect.arrayContaining([mine.id, detached.id, other.id]));
  });

  it("are seen by another process, which can end them", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start(JOB, plainStart("sleep", "30"));
    const seen = createJobs({ home: jobs.home }).find(job.id);
    expect([seen?.description, seen?.state().kind]).toEqual([job.description, "running"]);
    await seen?.end();
    expect(seen?.state()).toMatchObject({ kind: "exited", exit: { signal: "SIGTERM" }, reason: "stopped" });
  });

  it("are never taken for others that got their pid", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start({ ...JOB, isDetached: true }, plainStart("sleep", "30"));
    await job.end();
    const file = join(jobs.home, job.id, "process");
    // The pid of this very process, with another start time: that of a process before it.
    writeFileSync(file, `${OWN_PROCESS.replace(/\d+$/, "1")}\n`);
    writeFileSync(join(jobs.home, job.id, "exit"), "      \n");
    const found = createJobs({ home: jobs.home }).find(job.id);
    expect(found?.state()).toMatchObject({ kind: "lost", because: "killed" });
    found?.signal("SIGKILL");
    await found?.end();
    expect(readFileSync(file, "utf8")).toContain(String(process.pid));
  });

  it("are lost after another boot", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start({ ...JOB, isDetached: true }, plainStart("true"));
    await job.ended;
    writeFileSync(join(jobs.home, job.id, "process"), "0badb007.4026531836.1.1\n");
    writeFileSync(join(jobs.home, job.id, "exit"), "      \n");
    expect(jobs.find(job.id)?.state()).toMatchObject({ kind: "lost", because: "rebooted" });
  });

  it("are kept for a while, and swept when they are old", async () => {
    const jobs = temporaryJobs();
    const job = await jobs.start(JOB, plainStart("true"));
    await job.ended;
    await jobs.sweep();
    expect(jobs.find(job.id)?.state().kind).toBe("exited");
    vi.useFakeTimers({ now: Date.now() + LIMITS.finishedJobMs + 1000, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const later = await jobs.start(JOB, plainStart("true"));
    await later.ended;
    await vi.waitFor(() => expect(jobs.list().map(({ id }) => id)).toEqual([later.id]), WHILE_BUSY);
  });

  it("are swept when they have become many, long before the hour is over", async () => {
    const jobs = temporaryJobs();
    const first = await jobs.start(JOB, plainStart("true"));
    await first.ended;
    await vi.waitFor(() => expect(jobs.list()).toHaveLength(1));
    const letters = "bcdfghjk";
    const names = Array.from({ length: 2 * LIMITS.finishedJobs }, (_, at) =>
      at
        .toString(8)
        .padStart(6, "0")
        .replaceAll(/\d/g, (digit) => letters[Number(digit)] ?? ""),
    );
    for (const name of names) mkdirSync(join(jobs.home, name));
    const last = await jobs.start(JOB, plainStart("true"));
    await last.ended;
    await vi.waitFor(
      () => expect(readdirSync(jobs.home).length).toBeLessThanOrEqual(LIMITS.finishedJobs + 1),
      WHILE_BUSY,
    );
  });

  it("answer at once when a wait is cancelled", async () => {
    const job = await temporaryJobs().start(JOB, plainStart("sleep", "30"));
    const cancelled = new AbortController();
    const wait = job.output.wait(0, { ms: 60_000, signal: cancelled.signal });
    await setTimeout(20);
    cancelled.abort();
    await wait;
    expect(job.state().kind).toBe("running");
  });
});
