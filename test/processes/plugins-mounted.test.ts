import { readFileSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { startChildProgram } from "../../src/exec/spawn.ts";
import { type McpClient, openClient } from "../../src/plugins/mcp-client.ts";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";
import { checkedPlugins } from "../../src/plugins/check-plugins.ts";
import { namesIn, NOTES, script, STATELESS, withServers } from "./mounting.ts";

/** Returns whether a process still runs; a zombie, which nobody has waited for yet, does not. */
const isAlive = (pid: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

describe("a server", () => {
  it("is not started before somebody wants to know its tools", async () => {
    const { holdfast, warnings } = withServers({ gone: { command: "/does/not/exist" } });
    expect((await holdfast.call("read", { path: "a.txt" })).text).toBe("A\n");
    expect(warnings).toEqual([]);
    await holdfast.ready();
    expect(warnings).toEqual([
      expect.stringContaining('The server "gone" ended: spawn /does/not/exist ENOENT'),
      expect.stringContaining('Skipped the server "gone" of the plugin "office": Cannot ask the server "gone"'),
    ]);
  });

  it("that does not start is told in a line of what it says, and what to do", async () => {
    const { holdfast, warnings } = withServers({ gone: { command: process.execPath, args: ["/does/not/exist.mjs"] } });
    await holdfast.ready();
    expect(warnings).toEqual([
      `The server "gone" ended: Error: Cannot find module '/does/not/exist.mjs'`,
      'Skipped the server "gone" of the plugin "office": Cannot ask the server "gone": it ended with code 1; ' +
        "it is started again when it is needed; run its command by itself to see what is wrong, or take it out of the plugin",
    ]);
  });

  it("has its tools listed under its name, as it describes them", async () => {
    const { holdfast, warnings } = withServers({ notes: NOTES });
    expect(namesIn(holdfast)).not.toContain("notes__add");
    await holdfast.ready();
    const add = holdfast.tools().find(({ name }) => name === "notes__add");
    expect(add).toMatchObject({
      description: "Notes: add",
      parameters: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
    });
    expect(namesIn(holdfast)).toContain("notes__dotted_name");
    expect(warnings).toEqual([
      expect.stringMatching(/^Skipped the tool "n+" of the server "notes": its name is too long/),
    ]);
  });

  it("is started by the first call of a tool that it might have", async () => {
    const { holdfast } = withServers({ notes: NOTES });
    expect(await holdfast.call("notes__add", { title: "x" })).toEqual({
      isError: false,
      text: "added x",
      data: { title: "x" },
    });
  });
});

it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
  "a server that speaks MCP %s is understood",
  async (protocolVersion) => {
    const { holdfast } = withServers({
      old: answering({
        initialize: { result: { protocolVersion, capabilities: {}, serverInfo: {} } },
        "tools/list": { result: { tools: [{ name: "t", inputSchema: { type: "object" } }] } },
        "tools/call": { result: { content: [{ type: "text", text: "called" }] } },
      }),
    });
    expect((await holdfast.call("old__t", {})).text).toBe("called");
  },
);

it("a server that speaks only MCP 2026-07-28 is understood: list, call, time-out", async () => {
  const { holdfast, warnings } = withServers({ new: { ...STATELESS, timeoutMs: 1000 } });
  expect((await holdfast.call("new__add", { title: "x" })).text).toBe("added x");
  expect((await holdfast.call("new__wait", {})).data.error).toMatchObject({ code: "timeout" });
  expect((await holdfast.call("new__add", { title: "y" })).text).toBe("added y");
  expect(warnings).toEqual([]);
});

it("a server that asks for input, which was not offered, gives an error", async () => {
  const { holdfast } = withServers({
    asking: answering({
      initialize: GREETED,
      "tools/list": { result: { tools: [{ name: "t", inputSchema: { type: "object" } }] } },
      "tools/call": { result: { resultType: "input_required", inputRequests: {} } },
    }),
  });
  expect((await holdfast.call("asking__t", {})).data.error).toMatchObject({ code: "tool_error" });
});

describe("what a call of it gives", () => {
  it.each([
    { tool: "add", input: {}, code: "tool_error", says: /title/ },
    { tool: "refuse", input: {}, code: "tool_error", says: /^no such note/ },
    {
      tool: "die",
      input: {},
      code: "io",
      says: /^Cannot ask the server "notes": it ended with code 3; it is started again/,
    },
    { tool: "wait", input: {}, code: "timeout", says: /it took longer than 1 s/ },
    { tool: "nothing", input: {}, code: "unknown_tool", says: /there is no such tool/ },
  ])("$tool: $code", async ({ tool, input, code, says }) => {
    const { holdfast } = withServers({ notes: { ...NOTES, timeoutMs: 1000 } });
    const { data, text } = await holdfast.call(`notes__${tool}`, input);
    expect(data.error).toMatchObject({ code });
    expect(text).toMatch(says);
    expect((await holdfast.call("notes__add", { title: "again" })).text).toBe("added again");
  });

  it("nothing, once it is cancelled", async () => {
    const { holdfast } = withServers({ notes: NOTES });
    const stop = new AbortController();
    await holdfast.ready();
    const waiting = holdfast.call("notes__wait", {}, { signal: stop.signal });
    setTimeout(() => stop.abort(), 50);
    expect((await waiting).data.error).toMatchObject({ code: "cancelled" });
    expect((await holdfast.call("notes__add", { title: "again" })).text).toBe("added again");
  });

  it("media as they are", async () => {
    const app = appOn(scratch(), {
      plugins: checkedPlugins([{ from: "test", plugin: { id: "office", servers: { notes: NOTES } } }], expect.fail),
      approver: async () => ({ decision: "once" }),
      warn: () => {},
    });
    const { blocks } = await app.surface.call({ tool: "notes__picture", input: {}, signal: { aborted: false } });
    const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
    expect(blocks).toEqual([{ kind: "image", data: pixel, mime: "image/png" }]);
  });
});

describe("a server gets", () => {
  it("of our environment only where programs are, and runs where it cannot be in the way", async () => {
    const { holdfast } = withServers({ notes: { ...NOTES, env: { NOTES_KEY: "k" } } });
    expect((await holdfast.call("notes__environment", {})).text).toBe("NOTES_KEY PATH");
    expect((await holdfast.call("notes__where", {})).text).toMatch(/^\d+ \/$/);
  });
});

describe("a server ends", () => {
  it("with us, and with it all that it started", async () => {
    const { holdfast } = withServers({ notes: NOTES });
    const [server, child] = await Promise.all(
      ["where", "child"].map(async (tool) => Number.parseInt((await holdfast.call(`notes__${tool}`, {})).text, 10)),
    );
    expect([server, child].map(Number).map(isAlive)).toEqual([true, true]);
    holdfast.close();
    await expect.poll(() => [server, child].map(Number).map(isAlive)).toEqual([false, false]);
  });

  it("alone, and is there again at the next call", async () => {
    const { holdfast, warnings } = withServers({ notes: NOTES });
    const before = (await holdfast.call("notes__where", {})).text;
    await holdfast.call("notes__die", {});
    const after = (await holdfast.call("notes__where", {})).text;
    expect(after).not.toBe(before);
    expect(warnings.at(-1)).toBe('The server "notes" ended: code 3');
  });
});

const GREETED = { result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} } };

