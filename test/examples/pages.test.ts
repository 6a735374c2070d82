import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { WITH_OWN_MOUNTS } from "../contracts/run-alone.ts";
import { run } from "../e2e/bin.ts";
import { needsOwnMounts } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";
import { blocksOf, newcomer } from "./blocks.ts";

const PAGES = ["start.md", "rules.md", ...readdirSync("docs/recipes").map((name) => `recipes/${name}`)].map(
  (name) => `docs/${name}`,
);

const SCRIPTS = PAGES.map((page) => ({ page, script: blocksOf(page, "sh").join("") })).filter(({ script }) => script);
const CONFIGURATIONS = PAGES.flatMap((page) => blocksOf(page, "jsonc").map((text) => ({ page, text })));

describe.each(SCRIPTS)("$page", ({ page, script }) => {
  it("has commands that run as they are", () => {
    if (script.includes(" exec ")) needsOwnMounts(WITH_OWN_MOUNTS);
    const [rules] = blocksOf(page, "jsonc");
    const { root, env } = newcomer(rules === undefined ? {} : { "rules.jsonc": rules });
    const { status, stderr } = spawnSync("bash", ["-euc", script], { cwd: root, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, stderr]);
  });
});

it.each(CONFIGURATIONS)("$page shows a configuration that holds: $text", async ({ text }) => {
  const file = join(scratch(), "config.jsonc");
  writeFileSync(file, text);
  const { code, out, err } = await run(["policy", "check", file]);
  expect([code, out + err]).toEqual([0, out + err]);
  const tested = await run(["policy", "test", "--config", file], { cwd: dirname(file) });
  expect([tested.code, tested.out + tested.err]).toEqual([0, tested.out + tested.err]);
});

it("rules.md lets npm test run, and still asks about other scripts", async () => {
  const file = join(scratch(), "config.jsonc");
  writeFileSync(file, blocksOf("docs/rules.md", "jsonc").find((text) => text.includes("npm test")) ?? "");
  const verdictOn = async (command: string): Promise<string> =>
    (await run(["policy", "explain", "exec", command, "--config", file], { cwd: dirname(file) })).out;
  expect(await verdictOn("npm test")).toContain("exec npm test: autonomous");
  expect(await verdictOn("npm run build")).toContain("exec npm run build: approval");
});

it("every page is in the contents of the site", () => {
  const config = readFileSync(resolve("site/.vitepress/config.mts"), "utf8");
  const pages = readdirSync("docs").filter((name) => name.endsWith(".md") && name !== "index.md");
  for (const page of [...pages.map((name) => `docs/${name}`), ...PAGES])
    expect(config).toContain(`"${page.replace(/^docs|\.md$/g, "")}"`);
});
