import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { NOTEBOOK, talkTo } from "./talk.ts";

const RUN = resolve("scripts/package/run.mjs");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

const MCPB = resolve("node_modules/.bin/mcpb");

it("packs a bundle that is valid, small, and serves the directories a person picks", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const printed = execFileSync(process.execPath, [RUN, "mcpb"], { encoding: "utf8" });
  const bundle = resolve(printed.split(" ")[0] ?? "");
  expect(statSync(bundle).size).toBeLessThan(6_000_000);
  execFileSync(MCPB, ["unpack", bundle, folder], { stdio: "ignore" });
  execFileSync(MCPB, ["validate", join(folder, "manifest.json")], { stdio: "ignore" });
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  expect(manifest).toMatchObject({ manifest_version: "0.3", name: "holdfast", version });
  expect(existsSync(join(folder, manifest.server.entry_point))).toBe(true);

  const [one, two] = [scratch({ "a.txt": "one\n" }), scratch({ "b.txt": "two\n", "c.ipynb": NOTEBOOK })];
  const words = commandIn(manifest.server.mcp_config, folder, [one, two]);
  const { name, call, resource } = await talkTo(words, { HOLDFAST_STATE: join(folder, "state"), HOME: folder });
  expect(name).toBe("holdfast");
  expect(await call("read", { path: join(two, "b.txt") })).toContain("two");
  expect(await call("session", {})).toContain("handle");
  expect(await call("read", { path: join(two, "c.ipynb") })).toContain("Packed *along*");
  expect(await resource("ui://holdfast/change.html")).toContain("<html");
});

/** Replaces variables as clients do: a variable with several values becomes several words. */
function commandIn(
  { command, args }: { command: string; args: readonly string[] },
  folder: string,
  directories: readonly string[],
): readonly string[] {
  const words = args.flatMap((word) => (word === "${user_config.directories}" ? directories : [word]));
  return [command, ...words.map((word) => word.replace("${__dirname}", folder))];
}

it("says what can be made", () => {
  expect(() => execFileSync(process.execPath, [RUN, "rpm"], { stdio: "pipe" })).toThrow(
    "Name what to make: mcpb, docker, sea",
  );
});
