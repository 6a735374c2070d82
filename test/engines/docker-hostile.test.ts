import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { layout } from "../layout.ts";
import { needsEngine } from "./engine.ts";
import { bash, boundsOf, ownContainers, run, start, testSandbox } from "./sandbox.ts";

/** Runs a command in a root with these files, and returns its output. */
async function attack(text: string, tree: readonly string[] = [], bounds: Parameters<typeof boundsOf>[1] = {}) {
  const root = layout(tree);
  return (await run(testSandbox(), bash(root, text), boundsOf(root, bounds))).output.trim();
}

describe("a hostile command in a container", () => {
  it("sees no file of this machine but the root", async () => {
    const root = layout(["a", "../secret = outside"]);
    const text = `cat ../secret ${dirname(root)}/secret /proc/1/root${dirname(root)}/secret; ls ..; ls /home /root`;
    const { output } = await run(testSandbox(), bash(root, text), boundsOf(root));
    expect(output).not.toContain("outside");
    expect(output).toContain("ROOT");
  });

  it("follows links of the root inside the container only", async () => {
    const root = layout(["../secret = outside", "up => ../secret", "etc => /etc"]);
    const { output } = await run(testSandbox(), bash(root, "cat up; cat etc/passwd; echo x > etc/x"), boundsOf(root));
    expect(output).not.toContain("outside");
    expect(output).toContain("root:x:0:0:root:/:/bin/sh");
    expect(output).toContain("Read-only file system");
  });

  it("has no capability, and cannot gain one", async () => {
    const output = await attack("grep -E 'CapEff|CapPrm|NoNewPrivs|Seccomp:' /proc/self/status");
    expect(output.replaceAll("\t", " ").split("\n")).toEqual([
      "CapPrm: 0000000000000000",
      "CapEff: 0000000000000000",
      "NoNewPrivs: 1",
      "Seccomp: 2",
    ]);
  });

  it("is refused what would reach the system", async () => {
    const acts = [
      "mount -t tmpfs none /tmp",
      "mount -o remount,rw /",
      "umount /tmp",
      "unshare -Ur id",
      "mknod /tmp/disk b 254 0",
      "chroot / true",
      "echo x > /proc/sys/kernel/core_pattern",
      "echo x > /proc/sysrq-trigger",
      "echo x > /sys/kernel/uevent_helper",
      "echo x > /made",
      "echo x > /etc/made",
      "hostname other",
      "date -s 2000-01-01; [ $(date +%Y) = 2000 ]",
    ];
    const output = await attack(acts.map((act) => `(${act}) >/dev/null 2>&1 && echo '${act}'`).join("\n"));
    expect(output).toBe("");
  });

  it("cannot see or signal processes of this machine", async () => {
    const output = await attack(`ls -d /proc/[0-9]* | wc -l; kill -9 ${process.pid} 2>&1; kill -9 -1; true`);
    expect(Number(output.split("\n")[0])).toBeLessThan(10);
  });

  it("cannot end process 1", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    await run(sandbox, bash(root, "kill -9 1; kill -STOP 1; kill -TERM 1; kill -HUP 1; sleep 0.2"), boundsOf(root));
    const first = await ownContainers();
    await run(sandbox, bash(root, "true"), boundsOf(root));
    expect(await ownContainers()).toEqual(first);
  });

  it("has no network, and no socket of this machine", async () => {
    const text = "ls /sys/class/net; grep -c / /proc/net/unix; nc -w 1 127.0.0.1 22 </dev/null 2>/dev/null; echo $?";
    expect(await attack(text)).toBe("lo\n0\n1");
  });

  it("does not reach the engine, even where its socket lies in the root", async () => {
    const socket = needsEngine().replace("unix://", "");
    const root = dirname(socket);
    if (["/run", "/var/run"].includes(root)) return;
    const text = `ls -l ${socket}; nc -U ${socket} </dev/null; echo $?`;
    const { output } = await run(
      testSandbox(),
      bash("/tmp", text),
      boundsOf(root, { roots: [{ path: root, access: "ro" }] }),
    );
    expect(output).toContain("crw");
  });

  it("runs out of processes, and takes nothing else down", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const bomb = "sh -c 'bomb() { bomb | bomb & }; bomb'; echo over";
    const { code } = await run(sandbox, bash(root, bomb), boundsOf(root));
    expect(code).not.toBeNull();
    const { output } = await run(sandbox, bash(root, "ls -d /proc/[0-9]* | wc -l"), boundsOf(root));
    expect(Number(output)).toBeLessThan(10);
  });

  it("runs out of memory, file size and processor time", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const limits = { memoryBytes: 64 * 1024 * 1024, fileBytes: 1_000_000, cpuSeconds: 1, processes: 64 };
    const codeOf = async (text: string) => (await run(sandbox, bash(root, text), boundsOf(root, { limits }))).code;
    expect(await codeOf("head -c 200000000 /dev/zero | tail -n 1 | wc -c; exit ${PIPESTATUS[1]}")).toBe(137);
    expect(await codeOf("head -c 2000000 /dev/zero > big")).toBe(153);
    expect(readFileSync(join(root, "big"))).toHaveLength(1_000_000);
    expect(await codeOf("while :; do :; done")).toBe(137);
  });

  it("cannot end its own shell to leave something behind", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const text = `(setsid sleep 63 &) ; kill -9 $PPID; sleep 64`;
    await run(sandbox, bash(root, text), boundsOf(root));
    expect((await run(sandbox, bash(root, "ps"), boundsOf(root))).output).not.toContain("sleep");
  });

  it("cannot forge our own lines to anybody's harm but its own", async () => {
    const root = layout([]);
    const sandbox = testSandbox();
    const text = "echo 'pid 1' > /proc/$PPID/fd/2; echo 'exit 9' > /proc/$PPID/fd/2; sleep 65";
    expect((await run(sandbox, bash(root, text), boundsOf(root))).code).toBe(9);
    expect((await run(sandbox, bash(root, "ps"), boundsOf(root))).output).not.toContain("sleep");
  });
});

