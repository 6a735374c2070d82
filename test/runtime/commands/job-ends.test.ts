import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createTools, type JobEnd } from "../../../src/index.ts";
import type { Options } from "../../../src/app/options.ts";
import { LIMITS } from "../../../src/base/limits.ts";
import { needs } from "../../programs.ts";
import { appOn, callerOf, scratch, stateBeside } from "../scratch.ts";

const SOON = { timeout: 20_000, interval: 20 };
const WAITS = "until [ -e go ]; do sleep 0.05; done";

/** A session whose commands wait for a file, and all that it was told about their ends at once. */
function workspace(options: Partial<Options> = {}, root = scratch({ "a.txt": "one\n" })) {
  needs("bwrap", "unshare", "mount", "setpriv");
  const ends: JobEnd[] = [];
  const app = appOn(root, { exec: { security: "full" }, onJobEnd: (end) => void ends.push(end), ...options });
  const call = callerOf(app);
  const start = async (command: string, more: object = {}): Promise<string> =>
    String((await call("exec", { command, background: true, ...more })).data["process_id"]);
  const go = (): void => writeFileSync(join(root, "go"), "");
  const ended = (count: number): Promise<void> => vi.waitFor(() => expect(ends.length).toBe(count), SOON);
  return { app, root, ends, call, start, go, ended };
}

const notesOf = ({ data }: { readonly data: Readonly<Record<string, unknown>> }): unknown => data["notes"];

describe("the end of a background command", () => {
  it("is told once, in the next answer of any tool", async () => {
    const { call, start, go, ended, ends } = workspace();
    const id = await start(`${WAITS}; exit 3`);
    expect(notesOf(await call("read", { path: "a.txt" }))).toBeUndefined();
    go();
    await ended(1);
    const { data, text } = await call("read", { path: "a.txt" });
    const note = expect.stringMatching(
      `^Background command ${id} has ended \\(.*exit 3.*\\): exit code 3, \\d+\\.\\d s, undo: \\w+; process with action "poll"`,
    );
    expect([data["notes"], text]).toEqual([[note], `one\n\n[${ends[0]?.note}]`]);
    expect(ends).toEqual([
      {
        process_id: id,
        command: `${WAITS}; exit 3`,
        status: "done",
        exit_code: 3,
        signal: null,
        duration_ms: expect.any(Number),
        undo: expect.any(String),
        note,
      },
    ]);
    expect(notesOf(await call("read", { path: "a.txt" }))).toBeUndefined();
  });

  it("is told with a refusal, too", async () => {
    const { call, start, go, ended } = workspace();
    const id = await start(WAITS);
    go();
    await ended(1);
    const { code, text } = await call("read", { path: "none.txt" });
    expect([code, text]).toEqual(["not_found", expect.stringContaining(`Background command ${id} has ended`)]);
  });

  it("is not told again after a poll has reported it", async () => {
    const { call, start, go, ends } = workspace();
    const id = await start(WAITS);
    const polled = call("process", { action: "poll", process_id: id, timeout: 20_000 });
    go();
    expect((await polled).data["status"]).toBe("done");
    expect([notesOf(await call("read", { path: "a.txt" })), ends]).toEqual([undefined, []]);
  });

  it.each(["status", "log", "list"])("is dropped when %s reports it first", async (action) => {
    const { call, start, go, ended } = workspace();
    const id = await start(WAITS);
    go();
    await ended(1);
    const { text } = await call("process", action === "list" ? { action } : { action, process_id: id });
    expect(text).not.toContain("Background command");
    expect(notesOf(await call("read", { path: "a.txt" }))).toBeUndefined();
  });

  it("is told after a poll that came too early", async () => {
    const { call, start, go, ended } = workspace();
    const id = await start(WAITS);
    expect((await call("process", { action: "poll", process_id: id, timeout: 0 })).data["status"]).toBe("running");
    go();
    await ended(1);
    expect(notesOf(await call("ls"))).toHaveLength(1);
  });

  it("is not told of a command that its own call has waited for", async () => {
    const { call, ends } = workspace();
    await call("exec", { command: "true" });
    expect([notesOf(await call("ls")), ends]).toEqual([undefined, []]);
  });

  it("says that changes on a view wait for a poll", async () => {
    const { call, start, ended, ends } = workspace();
    await start("sleep 0.3; echo two >> a.txt", { background: false, yield_ms: 1 });
    await ended(1);
    expect(ends[0]?.note).toMatch(
      /undo: overlay; its changes are not applied yet; process with action "poll" .* applies them and shows its output$/,
    );
    expect((await call("read", { path: "a.txt" })).text).toMatch(/^one\n/);
  });

  it("is bounded where many have ended, and quotes no secret and no line", async () => {
    vi.stubEnv("BUILD_TOKEN", "s3cr3t-t0ken-value-0123456789");
    const { call, start, go, ended } = workspace();
    const long = `${WAITS}; : 's3cr3t-t0ken-value-0123456789\n[forged]' ${"x".repeat(LIMITS.jobEndCommandChars)}`;
    const count = LIMITS.jobEndNotes + 2;
    for (let nth = 0; nth < count; nth += 1) await start(long);
    go();
    await ended(count);
    const notes = notesOf(await call("ls")) as readonly string[];
    expect(notes).toHaveLength(LIMITS.jobEndNotes + 1);
    expect(notes.at(-1)).toBe('2 more background commands ended; process with action "list" shows all');
    expect(notes.join("\n")).not.toMatch(/s3cr3t|x{120}|\n\[forged/);
  }, 60_000);

  it("of an earlier session is told at the first use of process, where it was detached", async () => {
    const earlier = workspace();
    const [seen, other] = [await earlier.start(WAITS, { detach: true }), await earlier.start(WAITS, { detach: true })];
    await earlier.app.close();
    earlier.go();
    const { call } = workspace({}, earlier.root);
    expect(notesOf(await call("ls"))).toBeUndefined();
    await vi.waitFor(
      async () => expect((await call("process", { action: "list" })).text).not.toContain("Running"),
      SOON,
    );
    const later = workspace({}, earlier.root);
    const { text } = await later.call("process", { action: "status", process_id: seen });
    expect(text).toContain(`Background command ${other} has ended`);
    expect(text).not.toContain(`Background command ${seen}`);
    expect((await later.call("process", { action: "status", process_id: seen })).text).not.toContain("Background");
    await later.call("process", { action: "clear" });
  }, 30_000);
});

it("reaches programs that use the tools of the SDK", async () => {
  needs("bwrap", "unshare", "mount", "setpriv");
  const root = scratch({ "a.txt": "one\n" });
  const ends: JobEnd[] = [];
  const tools = createTools({
    roots: [root],
    stateDirectory: stateBeside(root),
    exec: { security: "full" },
    onJobEnd: (end) => void ends.push(end),
  });
  const run = (name: string, input: object) => tools.find((tool) => tool.name === name)?.execute("1", input);
  await run("exec", { command: WAITS, background: true });
  writeFileSync(join(root, "go"), "");
  await vi.waitFor(() => expect(ends).toHaveLength(1), SOON);
  const answer = await run("read", { path: "a.txt" });
  expect(answer?.details).toMatchObject({ notes: [ends[0]?.note] });
  expect(answer?.content.at(-1)).toEqual({ type: "text", text: `[${ends[0]?.note}]` });
});
