import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { scratch } from "../runtime/scratch.ts";
import { WHILE_BUSY } from "../work.ts";
import { connect, run } from "./bin.ts";
import { type Message, META, openGreeted, openWire, toolCall, type Wire } from "./wire.ts";

const EXAMPLE = `{
  // What the agent may do here
  "tools": { "profile": "coding", "deny": ["group:web"] },
  "policy": {
    "rules": [
      { "act": "write", "path": "secrets/**", "decide": "blocked" },
      { "act": "delete", "path": "**", "decide": "approval" },
    ],
  },
}`;

const TREE = { "a.txt": "a\n", "secrets/key.txt": "k\n", "b/c.txt": "c\n" };

function configured(config: string) {
  const root = scratch(TREE);
  const file = join(dirname(root), "f.jsonc");
  writeFileSync(file, config);
  return { root, file };
}

async function codeOf(wire: Wire, id: number, tool: string, input: object): Promise<string> {
  wire.say(toolCall(id, tool, input));
  const { result } = (await wire.answer(id)) as { result: { _meta?: { "holdfast/error"?: { code: string } } } };
  return result._meta?.["holdfast/error"]?.code ?? "ok";
}

describe("holdfast --config f.jsonc <dir>", () => {
  it("does what the file says, over real MCP", async () => {
    const { root, file } = configured(EXAMPLE);
    const wire = await openGreeted(root, { args: ["--config", file, "--approval-wait", "0"] });
    const codes = [
      await codeOf(wire, 1, "read", { path: "secrets/key.txt" }),
      await codeOf(wire, 2, "write", { path: "secrets/key.txt", content: "x" }),
      await codeOf(wire, 3, "write", { path: "secrets/new.txt", content: "x" }),
      await codeOf(wire, 4, "move", { source: "a.txt", destination: "secrets/a.txt" }),
      await codeOf(wire, 5, "copy", { source: "b", destination: "secrets/b" }),
      await codeOf(wire, 6, "delete", { path: "a.txt" }),
      await codeOf(wire, 7, "write", { path: "a.txt", content: "x" }),
    ];
    expect(codes).toEqual(["ok", "denied", "denied", "denied", "denied", "pending", "ok"]);
    expect([existsSync(join(root, "a.txt")), existsSync(join(root, "secrets/new.txt"))]).toEqual([true, false]);
  });

  it.each([
    { name: "the variable", env: (file: string) => ({ HOLDFAST_CONFIG: file }) },
    {
      name: "the user's own place",
      env: (file: string) => {
        const home = join(dirname(file), "config");
        mkdirSync(join(home, "holdfast"), { recursive: true });
        writeFileSync(join(home, "holdfast/config.jsonc"), EXAMPLE);
        return { XDG_CONFIG_HOME: home };
      },
    },
    {
      name: "the workspace",
      env: (file: string) => {
        writeFileSync(join(dirname(file), "root/.holdfast.jsonc"), EXAMPLE.replace('"profile": "coding", ', ""));
        return {};
      },
    },
  ])("the same by $name", async ({ env }) => {
    const { root, file } = configured(EXAMPLE);
    const wire = await openGreeted(root, { env: { HOLDFAST_APPROVAL_WAIT: "0", ...env(file) } });
    expect(await codeOf(wire, 1, "write", { path: "secrets/key.txt", content: "x" })).toBe("denied");
    expect(await codeOf(wire, 2, "delete", { path: "a.txt" })).toBe("pending");
    expect(await codeOf(wire, 3, "write", { path: "a.txt", content: "x" })).toBe("ok");
  });

  it.each([
    {
      name: "an unknown key",
      config: '{ "polcy": {} }',
      says: /f\.jsonc:1: there is no key "polcy"; did you mean "policy"\?/,
    },
    {
      name: "a rule whose examples fail",
      config: '{ "policy": { "rules": [\n{ "act": "read", "path": "a", "decide": "blocked", "match": ["b"] }] } }',
      says: /Cannot use the rule at .*f\.jsonc:2: it does not match its own example "b"/,
    },
  ])("does not start with $name", async ({ config, says }) => {
    const { root, file } = configured(config);
    const { code, err } = await run([root, "--config", file]);
    expect([code, err]).toEqual([2, expect.stringMatching(says)]);
  });

  it("only reads where the file of the workspace cannot be used, and says why", async () => {
    const root = scratch({ ".holdfast.jsonc": '{ "tools": { "allow": ["*"] } }', "a.txt": "A" });
    const says = "a workspace may only tighten, and cannot set tools.allow";
    const wire = await openGreeted(root);
    let id = 1;
    const answerOf = async (tool: string, input: object) => {
      wire.say(toolCall(id, tool, input));
      return JSON.stringify(await wire.answer(id++));
    };
    const write = () => answerOf("write", { path: "a.txt", content: String(id) });
    expect(await answerOf("read", { path: "a.txt" })).toContain("A");
    expect(await write()).toContain(says);
    expect(await answerOf("session", {})).toContain(says);
    expect(wire.errors()).toContain(says);
    const { code, out } = await run(["doctor", root]);
    expect([code, out]).toEqual([1, expect.stringContaining(says)]);
    rmSync(join(root, ".holdfast.jsonc"));
    await vi.waitFor(async () => expect(await write()).not.toContain('"isError":true'), {
      ...WHILE_BUSY,
      interval: 100,
    });
    symlinkSync("/nowhere", join(root, ".holdfast.jsonc"));
    await vi.waitFor(async () => expect(await write()).toContain("it cannot be opened"), {
      ...WHILE_BUSY,
      interval: 100,
    });
  });

  it("takes new rules over while it runs, and keeps the old ones when the new cannot be used", async () => {
    const { root, file } = configured("{}");
    const wire = await openGreeted(root, { args: ["--config", file] });
    let id = 1;
    const write = () => codeOf(wire, id++, "write", { path: "secrets/key.txt", content: String(id) });
    expect(await write()).toBe("ok");
    writeFileSync(file, EXAMPLE);
    await vi.waitFor(async () => expect(await write()).toBe("denied"), { ...WHILE_BUSY, interval: 100 });
    writeFileSync(file, "{ nonsense");
    await vi.waitFor(
      async () => {
        expect(await write()).toBe("denied");
        expect(wire.errors()).toContain("Rules and tools stay as they were: Cannot use the configuration");
      },
      { ...WHILE_BUSY, interval: 100 },
    );
    writeFileSync(file, "{}");
    await vi.waitFor(async () => expect(await write()).toBe("ok"), { ...WHILE_BUSY, interval: 100 });
  });
});

