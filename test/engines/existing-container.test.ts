import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type AgentTool, createTools, type CreateToolsOptions, type SandboxContext } from "../../src/index.ts";
import { runAlone } from "../contracts/run-alone.ts";
import { layout } from "../layout.ts";
import { stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { needsEngine } from "./engine.ts";
import { testEngine } from "./sandbox.ts";
import { IMAGE } from "./start-engine.ts";

/** Makes a container as a builder does, that shows a directory at /workspace. Returns its name. */
async function builtContainer(root: string, { isReadOnly = false, user = "" } = {}): Promise<string> {
  process.env["DOCKER_HOST"] = needsEngine();
  const name = `built-${process.pid}-${++lastContainer}`;
  const Binds = [`${root}:/workspace${isReadOnly ? ":ro" : ""}`];
  const Cmd = ["sh", "-c", "mkdir -p /own; sleep 3600 & while :; do wait; done"];
  await testEngine().create(name, { Image: IMAGE, User: user, Cmd, HostConfig: { NetworkMode: "none", Binds } });
  onTestFinished(() => testEngine().remove(name));
  await testEngine().start(name);
  return name;
}

let lastContainer = 0;

/** The answer of a tool: its text, and what it says of a command. */
interface Answered {
  readonly text: string;
  readonly output?: string;
  readonly cwd?: string;
  readonly process_id?: string;
}

/** Makes the tools of an agent whose commands run in such a container. */
function agentIn(sandbox: SandboxContext, options: Omit<CreateToolsOptions, "sandbox"> = {}) {
  const tools = createTools({ exec: { security: "full" }, sandbox, ...options });
  return async (name: string, words: object, signal?: AbortSignal): Promise<Answered> => {
    const { content, details } = await (tools.find((tool) => tool.name === name) as AgentTool).execute(
      "1",
      words,
      signal,
    );
    const text = content.map((block) => ("text" in block ? block.text : block.type)).join("\n");
    return { ...(details as Omit<Answered, "text">), text };
  };
}

const processesIn = async (name: string): Promise<string> => {
  const { createScriptRunner } = await import("../../src/exec/sandbox/docker/container-scripts.ts");
  return (await createScriptRunner({ name, environment: {} })("ps", [])).output.toString();
};

describe("commands in a container of the builder", () => {
  it("run there as its user, with its directory, its variables and those of the call", async () => {
    const root = layout(["sub/a = one"]);
    const containerName = await builtContainer(root, { user: "1234:1234" });
    const docker = { env: { WORD: "own", OTHER: "two words", PATH: "/bin:/own" } };
    const exec = agentIn({ containerName, workspaceDir: root, docker });
    const command = 'pwd; cat a; echo; id -u; echo "$WORD|$OTHER|$PATH|$HOME"';
    const result = await exec("exec", { command, workdir: "sub", env: { WORD: "asked" } });
    expect(result).toMatchObject({
      output: "/workspace/sub\none\n1234\nasked|two words|/bin:/own|/\n",
      cwd: "/workspace/sub",
      exit_code: 0,
      undo: "none",
    });
    expect(result.text).toContain(`ran in the container ${containerName}: it alone bounds files`);
  });

  it("share paths with all other tools", async () => {
    const root = layout(["sub/a = one"]);
    const containerName = await builtContainer(root);
    const call = agentIn({ containerName, workspaceDir: root, workspaceAccess: "rw" });
    expect((await call("exec", { command: "pwd", workdir: "/workspace/sub" })).output).toBe("/workspace/sub\n");
    await call("exec", { command: "echo made > /workspace/sub/b" });
    expect((await call("read", { path: "/workspace/sub/b" })).text).toContain("made");
    await call("edit", { path: "sub/b", edits: [{ oldText: "made", newText: "changed" }] });
    expect((await call("exec", { command: "cat sub/b" })).output).toBe("changed\n");
    await expect(call("exec", { command: "pwd", workdir: "/workspace/../etc" })).rejects.toThrow("it is not inside");
    await expect(call("exec", { command: "pwd", workdir: "/etc" })).rejects.toThrow("it is not inside");
  });

  it("work on files that only the container has", async () => {
    const containerName = await builtContainer(layout([]));
    const call = agentIn({ containerName, containerWorkdir: "/own", workspaceAccess: "rw" });
    await call("write", { path: "dir/a", content: "one\n" });
    const { output, cwd } = await call("exec", { command: "pwd; cat a; echo two > b", workdir: "/own/dir" });
    expect([output, cwd]).toEqual(["/own/dir\none\n", "/own/dir"]);
    expect((await call("read", { path: "/own/dir/b" })).text).toContain("two");
  });

  it("change nothing where the agent may only read, unless the container can", async () => {
    const root = layout(["a = one"]);
    const writable = agentIn({
      containerName: await builtContainer(root),
      workspaceDir: root,
      workspaceAccess: "ro",
    });
    await expect(writable("exec", { command: "eval 'echo x > made'" })).rejects.toThrow(
      /the agent may only read, and the container "built-[-\d]+" can write to \/workspace/,
    );
    const call = agentIn({
      containerName: await builtContainer(root, { isReadOnly: true }),
      workspaceDir: root,
      workspaceAccess: "ro",
    });
    expect((await call("exec", { command: "cat a; eval 'echo x > made'" })).output).toContain("Read-only file system");
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("are asked for where the agent may not run all: no program of a container is known", async () => {
    const root = layout(["a = one"]);
    const containerName = await builtContainer(root);
    const asked: string[] = [];
    const approver: CreateToolsOptions["approver"] = async (request) => {
      asked.push(request.effect.summary);
      return { decision: "once" };
    };
    const call = agentIn({ containerName, workspaceDir: root }, { exec: { security: "allowlist" }, approver });
    await call("exec", { command: "echo one" });
    expect(asked).toEqual([]);
    expect((await call("exec", { command: "cat a" })).output).toBe("one");
    expect(asked).toEqual(["cat a"]);
  });

  it.each([
    { words: { elevated: true }, says: "Cannot run without a sandbox: the commands of this agent run in a container" },
    { words: { host: "gateway" }, says: "Cannot run a command on this machine" },
    { words: { detach: true }, says: "Cannot detach a command in a container" },
    { words: { pty: true }, says: "Cannot open a terminal in a container" },
  ])("are refused with $words", async ({ words, says }) => {
    const root = layout([]);
    const call = agentIn({ containerName: await builtContainer(root), workspaceDir: root });
    await expect(call("exec", { command: "echo one", ...words })).rejects.toThrow(says);
    expect((await call("exec", { command: "echo one", host: "sandbox" })).output).toBe("one\n");
  });

  it("run on this machine where the configuration says so", async () => {
    const root = realpathSync(layout([]));
    const sandbox = { containerName: "nobody-has-it", workspaceDir: root };
    const exec = { security: "full", host: "gateway", sandbox: { kind: "none" } } as const;
    expect((await agentIn(sandbox, { exec })("exec", { command: "pwd" })).output).toBe(`${root}\n`);
    const disabled = agentIn({ ...sandbox, enabled: false }, { exec: { ...exec, host: undefined } });
    expect((await disabled("exec", { command: "pwd" })).output).toBe(`${root}\n`);
  });

  it("say that the container is gone", async () => {
    process.env["DOCKER_HOST"] = needsEngine();
    const call = agentIn({ containerName: "nobody-has-it", workspaceDir: layout([]) });
    await expect(call("exec", { command: "true" })).rejects.toThrow(/no such container/i);
  });
});

it("examples/container.mjs runs and says this", async () => {
  const root = layout([]);
  const name = await builtContainer(root);
  const env = { ...process.env, HOLDFAST_STATE: stateBeside(root) };
  const { stdout } = await promisify(execFile)(process.execPath, ["examples/container.mjs", name, root], { env });
  expect(stdout).toBe("in /workspace/src: hello from test (undo: picture)\nread: hello from test\nended: done\n");
});

const alive = (root: string): readonly string[] => readdirSync(root).filter((name) => name.startsWith("alive"));

const seen = (root: string) => vi.waitFor(() => expect(alive(root)).toHaveLength(4), WHILE_BUSY);

/** Checks that nothing of the command runs any more, while the process of the builder does. */
async function expectEnded(root: string, name: string): Promise<void> {
  expect(alive(root)).toHaveLength(4);
  const last = alive(root).map((file) => readFileSync(join(root, file), "utf8"));
  const processes = await processesIn(name);
  expect(processes).not.toContain("alive");
  expect(processes).not.toContain("sleep 71");
  expect(processes).toContain("sleep 3600");
  expect(alive(root).map((file) => readFileSync(join(root, file), "utf8"))).toEqual(last);
}

describe("what a command starts in a container of the builder", () => {
  /** Starts processes that ignore being asked to end: in the same session, in one of their own, and orphaned. */
  const STUBBORN = `trap '' TERM
    for n in 1 2; do sh -c 'trap "" TERM; while :; do date +%N > /workspace/alive'$n'; sleep 0.05; done' & done
    (setsid sh -c 'trap "" TERM; while :; do date +%N > /workspace/alive3; sleep 0.05; done' &)
    (env -i /bin/sh -c 'trap "" TERM; while :; do date +%N > /workspace/alive4; sleep 0.05; done' &)
    (setsid sleep 71 &)`;

  it("is gone when it ends", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const waits = "until [ -e alive1 ] && [ -e alive2 ] && [ -e alive3 ] && [ -e alive4 ]; do sleep 0.05; done";
    const call = agentIn({ containerName, workspaceDir: root });
    expect(await call("exec", { command: `${STUBBORN}\n${waits}` })).toMatchObject({ exit_code: 0 });
    await expectEnded(root, containerName);
  });

  it("is gone when it is cancelled", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const stop = new AbortController();
    const command = `${STUBBORN}\nsleep 72`;
    const running = agentIn({ containerName, workspaceDir: root })("exec", { command }, stop.signal);
    await seen(root);
    stop.abort();
    await expect(running).rejects.toThrow("cancelled");
    await expectEnded(root, containerName);
  });

  it("is gone when it is killed", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const call = agentIn({ containerName, workspaceDir: root });
    const { process_id: processId } = await call("exec", { command: `${STUBBORN}\nsleep 72`, background: true });
    await seen(root);
    expect(await call("process", { action: "kill", processId })).toMatchObject({ status: "done" });
    await expectEnded(root, containerName);
  });

  it("is gone when this process is killed", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const given = { name: containerName, root, text: `${STUBBORN}\nsleep 72`, until: ["alive1", "alive3", "alive4"] };
    expect(() => runAlone("test/engines/fixtures/existing-container.ts", given, {})).toThrow("Command failed");
    await vi.waitFor(async () => expect(await processesIn(containerName)).not.toMatch(/alive|sleep 7/), WHILE_BUSY);
    expect(existsSync(join(root, "alive3"))).toBe(true);
    expect(await processesIn(containerName)).toContain("sleep 3600");
  });

  it("is gone although the command killed our own shells there", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const call = agentIn({ containerName, workspaceDir: root });
    const kills =
      "for p in $(ps | grep '[s]h -c' | grep -v 3600 | awk '{print $1}'); do [ $p = $$ ] || kill -9 $p; done";
    await call("exec", { command: `(setsid sleep 73 &); ${kills}; sleep 0.1` }).catch(() => {});
    await vi.waitFor(async () => expect(await processesIn(containerName)).not.toContain("sleep 73"), WHILE_BUSY);
    expect((await call("exec", { command: "echo up" })).output).toBe("up\n");
  });

  it("does not end another command that runs at the same time", async () => {
    const root = layout([]);
    const containerName = await builtContainer(root);
    const call = agentIn({ containerName, workspaceDir: root });
    const { process_id: processId } = await call("exec", { command: "echo up; cat", background: true });
    await call("exec", { command: "sleep 74 & true" });
    await call("process", { action: "write", processId, data: "still there\n", eof: true });
    const { output } = await call("process", { action: "poll", processId, timeout: 10_000 });
    expect(output).toContain("still there");
    expect(await processesIn(containerName)).not.toContain("sleep 74");
  });
});