/** A server that has these answers, by method. */
const answering = (answers: Readonly<Record<string, object>>) =>
  script(`require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const answer = ${JSON.stringify(answers)}[method];
    if (answer) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...answer }));
  });`);

describe("a server that is broken is told and harms nobody", () => {
  const listing = (tools: unknown) => answering({ initialize: GREETED, "tools/list": { result: { tools } } });
  it.each([
    { name: "ends", program: script("console.log('hello'); process.exit(1)"), says: "it ended with code 1" },
    {
      name: "speaks another version",
      program: answering({ initialize: { result: { protocolVersion: "1.0" } } }),
      says: "a version of MCP",
    },
    {
      name: "refuses to be greeted",
      program: answering({ initialize: { error: { code: 1, message: "go away" } } }),
      says: "go away",
    },
    { name: "tells no list", program: listing(7), says: "it does not tell its tools" },
    {
      name: "tells an odd tool",
      program: listing([{ name: "a b", inputSchema: {} }]),
      says: "it does not tell its tools",
    },
    {
      name: "tells too large a schema",
      program: listing([{ name: "a", inputSchema: { type: "object", description: "x".repeat(70_000) } }]),
      says: "its schema is too large",
    },
  ])("$name", async ({ program, says }) => {
    const { holdfast, warnings } = withServers({ broken: program, notes: NOTES });
    await holdfast.ready();
    expect(warnings.join("\n")).toContain(`the server "broken"`);
    expect(warnings.join("\n")).toContain(says);
    expect((await holdfast.call("notes__add", { title: "x" })).text).toBe("added x");
    expect((await holdfast.call("read", { path: "a.txt" })).text).toBe("A\n");
  });
});

/** A server that says nothing once it was greeted. */
async function greeted(): Promise<McpClient> {
  const { command, args = [] } = answering({ initialize: GREETED });
  const client = await openClient("mute", (receive) =>
    startChildProgram({ file: command, args, env: {}, directory: "/" }, receive),
  );
  onTestFinished(client.end);
  return client;
}

