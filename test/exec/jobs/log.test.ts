import { Buffer } from "node:buffer";
import { statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { noteHole } from "../../../src/exec/jobs/log.ts";
import { needs } from "../../programs.ts";
import { WHILE_BUSY } from "../../work.ts";
import { bash } from "../plain-start.ts";
import { JOB, temporaryJobs } from "./temporary-jobs.ts";

async function finished(text: string) {
  const jobs = temporaryJobs();
  const job = await jobs.start(JOB, bash(text));
  await job.ended;
  return { job, directory: join(jobs.home, job.id) };
}

describe("the output of a job", () => {
  it("is paged by lines, and the pages joined are all of it", async () => {
    const { job } = await finished("seq 1000");
    let [text, cursor] = ["", 0];
    for (let pages = 0; pages < 10; pages += 1) {
      const page = job.output.read({ offset: cursor, lines: 100 });
      expect([page.from, page.isCut]).toEqual([cursor, pages < 9]);
      text += page.text;
      cursor = page.cursor;
    }
    expect([text.split("\n").length, cursor]).toEqual([1001, job.output.size()]);
    expect(job.output.read({ offset: cursor })).toEqual({ text: "", from: cursor, cursor, isCut: false });
  });

  it("ends with its last lines by default", async () => {
    const { job } = await finished("seq 1000");
    expect(job.output.read().text.split("\n").slice(0, 2)).toEqual(["801", "802"]);
    expect(job.output.read({ lines: 2 })).toEqual({ text: "999\n1000\n", from: 3884, cursor: 3893, isCut: true });
  });

  it("is summed up by its head and its tail, with the offset of the rest", async () => {
    const { job } = await finished("seq 100000");
    const { text, isCut, cursor } = job.output.summary({ chars: 10_000 });
    const [, bytes, offset] =
      /\[holdfast: (\d+) bytes left out here; process with action "log", process_id "\w+" and offset (\d+) shows them\]/.exec(
        text,
      ) ?? [];
    expect([text.length <= 10_000, isCut, cursor]).toEqual([true, true, 588_895]);
    expect([text.startsWith("1\n2\n"), text.endsWith("\n100000\n")]).toEqual([true, true]);
    const rest = job.output.read({ offset: Number(offset), lines: 1 }).text.trim();
    expect(text).toContain(`${Number(rest) - 1}\n[holdfast: ${bytes}`);
  });

  it("is cut between characters where it has no lines", async () => {
    const { job } = await finished("printf 'é%.0s' $(seq 30000)");
    const { text } = job.output.summary({ chars: 1001 });
    expect(text).toMatch(/^é+\n\[holdfast: \d+ bytes [^\]]+\]\né+$/);
  });

  it("survives a command that truncates its own log", async () => {
    const { job, directory } = await finished("seq 1000");
    truncateSync(join(directory, "log"), 10);
    expect(job.output.read({ offset: 2000 })).toEqual({ text: "", from: 10, cursor: 10, isCut: false });
    expect(job.output.summary({ chars: 1000, from: 5000 }).text).toBe("");
  });

  it("has a hole that is never shown as output", async () => {
    const { job, directory } = await finished("seq 1000000");
    const hole = 6_000_000;
    noteHole(directory, hole);
    const inside = job.output.read({ offset: 100_000, lines: 1 });
    expect([inside.from, inside.isCut]).toEqual([hole, true]);
    expect(inside.text).toMatch(
      /^\[holdfast: 5900000 bytes left out here; 5900000 of them are no longer kept\]\n\d+\n$/,
    );
    const head = job.output.read({ offset: LIMITS.jobLogHeadBytes - 100, lines: 1000 });
    expect(head.cursor).toBe(LIMITS.jobLogHeadBytes);
    const summary = job.output.summary({ chars: 1000 });
    expect(summary.text).toContain(`${hole - LIMITS.jobLogHeadBytes} of them are no longer kept`);
    expect(job.output.summary({ chars: 10_000_000 }).text.replaceAll(/\[holdfast[^\n]*\n/g, "")).not.toContain(
      "\\u{0}",
    );
  });
});

describe("a gigabyte of output", () => {
  it("takes some megabytes of the disk, none of our memory, and keeps every cursor valid", async () => {
    needs("fallocate");
    const jobs = temporaryJobs();
    const before = process.memoryUsage().rss;
    const job = await jobs.start(JOB, bash("echo first; yes 0123456789abcdef | head -c 1000000000; echo last"));
    const log = join(jobs.home, job.id, "log");
    let [mostDisk, mostMemory] = [0, 0];
    const timer = setInterval(() => {
      mostDisk = Math.max(mostDisk, statSync(log).blocks * 512);
      mostMemory = Math.max(mostMemory, process.memoryUsage().rss);
    }, 20);
    await vi.waitFor(() => expect(job.output.size()).toBeGreaterThan(500_000_000), WHILE_BUSY);
    const { cursor } = job.output.summary({ chars: LIMITS.pendingChars });
    await job.output.wait(0, { ms: 50_000, forExit: true });
    clearInterval(timer);
    const { text } = job.output.summary({ chars: LIMITS.resultChars });
    expect([text.startsWith("first\n0123456789abcdef\n"), text.endsWith("last\n")]).toEqual([true, true]);
    expect(job.output.read({ offset: cursor, lines: 1 }).text).toMatch(/no longer kept\]\n[0-9a-f]*\n$/);
    const onDisk = (): number => statSync(log).blocks * 512;
    await vi.waitFor(() => expect(onDisk()).toBeLessThanOrEqual(LIMITS.jobLogBytes), WHILE_BUSY);
    expect(mostDisk).toBeLessThan(500_000_000);
    expect(mostMemory - before).toBeLessThan(40 * 1024 * 1024);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.resultChars);
  });
});
