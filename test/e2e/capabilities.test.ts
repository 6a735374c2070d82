import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratch, stateBeside, together } from "../runtime/scratch.ts";
import { connect, ERAS, run } from "./bin.ts";

const ARGS = ["--dialect", "capabilities"];

describe.each(ERAS)("$era", ({ options }) => {
  const served = together(async (atEnd) => {
    const root = scratch({ "src/a.ts": "function alpha() {}\n" }, atEnd);
    return { root, client: await connect(root, options, atEnd, ARGS) };
  });

  it("lists every capability with its tier", async () => {
    const { client } = served();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toHaveLength(15);
    expect(client.getInstructions()).toContain("filesystem.search is filesystem__search");
    const tiers = tools.map(({ name, description }) => [name, /\[Permission: (\w+)/.exec(description ?? "")?.[1]]);
    expect(Object.fromEntries(tiers)).toMatchObject({
      filesystem__read: "autonomous",
      filesystem__write: "notify",
      filesystem__delete: "approval",
    });
    expect(tools.find(({ name }) => name === "filesystem__write")).toMatchObject({
      inputSchema: { required: ["path", "content"], properties: { create_parents: { default: false } } },
      outputSchema: { properties: { checksum: { type: "string" } } },
    });
  });

  it("writes, finds and reads", async () => {
    const { client, root } = served();
    await client.listTools();
    const path = join(root, "new", "b.ts");
    const ask = (name: string, inputs: object) => client.callTool({ name, arguments: { ...inputs } });
    expect(await ask("filesystem__write", { path, content: "alpha();\n", create_parents: true })).toMatchObject({
      structuredContent: { path, size: 9 },
    });
    expect(readFileSync(path, "utf8")).toBe("alpha();\n");
    expect(await ask("filesystem__search_content", { path: root, pattern: "alpha", max_results: 1 })).toMatchObject({
      structuredContent: { total_matches: 2, matches: [{ path: join(root, "src", "a.ts") }] },
    });
    expect(await ask("filesystem__read", { path })).toMatchObject({ structuredContent: { content: "alpha();\n" } });
  });

  it("says what went wrong, and what to call next", async () => {
    const { client, root } = served();
    const wanted = { name: "filesystem__read", arguments: { path: join(root, "none") } };
    const { isError, content } = await client.callTool(wanted);
    expect(isError).toBe(true);
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? "")).toMatchObject({
      error: "FileNotFound",
      recovery: [{ action: "search" }, { action: "list" }],
    });
  });

  it("deletes once somebody has said yes, and brings it back", async () => {
    const { client, root } = served();
    await client.listTools();
    const path = join(root, "src", "old.ts");
    writeFileSync(path, "old");
    const ask = () => client.callTool({ name: "filesystem__delete", arguments: { path } });
    const { structuredContent: waiting } = await ask();
    expect(waiting).toEqual({
      status: "pending_approval",
      approval_id: expect.any(String),
      message: expect.stringContaining("approvals approve"),
    });
    expect(existsSync(path)).toBe(true);
    const { approval_id: id } = waiting as { readonly approval_id: string };
    const allowed = await run(["approvals", "approve", id, "--root", root], {
      env: { HOLDFAST_STATE: stateBeside(root) },
    });
    expect(allowed.code).toBe(0);
    const { structuredContent: gone } = await ask();
    expect(gone).toMatchObject({ deleted_path: path });
    expect(existsSync(path)).toBe(false);
    const { trash_path } = gone as { readonly trash_path: string };
    const restored = await client.callTool({ name: "filesystem__restore", arguments: { trash_path } });
    expect(restored).toMatchObject({ structuredContent: { restored_path: path, trash_path, size: 3 } });
    expect(readFileSync(path, "utf8")).toBe("old");
  });
});

/** Says lines to `holdfast rpc`, and gives back what it said. */
async function said(root: string, lines: readonly unknown[], args: readonly string[] = []) {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { out, err, code } = await run(["rpc", root, ...args], {
    input,
    env: { HOLDFAST_STATE: stateBeside(root) },
  });
  expect(code).toBe(0);
  const answers = out.split("\n").filter(Boolean);
  return { err, answers: answers.map((line) => JSON.parse(line) as unknown) };
}