const messagesOf = (wire: Wire): readonly Message[] =>
  wire.lines
    .map((line) => JSON.parse(line) as Message)
    .filter(({ method }) => method === "notifications/message")
    .map(({ params }) => params as Message);

describe("what was done is told", () => {
  const NOTICE = {
    level: "notice",
    logger: "holdfast",
    data: {
      tool: "write",
      session: expect.any(String),
      done: [{ act: "write", path: "a.txt" }],
      reasons: ["it changes files", "replaced content that this session had not read; undo brings it back"],
    },
  };

  it("on standard error and on the wire, once for a call", async () => {
    const wire = await openGreeted(scratch(TREE));
    await codeOf(wire, 1, "write", { path: "a.txt", content: "x" });
    await codeOf(wire, 2, "read", { path: "a.txt" });
    expect(await wire.end()).toBe(0);
    expect(messagesOf(wire)).toEqual([NOTICE]);
    expect(wire.errors()).toBe(
      "holdfast: write a.txt (changes files; replaced content that this session had not read; undo brings it back)\n",
    );
  });

  it("not on the wire to a client that wants to hear less", async () => {
    const wire = await openGreeted(scratch(TREE));
    wire.say({ jsonrpc: "2.0", id: "level", method: "logging/setLevel", params: { level: "warning" } });
    expect(await wire.answer("level")).toMatchObject({ result: {} });
    await codeOf(wire, 1, "write", { path: "a.txt", content: "x" });
    await wire.end();
    expect(messagesOf(wire)).toEqual([]);
  });

  it("to a client of 2026 that asks for it with the call", async () => {
    const wire = openWire(scratch(TREE));
    const _meta = { ...META, "io.modelcontextprotocol/logLevel": "info" };
    wire.say(toolCall(1, "write", { path: "a.txt", content: "x" }, { _meta }));
    await wire.answer(1);
    wire.say(toolCall(2, "write", { path: "a.txt", content: "y" }, { _meta: META }));
    await wire.answer(2);
    expect(messagesOf(wire)).toEqual([NOTICE]);
  });

  it("reaches the official client", async () => {
    const client = await connect(scratch(TREE));
    const heard: unknown[] = [];
    client.setNotificationHandler("notifications/message", ({ params }) => void heard.push(params));
    await client.callTool({ name: "write", arguments: { path: "a.txt", content: "x" } });
    await vi.waitFor(() => expect(heard).toEqual([NOTICE]), WHILE_BUSY);
  });
});
