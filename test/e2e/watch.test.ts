import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { hookSystem } from "../crash/system-calls.ts";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";
import { BIN, bareEnv, run } from "./bin.ts";

interface Watching {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  /** The next whole line of standard output. */
  line(): Promise<string>;
  /** Sends a signal; resolves to the exit code and the text of standard error. */
  end(signal: NodeJS.Signals): Promise<{ readonly code: number | null; readonly err: string }>;
}

/** `holdfast watch`, once it is ready. */
async function watching(root: string, args: readonly string[] = [root]): Promise<Watching> {
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const child = spawn(process.execPath, [BIN, "watch", ...args], { env, cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let err = "";
  let out = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  while (!err.includes("Ctrl-C")) await once(child.stderr, "data");
  return {
    child,
    async line() {
      while (!out.includes("\n")) await once(child.stdout, "data");
      const [first = "", ...rest] = out.split("\n");
      out = rest.join("\n");
      return first;
    },
    async end(signal) {
      child.kill(signal);
      const [code] = (await once(child, "close")) as [number | null];
      return { code, err };
    },
  };
}

it("tells what happens, line by line, and ends well", async () => {
  const root = scratch({ "a.txt": "1" });
  const { line, end } = await watching(root);
  // In one step: between two, the file may be seen emptied, and is modified twice.
  appendFileSync(join(root, "a.txt"), "2");
  expect(await line()).toMatch(/^\d\d:\d\d:\d\d {2}modify {2}a\.txt$/);
  renameSync(join(root, "a.txt"), join(root, "b c.txt"));
  expect(await line()).toMatch(/ {2}rename {2}a\.txt → b c\.txt$/);
  mkdirSync(join(root, "d\n"));
  expect(await line()).toMatch(/ {2}create {2}"d\\n"$/);
  const { data } = await callerOn(root)("delete", { path: "b c.txt" });
  expect(await line()).toMatch(new RegExp(` {2}delete {2}b c\\.txt {2}\\(change ${String(data["change_id"])}\\)$`));
  expect(await end("SIGINT")).toEqual({ code: 0, err: `holdfast: Watching ${root}; press Ctrl-C to stop\n` });
});

it("names the change that did it, however long it takes from the change to the report", async () => {
  const root = scratch({ "a.txt": "1" });
  const { line } = await watching(root);
  const hurry = hookSystem(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60));
  onTestFinished(hurry);
  const { data } = await callerOn(root)("delete", { path: "a.txt" });
  expect(await line()).toMatch(new RegExp(` {2}delete {2}a\\.txt {2}\\(change ${String(data["change_id"])}\\)$`));
});

it("the current directory, as JSON", async () => {
  const root = scratch({ "a.txt": "1" });
  const { line, end } = await watching(root, ["--json"]);
  rmSync(join(root, "a.txt"));
  expect(JSON.parse(await line())).toEqual({ type: "delete", path: "a.txt" });
  expect((await end("SIGTERM")).code).toBe(0);
});

it("several directories, by their whole paths", async () => {
  const [one, two] = [scratch(), scratch()];
  const { line } = await watching(one, [one, two]);
  writeFileSync(join(two, "x"), "");
  expect(await line()).toMatch(new RegExp(` {2}create {2}${two}/x$`));
  writeFileSync(join(one, "y"), "");
  expect(await line()).toMatch(new RegExp(` {2}create {2}${one}/y$`));
});

it("ends when nobody reads any more", async () => {
  const root = scratch();
  const { child, line } = await watching(root);
  writeFileSync(join(root, "x"), "");
  await line();
  child.stdout.destroy();
  for (let n = 0; child.exitCode === null; n++) {
    writeFileSync(join(root, `x${n}`), "");
    await Promise.race([once(child, "exit"), new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  expect(child.exitCode).toBe(0);
});

it("a directory that is not there", async () => {
  const { code, err } = await run(["watch", "/nowhere/at/all"]);
  expect([code, err]).toEqual([2, expect.stringMatching(/^holdfast: .*\/nowhere\/at\/all/)]);
});
