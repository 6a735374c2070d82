import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { bareEnv, BIN, own, run } from "./bin.ts";
import { jsonOf } from "./workplace.ts";

vi.setConfig({ testTimeout: 60_000 });

const callWords = (input: object): readonly string[] => ["call", "exec", JSON.stringify(input), "--exec", "full"];

it("waits for the end of a command, however soon it would go on in the background", async () => {
  const root = scratch({});
  const ran = await run(callWords({ command: "sleep 1; echo done > done.txt", yield_ms: 0 }), own(root));
  expect([ran.code, ran.out]).toEqual([0, expect.not.stringContaining("poll it")]);
  expect(readFileSync(join(root, "done.txt"), "utf8")).toBe("done\n");
});

it("starts no command in the background, which would end with the call, but detached ones", async () => {
  const root = scratch({});
  const { code, out } = await run(callWords({ command: "sleep 60", background: true }), own(root));
  expect([code, out]).toEqual([1, expect.stringMatching(/would end with this call.*detach: true/)]);
  const detached = await run(callWords({ command: "touch begun; sleep 60", detach: true }), own(root));
  expect(detached.code).toBe(0);
  await vi.waitFor(() => expect(existsSync(join(root, "begun"))).toBe(true), WHILE_BUSY);
  const [job] = jsonOf((await run(["jobs", "--json"], own(root))).out)["jobs"] as readonly Record<string, unknown>[];
  expect(job).toMatchObject({ state: "running", detached: true });
  expect((await run(["jobs", "stop", String(job?.["job_id"])], own(root))).code).toBe(0);
});

it("Ctrl-C ends the command, and no changes wait that could not be applied", async () => {
  needs("bwrap");
  const root = scratch({});
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const child = spawn(process.execPath, [BIN, ...callWords({ command: "touch begun; sleep 60" })], { cwd: root, env });
  onTestFinished(() => void child.kill("SIGKILL"));
  const jobs = async () =>
    jsonOf((await run(["jobs", "--json"], own(root))).out)["jobs"] as readonly Record<string, unknown>[];
  await vi.waitFor(async () => expect(await jobs()).toMatchObject([{ state: "running" }]), WHILE_BUSY);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([1, null]);
  expect(await jobs()).toMatchObject([{ state: "done", stopped: "cancelled", changes_wait: false }]);
});
