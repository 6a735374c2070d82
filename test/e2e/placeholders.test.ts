import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { needs } from "../programs.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { bareEnv, BIN, run } from "./bin.ts";

/** A repository with a server on it, in which a command runs in the background. */
async function workplace(input: Readonly<Record<string, boolean>>) {
  needs("bwrap", "git");
  const root = scratch({ "a.txt": "a\n" });
  const git = (...words: readonly string[]): string => execFileSync("git", words, { cwd: root, encoding: "utf8" });
  git("init", "-q");
  git("add", "-A");
  const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
  const transport = new StdioClientTransport({ command: process.execPath, args: [BIN, "--exec", "full", root], env });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport);
  const command = { command: "while [ ! -e stop ]; do sleep 0.1; done", ...input };
  const started = await client.callTool({ name: "exec", arguments: command });
  return { root, git, env, client, transport, started };
}

/** Lists what is not the person's own. */
const leftIn = (root: string): readonly string[] =>
  [".", ".git", ".git/info"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
    .filter((path) => /holdfast|config\.worktree|attributes/.test(path));

describe("what a sandbox puts into a root", () => {
  it("is nothing that git would commit", async () => {
    const { root, git, client } = await workplace({ background: true });
    expect(leftIn(root)).not.toEqual([]);
    expect(git("status", "--porcelain", "--untracked-files=all")).toBe("A  a.txt\n");
    await client.close();
  });

  it("is gone when the server has ended", async () => {
    const { root, client, transport } = await workplace({ background: true });
    const { pid } = transport;
    await client.close();
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 20_000 }).toBe(false);
    expect(leftIn(root)).toEqual([]);
  });

  it("is removed by the next process after a kill", async () => {
    const { root, env, client, transport } = await workplace({ background: true });
    process.kill(transport.pid as number, "SIGKILL");
    await client.close();
    await expect.poll(async () => (await run(["jobs"], { cwd: root, env })).code, { timeout: 20_000 }).toBe(0);
    await expect
      .poll(async () => (await run(["jobs"], { cwd: root, env }), leftIn(root)), { timeout: 20_000 })
      .toEqual([]);
  });

  it("stays as long as a detached command runs, and is not taken for its work", async () => {
    const { root, env, client } = await workplace({ detach: true });
    await client.close();
    expect((await run(["jobs"], { cwd: root, env })).out).toContain("running");
    expect(leftIn(root)).not.toEqual([]);
    execFileSync("touch", [join(root, "stop")]);
    await expect
      .poll(async () => (await run(["jobs"], { cwd: root, env })).out, { timeout: 20_000 })
      .toContain("exit 0");
    await expect
      .poll(async () => (await run(["jobs"], { cwd: root, env }), leftIn(root)), { timeout: 20_000 })
      .toEqual([]);
    expect((await run(["history", "--json"], { cwd: root, env })).out).not.toMatch(
      /worktree|attributes|holdfast-store/,
    );
  });
});
