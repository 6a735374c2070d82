import { existsSync, openSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { layout } from "../layout.ts";
import { WHILE_BUSY } from "../work.ts";
import { bash, boundsOf, ownContainers, run, start, testEngine, testSandbox } from "./sandbox.ts";

/** The engine itself waits this long for the output of what a command leaves behind. */
const ENGINE_WAITS_MS = 2000;

describe("commands in a container", () => {
  it("runs in a root at its own path, with output and errors in order", async () => {
    const root = layout(["a = one"]);
    const text = `cat a; for i in 1 2 3; do echo o$i; echo e$i >&2; done; exit 3`;
    const result = await run(testSandbox(), bash(root, text), boundsOf(root));
    expect(result).toEqual({ code: 3, signal: null, output: "oneo1\ne1\no2\ne2\no3\ne3\n" });
  });

  it("lets files belong to the user of this process", async () => {
    const root = layout([]);
    await run(testSandbox(), bash(root, "echo one > made; mkdir dir"), boundsOf(root));
    const { uid, gid, mode } = statSync(join(root, "made"));
    expect([uid, gid, mode & 0o777]).toEqual([process.getuid?.(), process.getgid?.(), 0o644]);
    expect(readFileSync(join(root, "made"), "utf8")).toBe("one\n");
  });

  it("passes the environment, but for what describes this machine", async () => {
    const root = layout([]);
    const command = bash(root, 'echo "$WORD|$HOME"; type -p cat', {
      WORD: "a b\n'\"$x",
      HOME: "/home/me",
      SHELL: "/bin/zsh",
      PATH: "/nowhere",
    });
    const { output } = await run(testSandbox(), command, boundsOf(root));
    expect(output).toBe("a b\n'\"$x|/tmp\n/bin/cat\n");
  });

  it("takes input from a pipe and from a descriptor", async () => {
    const root = layout(["given = from a file"]);
    const sandbox = testSandbox();
    const { started, output } = await start(sandbox, bash(root, "cat"), boundsOf(root), "pipe");
    started.write(Buffer.from("one "));
    started.write(Buffer.from("two"));
    started.write(null);
    expect(await started.exited).toEqual({ code: 0, signal: null });
    expect(output()).toBe("one two");
    const descriptor = openSync(join(root, "given"), "r");
    expect((await run(sandbox, bash(root, "cat"), boundsOf(root), descriptor)).output).toBe("from a file");
  });

  it("copies much output without losing any", async () => {
    const root = layout([]);
    const { output, code } = await run(testSandbox(), bash(root, "seq 1 2000000 | tail -c 12000000"), boundsOf(root));
    expect([code, output.length, output.slice(-8)]).toEqual([0, 12_000_000, "2000000\n"]);
  });

  it("shows a root at another path", async () => {
    const root = layout(["sub/a = one"]);
    const sandbox = testSandbox({ shownAt: [{ host: root, container: "/workspace" }] });
    const { output } = await run(sandbox, bash(join(root, "sub"), "pwd; cat /workspace/sub/a"), boundsOf(root));
    expect(output).toBe("/workspace/sub\none");
  });

  it.each([
    { access: "ro", gives: "a\nread-only" },
    { access: "none", gives: "nothing" },
  ] as const)("shows a root with access $access", async ({ access, gives }) => {
    const root = layout(["a"]);
    const text = `if [ -e ${root} ]; then cat ${root}/a; echo; echo x 2>/dev/null > ${root}/b || echo read-only
      else echo nothing; fi`;
    const bounds = boundsOf(root, { roots: [{ path: root, access }] });
    expect((await run(testSandbox(), bash("/tmp", text), bounds)).output.trim()).toBe(gives);
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("shows private directories at other paths", async () => {
    const [root, cache] = [layout([]), layout(["kept = one"])];
    const bounds = boundsOf(root, { caches: [{ path: "/cache", directory: cache }] });
    await run(testSandbox(), bash(root, "cat /cache/kept > /cache/new"), bounds);
    expect(readFileSync(join(cache, "new"), "utf8")).toBe("one");
  });

  it("sends a signal to the command, and says which one ended it", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const text = "trap 'echo caught; exit 7' INT; echo up; while :; do sleep 0.05; done";
    const { started, output } = await start(sandbox, bash(root, text), boundsOf(root));
    await vi.waitFor(() => expect(output()).toBe("up\n"), WHILE_BUSY);
    started.signal("SIGINT");
    expect(await started.exited).toEqual({ code: 7, signal: null });
    const other = await start(sandbox, bash(root, "sleep 60"), boundsOf(root));
    other.started.signal("SIGTERM");
    expect(await other.started.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  it("ends a command that ignores it, with all that it started", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const text = `trap '' TERM; (setsid sh -c 'trap "" TERM; while :; do date +%N > ${root}/alive; done' &) ; sleep 60`;
    const { started } = await start(sandbox, bash(root, text), boundsOf(root));
    await vi.waitFor(() => expect(existsSync(join(root, "alive"))).toBe(true), WHILE_BUSY);
    await started.end(100);
    expect(await started.exited).toEqual({ code: null, signal: "SIGKILL" });
    const last = readFileSync(join(root, "alive"), "utf8");
    const { output } = await run(
      sandbox,
      bash(root, `sleep 0.2; cat ${root}/alive; ls -d /proc/[0-9]*`),
      boundsOf(root),
    );
    expect(output.startsWith(last)).toBe(true);
  });

  it("ends what a command leaves behind, at once", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    const before = performance.now();
    const left = await run(sandbox, bash(root, "sleep 61 & setsid sleep 62 & echo done"), boundsOf(root));
    expect(left).toEqual({ code: 0, signal: null, output: "done\n" });
    expect(performance.now() - before).toBeLessThan(ENGINE_WAITS_MS);
    const { output } = await run(sandbox, bash(root, "ps"), boundsOf(root));
    expect(output).not.toContain("sleep");
  });

  it("says what is missing", async () => {
    const root = layout([]);
    const refused = async (image: string, argv: readonly [string, ...string[]]) =>
      testSandbox({ image })
        .start({ argv, directory: root, environment: {} }, boundsOf(root), {
          input: "none",
          output: openSync("/dev/null", "a"),
        })
        .catch((error: unknown) => error);
    expect(await refused("nobody/has-it:9", ["true"])).toMatchObject({
      code: "io",
      message: 'Cannot start a container: there is no image "nobody/has-it:9" on this machine',
      details: { hint: expect.stringContaining("docker pull nobody/has-it:9") },
    });
    expect(await refused("holdfast-test:1", ["/bin/zsh"])).toMatchObject({
      message: "Cannot start the command in the container: its image has no such program",
    });
    expect(await ownContainers()).toEqual([]);
  });
});

describe("containers of a session", () => {
  it("reuses a container, and makes another for a second command at the same time", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    const first = await ownContainers();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    expect(await ownContainers()).toEqual(first);
    const slow = await start(sandbox, bash(root, "sleep 60"), boundsOf(root));
    await run(sandbox, bash(root, "true"), boundsOf(root));
    expect(await ownContainers()).toHaveLength(2);
    await slow.started.end(10);
    expect(await ownContainers()).toHaveLength(1);
    await sandbox.close();
    expect(await ownContainers()).toEqual([]);
  });

  it("replaces a container when the bounds change", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    const first = await ownContainers();
    await run(sandbox, bash(root, "true"), boundsOf(root, { limits: { processes: 65 } }));
    const second = await ownContainers();
    expect([first.length, second.length, second[0] === first[0]]).toEqual([1, 1, false]);
  });

  it("replaces a container that ended", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    for (const id of await ownContainers()) await testEngine().remove(id);
    expect((await run(sandbox, bash(root, "echo up"), boundsOf(root))).output).toBe("up\n");
  });

  it("replaces a container whose masked file was replaced on this machine", async () => {
    const root = layout([".env = KEY=1"]);
    const sandbox = testSandbox();
    const bounds = boundsOf(root, { masked: [join(root, ".env")] });
    expect((await run(sandbox, bash(root, "cat .env"), bounds)).output).toBe("");
    writeFileSync(join(root, "new"), "KEY=2");
    renameSync(join(root, "new"), join(root, ".env"));
    expect((await run(sandbox, bash(root, "cat .env"), bounds)).output).toBe("");
  });
});
