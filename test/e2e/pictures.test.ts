import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { pictureOf } from "../workspace/changes/views/on-view.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";
import { INITIALIZE, INITIALIZED, openWire, toolCall } from "./wire.ts";
import { jsonOf } from "./workplace.ts";

vi.setConfig({ testTimeout: 60_000 });

it("a detached job whose server was killed is compared by the next program, and undone", async () => {
  const root = scratch({ "a.txt": "one\n", "src/b.ts": "b\n", "src/c.ts": "c\n" });
  const before = pictureOf(root);
  const holdfast = (...words: readonly string[]) =>
    run(words, { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } });
  const wire = openWire(root, { args: ["--exec", "full"] });
  wire.say(INITIALIZE, INITIALIZED);
  const command = "while [ ! -e go ]; do sleep 0.1; done; rm -r src go; echo two >> a.txt";
  wire.say(toolCall(1, "exec", { command, detach: true }));
  expect(JSON.stringify(await wire.answer(1))).toContain("undo: picture");
  await wire.end("SIGKILL");
  writeFileSync(join(root, "go"), "");
  await vi.waitFor(() => expect(existsSync(join(root, "src"))).toBe(false), WHILE_BUSY);
  const [job] = await vi.waitFor(async () => {
    const { jobs } = jsonOf((await holdfast("jobs", "--json")).out) as { jobs: readonly Record<string, unknown>[] };
    expect(jobs).toMatchObject([{ state: "done", undo: "picture" }]);
    return jobs;
  }, WHILE_BUSY);
  expect((await holdfast("jobs", "show", String(job?.["job_id"]))).out).toContain("undo: picture");
  expect((await holdfast("history")).out).toMatch(/ exec .*while \[/);
  expect((await holdfast("undo")).code).toBe(0);
  // The killed server could not remove the placeholder of its sandbox.
  const { ".holdfast-store": placeholder, ...after } = pictureOf(root);
  expect([after, placeholder ?? "644 "]).toEqual([before, "644 "]);
  const stored = readdirSync(stateBeside(root), { recursive: true, encoding: "utf8" });
  const kept = stored.filter((path) => /pictures\/./.test(path));
  expect(kept).toEqual([]);
});
