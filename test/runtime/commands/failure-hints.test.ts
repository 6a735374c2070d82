import { describe, expect, it } from "vitest";
import type { JobDescription } from "../../../src/exec/jobs/job.ts";
import { failureHints } from "../../../src/runtime/commands/failure-hints.ts";
import { needs } from "../../programs.ts";
import { callerOn, scratch } from "../scratch.ts";

const JOB: JobDescription = {
  command: "x",
  directory: "/",
  session: "s",
  agent: "main",
  principal: "agent",
  roots: [],
  undo: "overlay",
  sandbox: "bubblewrap",
  notes: { network: "off" },
};

describe("failureHints", () => {
  it.each([
    ["curl: (6) Could not resolve host: example.org", /network is off.*tools\.exec\.sandbox\.network/],
    ["npm error code EAI_AGAIN", /network is off/],
    ["connect ECONNREFUSED 127.0.0.1:5432", /network is off/],
    ["fatal: renaming 'a' failed: Invalid cross-device link", /\(EXDEV\): use mv, which copies/],
    ["Error: EXDEV: cross-device link not permitted, rename 'a' -> 'b'", /EXDEV/],
    ["fatal: hardlink different from source at '.git/objects/ab/cd'", /git clone --no-hardlinks/],
    ["rm: cannot remove 'f': Value too large for defined data type", /EOVERFLOW.*chown/],
  ])("explains %s", (output, hint) => {
    expect(failureHints(JOB, output)).toEqual([expect.stringMatching(hint)]);
  });

  it("says which hosts are open, and how files are moved where there is no view", () => {
    const output = "curl: (56) CONNECT tunnel failed, response 403\nmv: EXDEV";
    expect(failureHints({ ...JOB, undo: "none", notes: { network: "hosts" } }, output)).toEqual([
      expect.stringMatching(/only listed hosts/),
      expect.stringMatching(/one by one/),
    ]);
  });

  it.each([
    { name: "an error of its own", job: JOB, output: "2 tests failed" },
    { name: "an open network", job: { ...JOB, notes: {} }, output: "Could not resolve host" },
    { name: "no sandbox", job: { ...JOB, sandbox: "none" as const }, output: "EXDEV: cross-device link" },
  ])("explains nothing of $name", ({ job, output }) => expect(failureHints(job, output)).toEqual([]));
});

describe("a command that failed because of its sandbox", () => {
  it.each([
    { command: "bash -c 'cat < /dev/tcp/192.0.2.1/80'", hint: /tools\.exec\.sandbox\.network/ },
    { command: "perl -e 'rename(q(d), q(e)) or die $!'", hint: /EXDEV.*use mv/ },
  ])("says so: $command", async ({ command, hint }) => {
    needs("bwrap", "perl", "unshare");
    const call = callerOn(scratch({ "d/a": "a" }), { exec: { security: "full" } });
    const { data, text } = await call("exec", { command });
    expect(data).toMatchObject({ notes: [expect.anything(), expect.stringMatching(hint)] });
    expect(text).toMatch(hint);
  });

  it("says nothing where it succeeded", async () => {
    needs("bwrap", "unshare");
    const { text } = await callerOn(scratch({}), { exec: { security: "full" } })("exec", { command: "echo EXDEV" });
    expect(text).not.toMatch(/view/);
  });
});