const ask = (id: number, method: string, params?: object) => ({ jsonrpc: "2.0", id, method, params });
const invoke = (id: number, capability: string, inputs: object = {}, more: object = {}) =>
  ask(id, "capabilities.invoke", { capability, inputs, ...more });

describe("holdfast rpc", () => {
  it("lists, describes and invokes in a batch, in order", async () => {
    const root = scratch();
    const path = join(root, "a");
    const batch = [
      ask(1, "capabilities.list"),
      ask(2, "capabilities.describe", { capability: "filesystem.read" }),
      invoke(3, "filesystem.write", { path, content: "x" }),
      {
        jsonrpc: "2.0",
        method: "capabilities.invoke",
        params: { capability: "filesystem.append", inputs: { path, content: "y" } },
      },
      invoke(4, "filesystem.read", { path }),
    ];
    const { answers } = await said(root, [batch]);
    expect(answers).toMatchObject([
      [
        { id: 1, result: { capabilities: expect.objectContaining({ length: 15 }) } },
        {
          id: 2,
          result: {
            name: "filesystem.read",
            permission_tier: "autonomous",
            errors: [
              {
                type: "PathOutOfScope",
                recovery: [{ action: "check_scope", capability: "agent.session" }, { action: "request_access" }],
              },
              { type: "FileNotFound" },
              { type: "EncodingError", recovery: [{ action: "try_binary", inputs: { encoding: "binary" } }] },
            ],
          },
        },
        { id: 3, result: { path, size: 1 } },
        { id: 4, result: { content: "xy" } },
      ],
    ]);
  });

  it.each([
    { name: "a line that is no JSON", line: "{", answer: { id: null, error: { code: -32_700 } } },
    { name: "an empty batch", line: "[]", answer: { id: null, error: { code: -32_600 } } },
    { name: "what is no request", line: { id: 1 }, answer: { id: 1, error: { code: -32_600 } } },
    {
      name: "another version",
      line: { ...ask(1, "capabilities.list"), jsonrpc: "1.0" },
      answer: { error: { code: -32_600 } },
    },
    { name: "an unknown method", line: ask(1, "nope"), answer: { id: 1, error: { code: -32_601 } } },
    { name: "a method of every object", line: ask(1, "toString"), answer: { id: 1, error: { code: -32_601 } } },
    { name: "wrong params", line: ask(1, "capabilities.describe", {}), answer: { id: 1, error: { code: -32_602 } } },
    { name: "an unknown capability", line: invoke(1, "filesystem.burn"), answer: { error: { code: -32_602 } } },
    {
      name: "wrong inputs",
      line: invoke(1, "filesystem.read"),
      answer: { error: { code: -32_602, data: { error: "InvalidInput" } } },
    },
    {
      name: "what waits for a yes",
      line: invoke(1, "filesystem.delete", { path: "a" }),
      answer: { error: { code: -32_002, data: { status: "pending_approval", approval_id: expect.any(String) } } },
    },
    {
      name: "what a rule forbids",
      line: invoke(1, "filesystem.write", { path: ".git/config", content: "y" }),
      answer: { error: { code: -32_001, data: { error: "PolicyDenied" } } },
    },
    {
      name: "an unknown session",
      line: invoke(1, "agent.session", {}, { session_id: "x" }),
      answer: { id: 1, error: { code: -32_003 } },
    },
    {
      name: "what is wrong with a file, as a result",
      line: invoke(1, "filesystem.read", { path: "none" }),
      answer: { id: 1, result: { error: "FileNotFound", recovery: [{ action: "search" }, { action: "list" }] } },
    },
  ])("answers $name", async ({ line, answer }) => {
    const { answers } = await said(scratch({ a: "x", ".git/config": "x" }), [line]);
    expect(answers).toMatchObject([answer]);
  });

  it("limits how often people are told", async () => {
    const alerts = Array.from({ length: 11 }, (_, nth) => invoke(nth, "alerts.send", { message: `help ${nth}` }));
    const { answers, err } = await said(scratch(), [alerts]);
    expect(answers).toMatchObject([
      expect.objectContaining({
        10: expect.objectContaining({ id: 10, error: expect.objectContaining({ code: -32_000 }) }),
      }),
    ]);
    expect(err.match(/info: help \d+/g)).toHaveLength(10);
  });

  it("says nothing to notifications, and answers the last line without its end", async () => {
    const root = scratch({ a: "x" });
    const input = `${JSON.stringify({ jsonrpc: "2.0", method: "capabilities.list" })}\n${JSON.stringify(ask(7, "capabilities.list"))}`;
    const { out } = await run(["rpc", root], { input, env: { HOLDFAST_STATE: stateBeside(root) } });
    expect(
      out
        .split("\n")
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([7]);
  });

  it("does not list what rules block", async () => {
    const root = scratch();
    const config = join(root, "..", "blocking.jsonc");
    writeFileSync(config, JSON.stringify({ policy: { rules: [{ act: "delete", decide: "blocked" }] } }));
    const { answers } = await said(
      root,
      [ask(1, "capabilities.list"), invoke(2, "filesystem.delete", { path: "a" })],
      ["--config", config],
    );
    const [listed] = answers as [{ result: { capabilities: { name: string }[] } }];
    const names = listed.result.capabilities.map(({ name }) => name);
    expect(names).toHaveLength(14);
    expect(names).not.toContain("filesystem.delete");
    expect(answers).toContainEqual(
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_602 }) }),
    );
  });

  it("speaks no other dialect", async () => {
    const { code, err } = await run(["rpc", scratch(), "--dialect", "picoclaw"]);
    expect([code, err]).toEqual([2, expect.stringContaining("capabilities only")]);
  });
});

