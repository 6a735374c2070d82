import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, vi } from "vitest";
import { needs } from "../programs.ts";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";
import { jsonOf } from "./workplace.ts";

vi.setConfig({ testTimeout: 60_000 });

/** A workspace whose agent may run anything, and the command line in it or elsewhere. */
function workplace() {
  const root = scratch({ "a.txt": "one\n" });
  const agent = callerOn(root, { exec: { security: "full" } });
  const holdfast = (words: readonly string[], cwd = root) =>
    run(words, { cwd, env: { HOLDFAST_STATE: stateBeside(root) } });
  const textOf = (name: string): string => readFileSync(join(root, name), "utf8");
  const jobs = async (words: readonly string[] = [], cwd = root) =>
    jsonOf((await holdfast(["jobs", "--json", ...words], cwd)).out)["jobs"] as readonly Record<string, unknown>[];
  return { root, agent, holdfast, textOf, jobs };
}

/** Runs a command that changes a.txt, and changes it otherwise before the command has ended: the changes wait. */
async function conflict() {
  needs("bwrap");
  const place = workplace();
  const running = place.agent("exec", { command: "touch started; sleep 1; echo command > a.txt" });
  await vi.waitFor(async () => expect(await place.jobs()).toHaveLength(1), WHILE_BUSY);
  writeFileSync(join(place.root, "a.txt"), "person\n");
  const { data, text } = await running;
  return { ...place, id: String(data["process_id"]), text };
}

it("lists jobs below the directory, running and ended, with their owners", async () => {
  const { root, agent, jobs, holdfast } = workplace();
  const done = await agent("exec", { command: "echo hello; exit 3" });
  const live = await agent("exec", { command: "echo begun; sleep 60", background: true });
  const listed = await jobs();
  expect(listed).toMatchObject([
    { job_id: live.data["process_id"], state: "running", undo: "picture", directory: root, agent: "main" },
    { job_id: done.data["process_id"], state: "done", exit_code: 3, command: "echo hello; exit 3" },
  ]);
  expect(new Set(listed.map((each) => each["session"])).size).toBe(1);
  const elsewhere = join(dirname(root), "elsewhere");
  mkdirSync(elsewhere);
  expect(await jobs([], elsewhere)).toEqual([]);
  expect(await jobs(["--all"], elsewhere)).toHaveLength(2);
  expect((await holdfast(["jobs"], elsewhere)).out).toBe(
    `No jobs in ${elsewhere}; use --root for another directory, --all for all\n`,
  );
  expect((await holdfast(["jobs"])).out).toMatch(
    /^\w{6} {2}running .* sleep 60\n\w{6} {2}exit 3 .* echo hello; exit 3$/m,
  );
});

it("shows a job, prints its output and ends it, from anywhere", async () => {
  const { root, agent, holdfast, jobs } = workplace();
  const { data } = await agent("exec", { command: "echo begun; printf '\\033[2Jred\\n'; sleep 60", background: true });
  const id = String(data["process_id"]);
  const elsewhere = dirname(root);
  await vi.waitFor(async () => {
    expect((await holdfast(["jobs", "log", id], elsewhere)).out).toMatch(/^begun\n.*red\n$/);
  }, WHILE_BUSY);
  const shown = (await holdfast(["jobs", "show", id], elsewhere)).out;
  expect(shown).toMatch(/^job \w{6} {2}running/);
  expect(shown).toContain("\n  begun\n");
  expect(shown).not.toContain("\u001b");
  expect(await holdfast(["jobs", "stop", id], elsewhere)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Ended/),
  });
  expect(await jobs()).toMatchObject([{ job_id: id, state: "done", stopped: "killed" }]);
  expect((await holdfast(["jobs", "show", "nosuch"])).err).toBe(
    'holdfast: Cannot find the job "nosuch": there is none; holdfast jobs --all lists all\n',
  );
});

it("changes that conflict wait, and a person decides: ours", async () => {
  const { id, text, holdfast, textOf, jobs } = await conflict();
  expect(text).toContain("Not applied (conflict)");
  expect(await jobs()).toMatchObject([{ job_id: id, undo: "overlay", changes_wait: true }]);
  const refused = await holdfast(["jobs", "apply", id]);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining(`holdfast jobs apply ${id} ours keeps`)]);
  expect(await holdfast(["jobs", "apply", id, "ours"])).toMatchObject({ code: 0, err: "" });
  expect([textOf("a.txt"), textOf("started")]).toEqual(["person\n", ""]);
  expect(await jobs()).toMatchObject([{ changes_wait: false }]);
});

it("theirs takes what the command left, as one change of a person that can be undone", async () => {
  const { id, root, holdfast, textOf } = await conflict();
  const { out } = await holdfast(["jobs", "apply", id, "theirs", "--json"], dirname(root));
  expect(jsonOf(out)).toMatchObject({ applied: true, change_id: expect.any(String) });
  expect(textOf("a.txt")).toBe("command\n");
  expect((await holdfast(["history"])).out).toMatch(/ exec .*a\.txt.*sleep 1; echo command > a\.txt/);
  expect((await holdfast(["audit", "show"])).out).toContain("jobs apply");
  expect((await holdfast(["undo"])).code).toBe(0);
  expect(textOf("a.txt")).toBe("person\n");
});

it("drops what waits", async () => {
  const { id, holdfast, jobs, textOf } = await conflict();
  expect((await holdfast(["jobs", "discard", id])).out).toBe(`Dropped the changes of ${id}\n`);
  expect(await jobs()).toMatchObject([{ changes_wait: false }]);
  expect((await holdfast(["jobs", "discard", id])).out).toBe(`${id} has no changes that wait\n`);
  expect((await holdfast(["jobs", "apply", id])).code).toBe(1);
  expect(textOf("a.txt")).toBe("person\n");
});

it("an agent decides no conflict, and applies nothing of a command that runs", async () => {
  const { id, agent } = await conflict();
  for (const prefer of ["ours", "theirs"])
    expect(await agent("process", { action: "apply", process_id: id, prefer })).toMatchObject({
      code: "invalid_input",
    });
  expect(await agent("process", { action: "apply", process_id: id })).toMatchObject({ code: "conflict" });
  const running = await agent("exec", { command: "sleep 30", yieldMs: 100 });
  const other = { process_id: running.data["process_id"] };
  for (const action of ["apply", "discard"])
    expect(await agent("process", { action, ...other })).toMatchObject({ code: "conflict" });
  await agent("process", { action: "kill", ...other });
});

it("shows the changes that wait, which of them conflict, and who decides", async () => {
  const { id, text, holdfast } = await conflict();
  expect(text).toContain(`holdfast jobs apply ${id} ours`);
  const { out } = await holdfast(["jobs", "show", id]);
  expect(out).toMatch(/^ {2}created started \(.+\)$/m);
  expect(out).toMatch(/^ {2}in conflict: a\.txt \(.+\)$/m);
  expect(out).toContain(`holdfast jobs apply ${id} ours keeps your files`);
  expect(out).toMatch(/^Of session \w+, agent main$/m);
});
