import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { plant } from "./script.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Builds the program below and swaps it in, as the build does, in a process of its own. */
const BUILD = `
import { writeFileSync } from "node:fs";
import { join } from "node:path";
const [root, version, scripts, more] = process.argv.slice(2);
const { bundleBin } = await import(scripts + "/bundle/bundle.mjs");
const { openStage, swapIn } = await import(scripts + "/swap.mjs");
const startedMs = Date.now();
const dist = join(root, "dist");
writeFileSync(join(root, version + "-later.ts"), \`export const says = "\${version} later";\`);
writeFileSync(join(root, version + ".ts"), \`
  console.log("\${version}");
  process.stdin.once("data", async () => {
    console.log((await import("./\${version}-later.ts")).says);
    process.exit();
  });\`);
const stage = openStage(dist);
await bundleBin(join(stage, "holdfast.cjs"), join(root, version + ".ts"));
writeFileSync(join(stage, "index.js"), version);
writeFileSync(join(stage, "only-" + version + ".js"), version);
if (more === "killed") process.kill(process.pid, "SIGKILL");
swapIn(stage, dist, { startedMs, keepsReplaced: more !== "only-this" });
`;

function workshop() {
  const root = plant({ "package.json": '{ "type": "module" }', "build.mjs": BUILD });
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  const dist = join(root, "dist");
  const words = (version: string, more = "") => [join(root, "build.mjs"), root, version, SCRIPTS, more];
  return {
    dist,
    inDist: (...names: readonly string[]) => join(dist, ...names),
    build: async (version: string, more = "") => once(spawn(process.execPath, words(version, more)), "close"),
    /** Starts the program that is there, and what it says when it is poked. */
    async start() {
      const child = spawn(process.execPath, [join(dist, "holdfast.cjs")]);
      onTestFinished(() => void child.kill());
      const [said] = await once(child.stdout, "data");
      return { said: String(said).trim(), poked: async () => poked(child) };
    },
  };
}

const SCRIPTS = pathToFileURL(resolve("scripts")).href;

async function poked(child: ChildProcess): Promise<string> {
  child.stdin?.write("go\n");
  const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, "data");
  return String(said).trim();
}

it("a program that runs goes on loading what it was built with; a new one is the new build", async () => {
  const { build, start, inDist } = workshop();
  await build("one");
  const before = await start();
  await build("two");
  const after = await start();
  expect([before.said, after.said]).toEqual(["one", "two"]);
  expect([await before.poked(), await after.poked()]).toEqual(["one later", "two later"]);
  expect(readFileSync(inDist("index.js"), "utf8")).toBe("two");
  expect([existsSync(inDist("only-one.js")), existsSync(inDist("only-two.js"))]).toEqual([false, true]);
});

it("a build that is killed leaves the program that is there, and the next one clears up", async () => {
  const { dist, build, start } = workshop();
  await build("one");
  expect(await build("two", "killed")).toEqual([null, "SIGKILL"]);
  const { said, poked: poke } = await start();
  expect([said, await poke()]).toEqual(["one", "one later"]);
  expect(readdirSync(dist).filter((name) => name.startsWith(".building-"))).toHaveLength(1);
  await build("three");
  expect(readdirSync(dist).filter((name) => name.startsWith("."))).toEqual([]);
  expect((await start()).said).toBe("three");
});

it("two builds at once do not harm each other, whether they are of the same sources or not", async () => {
  const { dist, build, start, inDist } = workshop();
  await build("one");
  expect(await Promise.all([build("two"), build("three"), build("two")])).toEqual(
    [0, 0, 0].map((code) => [code, null]),
  );
  const { said, poked: poke } = await start();
  expect(["two", "three"]).toContain(said);
  expect(await poke()).toBe(`${said} later`);
  expect(existsSync(inDist(`only-${said}.js`))).toBe(true);
  expect(readdirSync(dist).filter((name) => name.startsWith("."))).toEqual([]);
});

it("what was replaced stays for a day, and in a package not at all", async () => {
  const { build, inDist } = workshop();
  await build("one");
  const [one = ""] = readdirSync(inDist("builds"));
  await build("two");
  expect(readdirSync(inDist("builds"))).toHaveLength(2);
  const longAgo = new Date(Date.now() - 2 * DAY_MS);
  utimesSync(inDist("builds", one), longAgo, longAgo);
  await build("three");
  expect(readdirSync(inDist("builds"))).not.toContain(one);
  expect(readdirSync(inDist("builds"))).toHaveLength(2);
  await build("four", "only-this");
  expect(readdirSync(inDist("builds"))).toHaveLength(1);
});

it("a source that changes during a build makes the bin stale", async () => {
  const { build, inDist } = workshop();
  const beganMs = Date.now();
  await build("one");
  const { mtimeMs } = statSync(inDist("holdfast.cjs"));
  expect(mtimeMs).toBeGreaterThanOrEqual(Math.floor(beganMs));
  expect(mtimeMs).toBeLessThan(statSync(inDist("builds")).mtimeMs);
});