describe("a request", () => {
  it("that nobody waits for any more is not sent", async () => {
    const asking = { ms: 5000, signal: AbortSignal.abort() };
    await expect((await greeted()).request("tools/call", {}, asking)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("to a server that has ended fails at once", async () => {
    const client = await greeted();
    client.end();
    await client.ended;
    await expect(client.request("tools/call", {}, { ms: 5000 })).rejects.toMatchObject({ code: "io" });
  });
});

it("what a server says of its tools hides nothing, and what a model has to write stays as it is", async () => {
  const inputSchema = { type: "object", properties: { a: { description: "x\u200by", enum: ["\u200b"] } } };
  const tools = [{ name: "t", description: "say\u202e nothing", inputSchema }];
  const { holdfast } = withServers({ odd: answering({ initialize: GREETED, "tools/list": { result: { tools } } }) });
  await holdfast.ready();
  expect(holdfast.tools().find(({ name }) => name === "odd__t")).toMatchObject({
    description: "say\\u{202e} nothing",
    parameters: { properties: { a: { description: "x\\u{200b}y", enum: ["\u200b"] } } },
  });
});

describe("its tools are policed like all others", () => {
  it("asked for where no rule lets them, each call by itself, with all that is sent", async () => {
    const asked: unknown[] = [];
    const { holdfast } = withServers(
      { notes: NOTES },
      {
        policy: {},
        approver: async ({ tool, effect }) => {
          asked.push([tool, effect]);
          return { decision: asked.length === 1 ? "once" : "deny" };
        },
      },
    );
    expect((await holdfast.call("notes__add", { title: "one" })).isError).toBe(false);
    expect((await holdfast.call("notes__add", { title: "two" })).data.error).toMatchObject({ code: "denied" });
    expect(asked).toEqual(
      ["one", "two"].map((title) => [
        "notes__add",
        {
          summary: "add of the server notes",
          parts: [{ action: "call", path: "add of the server notes", sends: JSON.stringify({ title }, null, 2) }],
          recoverable: false,
        },
      ]),
    );
  });

  it.each([
    {
      name: "freed by name",
      rules: [{ act: ["exec", "network"], tool: "notes__add", decide: "autonomous" }],
      code: undefined,
    },
    {
      name: "freed by plugin",
      rules: [{ act: ["exec", "network"], tool: "office", decide: "autonomous" }],
      code: undefined,
    },
    {
      name: "freed in one sense only",
      rules: [{ act: "network", tool: "office", decide: "autonomous" }],
      code: "denied",
    },
    {
      name: "blocked as the network",
      rules: [
        { act: "exec", decide: "autonomous" },
        { act: "network", decide: "blocked" },
      ],
      code: "denied",
    },
  ] as const)("$name: $code", async ({ rules, code }) => {
    const { holdfast } = withServers(
      { notes: NOTES },
      { policy: { rules: rules.map((rule) => ({ ...rule })) as never }, approver: async () => ({ decision: "deny" }) },
    );
    expect((await holdfast.call("notes__add", { title: "x" })).error?.code).toBe(code);
  });

  it.each([
    { name: "a read-only session", options: { readOnly: true }, shown: [] },
    { name: "a list without it", options: { toolConfig: { tools: { deny: ["office"] } } }, shown: [] },
    {
      name: "a list with one of it",
      options: { toolConfig: { tools: { allow: ["notes__add"] } } },
      shown: ["notes__add"],
    },
  ])("$name shows $shown", async ({ options, shown }) => {
    const { holdfast } = withServers({ notes: NOTES }, options);
    await holdfast.ready();
    expect(namesIn(holdfast).filter((name) => name.startsWith("notes__"))).toEqual(shown);
  });

  it.each([
    { alsoAllow: [], shown: false },
    { alsoAllow: ["office"], shown: true },
    { alsoAllow: ["group:plugins"], shown: true },
    { alsoAllow: ["notes__add"], shown: true },
  ])("optional, with $alsoAllow: $shown", async ({ alsoAllow, shown }) => {
    const { holdfast, warnings } = withServers(
      { notes: { ...NOTES, optional: true } },
      { toolConfig: { tools: { alsoAllow } } },
    );
    await holdfast.ready();
    expect(namesIn(holdfast).includes("notes__add")).toBe(shown);
    expect(warnings.filter((message) => message.includes("Skipped an entry"))).toEqual([]);
  });

  it("allowed by one yes, in whatever order the arguments come again", async () => {
    const app = appOn(scratch(), {
      plugins: checkedPlugins([{ from: "test", plugin: { id: "office", servers: { notes: NOTES } } }], expect.fail),
      approvalWaitMs: 0,
      warn: () => {},
    });
    const caller = callerOf(app);
    expect((await caller("notes__add", { title: "x", count: 1 })).code).toBe("pending");
    const [request] = app.approvals.list();
    await app.approvals.answer(request?.id ?? "", { decision: "once" }, "cli");
    expect((await caller("notes__add", { count: 1, title: "x" })).code).toBe("ok");
  });

  it("are refused when they go in circles", async () => {
    const caller = callerOf(
      appOn(scratch(), {
        plugins: checkedPlugins([{ from: "test", plugin: { id: "office", servers: { notes: NOTES } } }], expect.fail),
        approver: async () => ({ decision: "session" }),
        warn: () => {},
      }),
    );
    const codes = [];
    for (let time = 0; time <= 20; time++) codes.push((await caller("notes__add", { title: "x" })).code);
    expect(codes.at(-1)).toBe("loop");
  });
});
