import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NewJob, StartCommand } from "../../../src/exec/jobs/job.ts";
import { bytesOfKeys } from "../../../src/exec/pty/keys.ts";
import { createSandbox } from "../../../src/exec/sandbox/choose.ts";
import { probeSandboxes } from "../../../src/exec/sandbox/probe.ts";
import { needs } from "../../programs.ts";
import { JOB, temporaryJobs } from "./temporary-jobs.ts";

let probed: ReturnType<typeof probeSandboxes> | undefined;

describe.each(["bubblewrap", "unshare", "none"] as const)("jobs in the sandbox %s", (rung) => {
  /** Runs a text in the sandbox, where /tmp is private and nothing else can be written. */
  async function starter(text: string): Promise<StartCommand> {
    needs("bwrap", "unshare", "script");
    probed ??= probeSandboxes(mkdtempSync(join(tmpdir(), "holdfast-probe-")));
    const sandbox = createSandbox(rung, await probed, {
      home: "/nonexistent",
      closed: [],
      placeholders: "/nonexistent",
    });
    const argv = ["/bin/bash", "--noprofile", "--norc", "-c", text] as const;
    const environment = { PATH: "/usr/bin:/bin", TERM: "xterm" };
    const bounds = {
      roots: [],
      masked: [],
      readOnly: [],
      caches: [],
      network: "off",
      limits: { processes: 500 },
    } as const;
    return (streams) => sandbox.start({ argv, directory: "/", environment }, bounds, streams);
  }

  const KINDS: readonly { name: string; wanted: NewJob }[] = [
    { name: "in our process", wanted: JOB },
    { name: "detached", wanted: { ...JOB, isDetached: true } },
    { name: "in a terminal", wanted: { ...JOB, screenSize: { columns: 70, rows: 9 } } },
    { name: "detached in a terminal", wanted: { ...JOB, isDetached: true, screenSize: { columns: 70, rows: 9 } } },
  ];

  describe.each(KINDS)("$name", ({ wanted }) => {
    it("print, and tell their exit code", async () => {
      const job = await temporaryJobs().start(wanted, await starter("echo out; echo err >&2; exit 7"));
      await job.output.wait(0, { ms: 30_000, forExit: true });
      expect(job.state()).toMatchObject({ kind: "exited", exit: { code: 7, signal: null } });
      expect(job.output.read().text).toBe("out\nerr\n");
    });

    it("can open their output anew, and lose nothing of it", async () => {
      const job = await temporaryJobs().start(wanted, await starter("echo one; echo two >/dev/stdout; echo three"));
      await job.output.wait(0, { ms: 30_000, forExit: true });
      expect(job.output.read().text).toBe("one\ntwo\nthree\n");
    });

    it("catch signals", async () => {
      const text = "trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.1; done";
      const job = await temporaryJobs().start(wanted, await starter(text));
      await job.output.wait(0, { ms: 30_000 });
      job.signal("SIGUSR1");
      await job.output.wait(0, { ms: 30_000, forExit: true });
      expect(job.state()).toMatchObject({ exit: { code: 3 } });
      expect(job.output.read().text).toBe("ready\ncaught\n");
    });

    it("end before the grace when they do not mind", async () => {
      const job = await temporaryJobs().start(wanted, await starter("echo ready; sleep 300 & sleep 301"));
      await job.output.wait(0, { ms: 30_000 });
      const started = Date.now();
      expect(await job.end()).toMatchObject({ kind: "exited", reason: "stopped" });
      expect(Date.now() - started).toBeLessThan(4000);
    });

    it("are cleaned up by themselves when they are asked to", async () => {
      const job = await temporaryJobs().start(
        wanted,
        await starter("trap 'echo bye; exit 0' TERM; echo ready; sleep 300 & wait"),
      );
      await job.output.wait(0, { ms: 30_000 });
      expect(await job.end()).toMatchObject({ kind: "exited", exit: { code: 0 } });
      expect(job.output.read().text).toBe("ready\nbye\n");
    });
  });

  it("type into no terminal but their own", async () => {
    needs("perl");
    const wanted = { ...JOB, screenSize: { columns: 70, rows: 9 } };
    const typing = `perl -e 'open(T, "+<", "/dev/tty") or die; ioctl(T, 0x5412, $key = $_) for split //, "typed\\n"'`;
    const first = await temporaryJobs().start(wanted, await starter(typing));
    await first.output.wait(0, { ms: 30_000, forExit: true });
    const second = await temporaryJobs().start(wanted, await starter("read -t 1 line; echo got:$line."));
    await second.output.wait(0, { ms: 30_000, forExit: true });
    expect([first.state(), second.output.read().text]).toMatchObject([{ exit: { code: 0 } }, "got:.\n"]);
  });

  it.each([false, true])("have a terminal that controls them, detached: %s", async (isDetached) => {
    const wanted = { ...JOB, isDetached, screenSize: { columns: 70, rows: 9 } };
    const text = "stty size </dev/tty; read -r line; echo got $line; trap 'echo caught' INT; sleep 300; echo end";
    const job = await temporaryJobs().start(wanted, await starter(text));
    await job.output.wait(0, { ms: 30_000 });
    await job.write(bytesOfKeys(["x", "Enter"]));
    await expect.poll(() => job.output.read().text, { timeout: 30_000 }).toContain("got x");
    await job.write(Buffer.from([3]));
    await job.output.wait(0, { ms: 30_000, forExit: true });
    expect(job.output.read().text).toMatch(/^9 70\nx\ngot x\n\^C\s*caught\nend\n$/);
  });
});

it("a job whose sandbox cannot be built ends like a program that cannot be run", async () => {
  const job = await temporaryJobs().start(JOB, async () => ({
    pid: undefined,
    exited: Promise.reject(new Error("no sandbox")),
    write: () => {},
    signal: () => {},
    end: async () => {},
  }));
  expect(await job.ended).toMatchObject({ kind: "exited", exit: { code: 126, signal: null } });
});
