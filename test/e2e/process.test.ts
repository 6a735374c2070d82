import { existsSync, mkdirSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { run } from "./bin.ts";
import { INITIALIZE, INITIALIZED, openGreeted, openWire, toolCall } from "./wire.ts";

const TREE = { "a.txt": "a\n" };

it("puts nothing but protocol on standard output, and what it has to say on standard error", async () => {
  const root = scratch(TREE);
  const wire = openWire(root, { args: [join(root, "missing")] });
  wire.say(INITIALIZE);
  await wire.answer("initialize");
  wire.say(INITIALIZED, "garbage", toolCall(1, "read", { path: "a.txt" }), toolCall(2, "nope", {}));
  await wire.answer(1);
  await wire.answer(2);
  expect(await wire.end()).toBe(0);
  expect(wire.lines.map((line) => (JSON.parse(line) as { jsonrpc: string }).jsonrpc)).toEqual(
    wire.lines.map(() => "2.0"),
  );
  expect(wire.errors()).toBe(
    `holdfast: Skipped the root ${JSON.stringify(join(root, "missing"))}: it does not exist\n`,
  );
});

describe("when standard input closes", () => {
  it("an idle server exits, with code 0", async () => {
    expect(await (await openGreeted(scratch(TREE))).end()).toBe(0);
  });

  it("a server that was never greeted exits too", async () => {
    expect(await openWire(scratch(TREE)).end()).toBe(0);
  });

  it("a server in the middle of a call that takes minutes exits, and does not answer it", async () => {
    const root = scratch({ "long.txt": "x\n" });
    truncateSync(join(root, "long.txt"), 256 * 1024 ** 3);
    const wire = await openGreeted(root);
    wire.say(toolCall(1, "read", { path: "long.txt", limit: 1, checksum: true }));
    wire.say(toolCall(2, "session", {}));
    await wire.answer(2);
    expect(await wire.end()).toBe(0);
    expect(wire.lines.map((line) => (JSON.parse(line) as { id: unknown }).id)).toEqual(["initialize", 2]);
  });

  it("what was asked just before is still answered", async () => {
    const wire = openWire(scratch(TREE));
    wire.say(INITIALIZE, INITIALIZED, toolCall(1, "read", { path: "a.txt" }));
    const answered = wire.answer(1);
    expect(await wire.end()).toBe(0);
    expect(await answered).toMatchObject({ result: { structuredContent: { content: "a\n" } } });
  });

  it("even an answer longer than a pipe holds", async () => {
    const long = "a line of the long file\n".repeat(20_000);
    const wire = openWire(scratch({ "long.txt": long }));
    wire.say(INITIALIZE, INITIALIZED, toolCall(1, "read", { path: "long.txt", max_bytes: 8_000_000, limit: 50_000 }));
    const answered = wire.answer(1);
    expect(await wire.end()).toBe(0);
    expect(await answered).toMatchObject({ result: { structuredContent: { content: long } } });
  });

  it("what was asked just before is written to the audit log", async () => {
    const root = scratch(TREE);
    const wire = await openGreeted(root);
    wire.say(toolCall(1, "read", { path: "a.txt" }));
    await wire.answer(1);
    await wire.end();
    expect(readdirSync(stateBeside(root))).toEqual([expect.stringMatching(/^audit-/)]);
  });

  it("answers to what came down the pipe before it closed are not lost", async () => {
    const root = scratch(TREE);
    const messages = [INITIALIZE, INITIALIZED, toolCall(1, "read", { path: "a.txt" })];
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { code, out } = await run([root], { input, env: { HOLDFAST_STATE: stateBeside(root) } });
    expect(code).toBe(0);
    const ids = out
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: unknown }).id);
    expect(ids.toSorted()).toEqual([1, "initialize"]);
  });
});

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "ends by %s as by a closed input: what was done just before is told, and in the audit log",
  async (signal) => {
    const root = scratch(TREE);
    const wire = await openGreeted(root);
    wire.say(toolCall(1, "write", { path: "b.txt", content: "b\n" }));
    await wire.answer(1);
    expect(await wire.end(signal)).toBe(128 + constants.signals[signal]);
    expect(wire.errors()).toContain("create b.txt");
    expect(readdirSync(stateBeside(root), { recursive: true }).join("\n")).toContain("audit-");
  },
);

it("makes no file before the first call, greeted or not", async () => {
  const root = scratch(TREE);
  mkdirSync(stateBeside(root));
  const wire = await openGreeted(root);
  wire.say({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  await wire.answer(1);
  expect(await wire.end()).toBe(0);
  expect(readdirSync(stateBeside(root))).toEqual([]);
});

it("goes on when its root is taken away, and says so", async () => {
  const root = scratch(TREE);
  const wire = await openGreeted(root);
  rmSync(root, { recursive: true });
  wire.say(toolCall(1, "read", { path: "a.txt" }), toolCall(2, "session", {}));
  expect(await wire.answer(1)).toMatchObject({
    result: { isError: true, _meta: { "holdfast/error": { code: "root_gone" } } },
  });
  expect(await wire.answer(2)).toMatchObject({ result: { structuredContent: { profile: "files" } } });
  expect(existsSync(root)).toBe(false);
});

it("opens no more files than it closes", async () => {
  const root = scratch({ ...TREE, "sub/b.txt": "b", link: { link: "a.txt" }, out: { link: "../../x" } });
  const wire = await openGreeted(root, { args: ["--loop-detection", "off"] });
  const open = () => readdirSync(`/proc/${wire.pid}/fd`).length;
  const inputs = [
    ["read", { paths: ["a.txt", "link", "out", "sub", "none", "sub/b.txt"] }],
    ["stat", { paths: ["a.txt", "link", "out", "sub", "none", "a.txt/x"], checksum: true }],
    ["ls", { path: "sub" }],
    ["ls", { path: "a.txt" }],
    ["tree", {}],
    ["tree", { path: "none" }],
  ] as const;
  const round = async (name: string) => {
    for (const [index, [tool, input]] of inputs.entries()) {
      wire.say(toolCall(`${name}-${index}`, tool, input));
      await wire.answer(`${name}-${index}`);
    }
  };
  // The jail keeps a few descriptors, and opens the last of them late.
  for (let time = 0; time < 20; time++) await round(`warm-${time}`);
  const before = open();
  for (let time = 0; time < 20; time++) await round(`round-${time}`);
  // The audit log is written when it likes.
  await vi.waitFor(() => expect(open()).toBeLessThanOrEqual(before), WHILE_BUSY);
});