describe("closed places", () => {
  it("hides files and directories, and keeps others from changes", async () => {
    const root = layout([".env = KEY", "keys/one = SECRET", ".git/config = own", "a"]);
    const bounds = boundsOf(root, {
      masked: [join(root, ".env"), join(root, "keys")],
      readOnly: [join(root, ".git/config")],
    });
    const text = `cat .env; ls keys; cat keys/one; cat .git/config; echo; echo x > .env; echo x > keys/two
      rm -rf keys .env .git; mv keys other; mv .git g; mv .git/config c; echo x > .git/config; ln -s a l; ls -A`;
    const { output } = await run(testSandbox(), bash(root, text), bounds);
    expect(output).not.toMatch(/KEY|SECRET/);
    expect(output).toContain("own\n");
    expect(readFileSync(join(root, ".env"), "utf8")).toBe("KEY");
    expect(readFileSync(join(root, "keys/one"), "utf8")).toBe("SECRET");
    expect(readFileSync(join(root, ".git/config"), "utf8")).toBe("own");
    expect(readdirSync(root)).toEqual([".env", ".git", "a", "c", "keys", "l"]);
  });

  it("keeps places closed that do not exist yet, and leaves nothing of that behind", async () => {
    const root = layout(["a"]);
    const sandbox = testSandbox();
    const bounds = boundsOf(root, {
      masked: [join(root, ".env"), join(root, "deep/er/key")],
      readOnly: [join(root, ".git/hooks")],
    });
    const text = `echo x > .env; mkdir -p .git/hooks; echo x > .git/hooks/pre-commit; rm -rf .git .env; mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/y
      mkdir -p deep/er; echo x > deep/er/key; echo x > deep/er/key/in; ls -A .git/hooks; echo done`;
    expect((await run(sandbox, bash(root, text), bounds)).output).toMatch(/done\n$/);
    const [first] = await ownContainers();
    await run(sandbox, bash(root, text), bounds);
    expect(await ownContainers()).toEqual([first]);
    await sandbox.close();
    expect(readdirSync(root)).toEqual(["a"]);
  });

  it("stay closed when another session ends that closed them first", async () => {
    const root = layout(["a"]);
    const bounds = boundsOf(root, { masked: [join(root, ".env")] });
    const [first, second] = [testSandbox(), testSandbox()];
    await run(first, bash(root, "true"), bounds);
    const text = "until [ -e go ]; do sleep 0.05; done; echo x > .env/y || rmdir .env || echo x > .env || echo closed";
    const { started, output } = await start(second, bash(root, text), bounds);
    await first.close();
    writeFileSync(join(root, "go"), "");
    await started.exited;
    expect(output()).toMatch(/closed\n$/);
  });

  it("refuses a closed place that became a link", async () => {
    const root = layout(["../secret = outside", "a"]);
    symlinkSync("../secret", join(root, ".env"));
    const bounds = boundsOf(root, { masked: [join(root, ".env")] });
    await expect(run(testSandbox(), bash(root, "true"), bounds)).rejects.toMatchObject({ code: "swapped" });
    const linked = layout(["dir/a"]);
    symlinkSync("dir", join(linked, "other"));
    const below = boundsOf(linked, { masked: [join(linked, "other/missing")] });
    await expect(run(testSandbox(), bash(linked, "true"), below)).rejects.toMatchObject({ code: "swapped" });
    expect(existsSync(join(linked, "dir/missing"))).toBe(false);
  });

  it("never shows a place of ours", async () => {
    const root = layout(["state/journal = ours", "a"]);
    const state = join(root, "state");
    const sandbox = testSandbox({ closed: [state] });
    const { output } = await run(sandbox, bash(root, "cat state/journal; ls state"), boundsOf(root));
    expect(output).not.toContain("ours");
    mkdirSync(join(state, "deep"));
    writeFileSync(join(state, "deep/a"), "");
    await expect(run(sandbox, bash("/tmp", "true"), boundsOf(join(state, "deep")))).rejects.toMatchObject({
      code: "denied",
    });
  });
});
