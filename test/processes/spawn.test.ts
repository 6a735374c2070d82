import { setTimeout as wait } from "node:timers/promises";
import { expect, it } from "vitest";
import { runAlone } from "../contracts/run-alone.ts";
import type { Program } from "../../src/base/program.ts";
import { spawnProgram } from "../../src/exec/spawn.ts";
import { needs } from "../programs.ts";

const run = (...words: readonly string[]): Program =>
  spawnProgram({ file: process.execPath, args: ["-e", ...words], directory: "/" });

async function outputOf({ output }: Program): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of output) parts.push(part);
  return Buffer.concat(parts).toString();
}

it("what was printed before anybody listened is not lost", async () => {
  const program = run("console.log(process.argv[1])", "$HOME `id` ; *");
  await wait(500);
  expect(await outputOf(program)).toBe("$HOME `id` ; *\n");
  expect(await program.exited).toEqual({ code: 0, stderr: "" });
});

it("what is printed bit by bit comes in larger pieces, and all of it", async () => {
  const lines = Array.from({ length: 400 }, (_, line) => `${line}\n`);
  const aMoment = "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.5)";
  const program = run(`for (let line = 0; line < 400; line++) { fs.writeSync(1, line + "\\n"); ${aMoment}; }`);
  const parts: string[] = [];
  for await (const part of program.output) parts.push(part.toString());
  expect([parts.join(""), parts.length < lines.length / 2]).toEqual([lines.join(""), true]);
});

it("nothing of our environment is passed on", async () => {
  process.env["HOLDFAST_TEST_SECRET"] = "secret";
  expect(await outputOf(run("console.log(JSON.stringify(process.env))"))).toBe("{}\n");
});

it("says how it ended, and the start of what it complained about", async () => {
  const program = run("console.error('x'.repeat(1e6)); process.exitCode = 3");
  await outputOf(program);
  const { code, stderr } = await program.exited;
  expect([code, stderr.length < 100_000, stderr.startsWith("xxx")]).toEqual([3, true, true]);
});

it("can be killed, and says so", async () => {
  const program = run("setInterval(() => {}, 1000)");
  program.kill();
  expect(await program.exited).toEqual({ code: null, stderr: "" });
});

it.each([
  { file: "/nope", directory: "/" },
  { file: process.execPath, directory: "/nope" },
])("a program that cannot be started is one that ended: $file in $directory", async ({ file, directory }) => {
  const program = spawnProgram({ file, args: [], directory });
  expect(await outputOf(program)).toBe("");
  expect(await program.exited).toMatchObject({ code: null });
});

/** In a process group of its own: who is not started has no number, and a signal to nobody reaches all of the group. */
it("with no descriptor left no program is started, and nothing else is ended in its place", () => {
  needs("setsid", "true");
  const through = ["setsid", "--wait", "sh", "-c", 'ulimit -n 64; exec "$@"', "sh"];
  expect(runAlone("test/processes/fixtures/spawn-without-descriptors.ts", {}, { through })).toEqual({
    without: [null, null, null],
    again: [0, 0, 0],
  });
});
