import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterAll, expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { node24, NOTEBOOK, talkTo } from "./talk.ts";

const MOST_BYTES = 120_000_000;
/** Hides every other program, Node among them. */
const NO_PATH = { PATH: "/nonexistent", NO_COLOR: "1" };

let made = "";

/** Makes the executable in the first test that needs it. */
function executable(): string {
  needs("strip");
  if (made === "") {
    const words = [resolve("scripts/package/run.mjs"), "sea", node24()];
    const printed = execFileSync(process.execPath, words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    made = /^\S+\/holdfast(?= \()/m.exec(printed)?.[0] ?? "";
  }
  return made;
}

afterAll(() => {
  if (made !== "") rmSync(dirname(made), { recursive: true, force: true });
});

it("the executable is small enough, and runs where there is no Node", () => {
  const file = executable();
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  expect(statSync(file).size).toBeLessThanOrEqual(MOST_BYTES);
  expect(execFileSync(file, ["--version"], { encoding: "utf8", env: NO_PATH })).toBe(`${version}\n`);
});

it("the executable reads, changes and undoes over MCP", async () => {
  const root = scratch({ "a.txt": "one\n", "c.ipynb": NOTEBOOK });
  const { name, call, resource } = await talkTo([executable(), root], {
    ...NO_PATH,
    HOLDFAST_STATE: stateBeside(root),
  });
  expect(name).toBe("holdfast");
  expect(await call("session", {})).toContain("handle");
  expect(await call("edit", { path: "a.txt", oldText: "one", newText: "two" })).toContain("+two");
  expect(await call("undo", {})).toContain("a.txt");
  expect(await call("read", { path: "a.txt" })).toContain("one");
  expect(await call("read", { path: "c.ipynb" })).toContain("Packed *along*");
  expect(await resource("ui://holdfast/change.html")).toContain("<html");
});

it("the executable alone serves the console, starts itself again and installs itself", async () => {
  const home = scratch({ "project/a.txt": "one\n" });
  const [file, env] = [join(home, "holdfast"), { ...NO_PATH, HOME: home, HOLDFAST_STATE: join(home, "state") }];
  copyFileSync(executable(), file);
  const holdfast = (...words: readonly string[]): string =>
    execFileSync(file, words, { encoding: "utf8", env, cwd: join(home, "project"), stdio: ["ignore", "pipe", "pipe"] });
  const { console: login } = JSON.parse(holdfast("up", "--background", "--port", "0", "--json")) as { console: string };
  try {
    expect(await (await fetch(new URL("/favicon.svg", login))).text()).toContain("<svg");
    expect((await fetch(new URL("/console", login))).status).toBe(200);
    expect((await fetch(new URL("/program", login))).status).toBe(404);
  } finally {
    holdfast("stop");
  }
  expect(JSON.parse(holdfast("install", "cursor", "--print"))).toEqual({
    mcpServers: { holdfast: { command: file, args: [join(home, "project")] } },
  });
});