describe("alerts", () => {
  it("go to a webhook, a program, standard error and the audit log", async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        bodies.push(body);
        response.end();
      });
    });
    server.listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const root = scratch();
    const [config, kept] = [join(root, "..", "alerts.jsonc"), join(root, "..", "kept.json")];
    const keep = `require("fs").writeFileSync(${JSON.stringify(kept)}, require("fs").readFileSync(0))`;
    const webhook = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    writeFileSync(config, JSON.stringify({ alerts: { webhook, command: [process.execPath, "-e", keep] } }));
    const { answers, err } = await said(
      root,
      [invoke(1, "alerts.send", { message: "help", severity: "warning" })],
      ["--config", config],
    );
    const ways = ["audit log", "stderr", "webhook", "command"];
    expect(answers).toMatchObject([{ result: { delivered_to: ways, severity: "warning" } }]);
    const alert = expect.objectContaining({ message: "help", severity: "warning", session: expect.any(String) });
    expect([bodies, JSON.parse(readFileSync(kept, "utf8"))]).toEqual([[alert], alert]);
    expect(err).toContain("holdfast: warning: help");
  });

  it.each([
    {
      name: "a program that fails",
      alerts: { command: [process.execPath, "-e", "process.exit(3)"] },
      why: /by command: .* ended with code 3/,
    },
    {
      name: "a program that is not there",
      alerts: { command: ["/no/such/program"] },
      why: /by command: .*there is no program "\/no\/such\/program"/,
    },
    { name: "an address where nobody is", alerts: { webhook: "http://127.0.0.1:1/" }, why: /by webhook: / },
  ])("that do not arrive by $name are told to the operator", async ({ alerts, why }) => {
    const root = scratch();
    const config = join(root, "..", "failing.jsonc");
    writeFileSync(config, JSON.stringify({ alerts }));
    const { answers, err } = await said(root, [invoke(1, "alerts.send", { message: "help" })], ["--config", config]);
    expect(answers).toMatchObject([{ result: { delivered_to: ["audit log", "stderr"] } }]);
    expect(err).toMatch(why);
  });
});
