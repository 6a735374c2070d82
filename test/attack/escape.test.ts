import { spawn } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";

it("does not copy a tree that holds our state (it is readable in the temp while it is staged)", async () => {
  const root = scratch({ "sub/a.txt": "hello\n" });
  const call = callerOn(root, { stateDirectory: join(root, "sub/state") });
  await call("write", { path: "secret.txt", content: "s1" });
  await sleep(100);
  const copying = call("copy", { source: "sub", destination: "sub2" });
  const over = { is: false };
  let leaked = "";
  void copying.then(() => (over.is = true));
  const day = new Date().toISOString().slice(0, 10);
  while (!over.is && leaked === "") {
    await sleep(1);
    const temp = readdirSync(root).find((name) => name.startsWith(".holdfast-"));
    if (temp === undefined) continue;
    const listed = await call("ls", { path: `${temp}/state` }, { repeats: true });
    const [workspace] = /[0-9a-f]{16}/.exec(listed.text) ?? [];
    if (workspace === undefined) continue;
    const read = await call("read", { path: `${temp}/state/${workspace}/audit-${day}.jsonl` }, { repeats: true });
    if (!read.isError) leaked = read.text;
  }
  const { code } = await copying;
  expect(leaked).toBe("");
  expect(code).toBe("denied");
});

it("does not copy the store of a root that lies in the tree", async () => {
  const root = mkdtempSync("/dev/shm/attack-");
  const state = mkdtempSync("/tmp/attack-state-");
  onTestFinished(() => [root, state].forEach((path) => rmSync(path, { recursive: true })));
  const inner = join(root, "p/inner");
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(inner, "s.txt"), "SECRET");
  const call = callerOn(root, { roots: [root, inner], stateDirectory: state });
  const { data } = await call("delete", { path: join(inner, "s.txt") });
  await call("copy", { source: join(root, "p"), destination: join(root, "q") });
  const read = await call("read", { path: join(root, "q/inner/.holdfast-store/trash", String(data["trash_id"])) });
  expect(read.text).not.toContain("SECRET");
});

/** Another process that lives, by the name that locks know it by. */
function somebodyElse(): string {
  const { pid, kill } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  onTestFinished(() => void (pid !== undefined && process.kill(pid)));
  void kill;
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const start = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return [boot, readlinkSync("/proc/self/ns/pid").replace(/\D/g, ""), pid, start].join(".");
}

it("does not append in place to what became a second name of an outside file", async () => {
  const root = scratch({ log: "in\n" });
  const outside = join(dirname(root), "outside");
  writeFileSync(outside, "OUT\n");
  const call = callerOn(root);
  await call("mkdir", { path: "x" });
  const lock = join(stateBeside(root), "locks/lock");
  writeFileSync(lock, somebodyElse());
  const appending = call("write", { path: "log", content: "added\n", append: true });
  await sleep(200);
  unlinkSync(join(root, "log"));
  linkSync(outside, join(root, "log"));
  unlinkSync(lock);
  await appending;
  expect(readFileSync(outside, "utf8")).toBe("OUT\n");
});
