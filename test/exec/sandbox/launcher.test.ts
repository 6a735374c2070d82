import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { pumpToLog } from "../../../src/exec/jobs/pump.ts";
import { createNoSandbox } from "../../../src/exec/sandbox/none.ts";
import type { Bounds } from "../../../src/exec/sandbox/sandbox.ts";
import { runAlone, WITH_OWN_MOUNTS } from "../../contracts/run-alone.ts";

const sandbox = createNoSandbox({ hasPidNamespace: true });
const BOUNDS: Bounds = { roots: [], masked: [], readOnly: [], caches: [], network: "on", limits: {} };
const ENVIRONMENT = { PATH: "/usr/bin:/bin" };

it("has the process of the next command waiting while one runs, and uses it", async () => {
  await run({ text: "true" });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  const [pid] = waiting();
  expect((await run({ text: "true" })).pid).toBe(pid);
});

it("does not use it for another environment, and ends it", async () => {
  await run({ text: "true" });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  const [pid] = waiting();
  const other = await run({ text: 'echo "$NAME"', environment: { ...ENVIRONMENT, NAME: "other" } });
  expect(other.printed).toBe("other\n");
  expect(other.pid).not.toBe(pid);
  await vi.waitFor(() => expect(waiting()).not.toContain(pid));
});

it("prepares none that keeps variables of the caller, and saves the one that waits", async () => {
  await run({ text: "true" });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  const [pid] = waiting();
  const environment = { ...ENVIRONMENT, TOKEN: "secret" };
  expect((await run({ text: 'echo "$TOKEN"', environment, hasCallerVariables: true })).printed).toBe("secret\n");
  expect((await run({ text: "true" })).pid).toBe(pid);
});

it("starts in the directory that has the name now", async () => {
  const directory = temporaryDirectory();
  const place = join(directory, "it's a place");
  mkdirSync(place);
  await run({ text: "true", directory: place });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  renameSync(place, join(directory, "old"));
  mkdirSync(place);
  writeFileSync(join(place, "new"), "");
  expect(await run({ text: 'ls; pwd; echo "${OLDPWD-none}"', directory: place })).toMatchObject({
    printed: `new\n${place}\nnone\n`,
  });
  rmSync(place, { recursive: true });
  await expect(run({ text: "true", directory: place })).rejects.toMatchObject({ code: "io" });
});

it("passes every word as it is, however long", async () => {
  const words = ["it's", 'a "b" $HOME `id` \\', "two\nlines\n", "Zürich", "", "-n", "x".repeat(100_000)];
  const { printed } = await run({ text: 'printf "%s\\0" "$@"', words });
  expect(printed.split("\0").slice(0, -1)).toEqual(words);
});

it("refuses a word that the shell would change: it drops NUL characters", async () => {
  await expect(run({ text: "echo a\0b" })).rejects.toMatchObject({ code: "invalid_input" });
});

it("outlives the process that waits: the command counts as killed, and the next one runs", async () => {
  await run({ text: "true" });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  killAndWait(Number(waiting()[0]));
  expect(await exitOf({ text: "true" })).toEqual({ code: null, signal: "SIGKILL" });
  expect((await run({ text: "echo on" })).printed).toBe("on\n");
});

it("leaves no process behind where its words cannot be written", () => {
  const script = "test/exec/sandbox/fixtures/full-shared-memory.ts";
  expect(runAlone(script, {}, { through: WITH_OWN_MOUNTS })).toEqual({ refused: Array(3).fill("ENOSPC"), left: 0 });
});

it("leaves no descriptor of ours to the command but its output", async () => {
  await run({ text: "true" });
  const { printed } = await run({ text: 'for each in /proc/$$/fd/*; do readlink "$each" || :; done' });
  const targets = new Set(printed.trim().split("\n"));
  expect([...targets].filter((target) => target !== "/dev/null")).toEqual([expect.stringContaining("(deleted)")]);
});

it("leaves every variable of the command as it is", async () => {
  const environment = { ...ENVIRONMENT, go: "a", end: "b", line: "c" };
  expect((await run({ text: 'echo "$go $end $line"', environment })).printed).toBe("a b c\n");
});

it("keeps no descriptors of a waiting process that has ended", async () => {
  await run({ text: "true" });
  await vi.waitFor(() => expect(waiting()).toHaveLength(1));
  const before = descriptorCount();
  process.kill(waiting()[0] ?? 0, "SIGKILL");
  // Its script, its output, and the two pipes that keep it waiting.
  await vi.waitFor(() => expect(descriptorCount()).toBe(before - 4));
});

it("gives no file a name in the directory for temporary files, where a root may be", async () => {
  const directory = temporaryDirectory();
  const log = join(temporaryDirectory(), "log");
  vi.stubEnv("TMPDIR", directory);
  onTestFinished(() => void vi.unstubAllEnvs());
  const names: (string | null)[] = [];
  const watcher = watch(directory, (_, name) => names.push(name));
  onTestFinished(() => watcher.close());
  // More than the pipes that are made at once.
  for (let at = 0; at < 9; at++) await run({ text: "true", log });
  writeFileSync(join(directory, "last"), "");
  await vi.waitFor(() => expect(names).toContain("last"));
  expect(new Set(names)).toEqual(new Set(["last"]));
});

interface Run {
  readonly text: string;
  readonly words?: readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly hasCallerVariables?: boolean;
  readonly log?: string;
}

async function run(given: Run) {
  const { exit, ...rest } = await runAnyway(given);
  expect(exit).toEqual({ code: 0, signal: null });
  return rest;
}

const exitOf = async (given: Run) => (await runAnyway(given)).exit;

async function runAnyway({
  text,
  words = [],
  directory = "/",
  environment = ENVIRONMENT,
  log = newLog(),
  ...more
}: Run) {
  const argv = ["/bin/bash", "--noprofile", "--norc", "-c", text, "bash", ...words] as const;
  const output = { log: openSync(log, "a") };
  const command = await sandbox
    .start({ argv, directory, environment, ...more }, BOUNDS, { input: "none", output })
    .finally(() => closeSync(output.log));
  const pump = pumpToLog(command.output ?? -1, log);
  const exit = await command.exited;
  await pump.drained();
  return { pid: command.pid, printed: readFileSync(log, "utf8"), exit };
}

const newLog = (): string => join(temporaryDirectory(), "log");

const descriptorCount = (): number => readdirSync("/proc/self/fd").length;

/** Lists the shells of this process that wait for the words of a command. */
function waiting(): readonly number[] {
  const children = readdirSync("/proc/self/task").flatMap((thread) =>
    readFileSync(`/proc/self/task/${thread}/children`, "utf8").split(" ").filter(Boolean),
  );
  return children
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("read -r HOLDFAST_LINE"))
    .map(Number);
}

/** Waits without a turn of the event loop, so that nobody here has heard of the death. */
function killAndWait(pid: number): void {
  process.kill(pid, "SIGKILL");
  while (!readFileSync(`/proc/${pid}/stat`, "latin1").includes(") Z ")) {}
}

function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "holdfast-launcher-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
