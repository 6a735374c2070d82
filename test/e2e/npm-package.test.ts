import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { talkTo } from "../packages/talk.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

let project = "";

const npm = (...words: readonly string[]): string =>
  execFileSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });

/** Installs the package as people do, with its dependencies and without scripts. `.ci/run` does it on three Nodes. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "installed-"));
  writeFileSync(join(project, "package.json"), '{ "type": "module" }');
  npm("pack", "--ignore-scripts", "--pack-destination", project);
  const tarball = readdirSync(project).find((name) => name.endsWith(".tgz")) ?? "";
  npm("install", "--prefix", project, "--ignore-scripts", "--prefer-offline", join(project, tarball));
  return () => rmSync(project, { recursive: true, force: true });
});

it("the installed command answers over MCP", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const bin = join(project, "node_modules/.bin/holdfast");
  const { name, call } = await talkTo([bin, root], { HOLDFAST_STATE: stateBeside(root) });
  expect(name).toBe("holdfast");
  expect(await call("session", {})).toContain("handle");
  await call("edit", { path: "a.txt", oldText: "one", newText: "two" });
  expect(await call("read", { path: "a.txt" })).toContain("two");
});

it("the installed library opens a workspace, and the examples are beside it", () => {
  const root = scratch({ "a.txt": "one\n" });
  writeFileSync(
    join(project, "program.mjs"),
    `import { createHoldfast } from "holdfast";
    const holdfast = createHoldfast({ roots: [${JSON.stringify(root)}], stateDirectory: ${JSON.stringify(stateBeside(root))} });
    console.log((await holdfast.call("read", { path: "a.txt" })).data.content);
    holdfast.close();`,
  );
  expect(execFileSync(process.execPath, ["program.mjs"], { cwd: project, encoding: "utf8" })).toBe("one\n\n");
  expect(existsSync(join(project, "node_modules/holdfast/examples/agent-loop.mjs"))).toBe(true);
});
