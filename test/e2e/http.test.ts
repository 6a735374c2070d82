import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { scratch, stateBeside, together } from "../runtime/scratch.ts";
import { bareEnv, BIN, ERAS, own, run } from "./bin.ts";
import { type Ready, startServer } from "./http-server.ts";

const WHO = { name: "holdfast-test", version: "1" };

async function connectOver({ url, token }: Ready, options: ClientOptions = {}) {
  const client = new Client(WHO, options);
  onTestFinished(() => client.close());
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

const textIn = (content: unknown): string => JSON.stringify(content);

describe("clients over HTTP", () => {
  const shared = together(async (atEnd) => {
    const root = scratch({ "a.txt": "one\n" }, atEnd);
    return { root, server: await startServer(root, [], atEnd) };
  });

  it.each(ERAS)("the official client, $era: reads, changes, fails, undoes", async ({ era, options }) => {
    const { root, server } = shared();
    const client = await connectOver(server, options);
    const name = `${era}.txt`;
    const call = (tool: string, input: object) => client.callTool({ name: tool, arguments: { ...input } });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain("read");
    expect(textIn((await call("read", { path: "a.txt" })).content)).toContain("one");
    const written = await call("write", { path: name, content: "new\n" });
    expect(readFileSync(join(root, name), "utf8")).toBe("new\n");
    expect(await call("read", { path: "../secret" })).toMatchObject({ isError: true });
    const { change_id: id } = written.structuredContent as { change_id: string };
    expect((await call("undo", { change_id: id })).isError).toBeFalsy();
    expect(() => statSync(join(root, name))).toThrow("ENOENT");
  });

  it("the first official SDK reads", async () => {
    const { server } = shared();
    const client = new ClientV1(WHO);
    onTestFinished(() => client.close());
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    await client.connect(new TransportV1(new URL(server.url), { requestInit }));
    expect(textIn(await client.callTool({ name: "read", arguments: { path: "a.txt" } }))).toContain("one");
  });

  it.each(ERAS.slice(1))("resources, $era: reports changes to who subscribed", async ({ era, options }) => {
    const { root, server } = shared();
    const client = await connectOver(server, options);
    const path = join(root, "a.txt");
    const uri = `file://${path}`;
    const updated = new Promise((resolve) =>
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri)),
    );
    if (era === "2026-07-28") await client.listen({ resourceSubscriptions: [uri] });
    else await client.subscribeResource({ uri });
    writeFileSync(path, "one\ntwo\n");
    expect(await updated).toBe(uri);
  });

  it("is reached from standard input and output", async () => {
    const { root, server } = shared();
    for (const { options } of ERAS) {
      const client = new Client(WHO, options);
      const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: [BIN, "mcp", "--connect", server.url], env }),
      );
      expect(textIn((await client.callTool({ name: "read", arguments: { path: "a.txt" } })).content)).toContain("one");
      expect(await client.callTool({ name: "read", arguments: { path: "none" } })).toMatchObject({ isError: true });
      await client.close();
    }
  });

  it("keeps its token from a server that is not the user's own", async () => {
    const { root } = shared();
    const { code, err } = await run(["mcp", "--connect", "http://127.0.0.1:1/mcp"], own(root));
    expect([code, err]).toEqual([2, expect.stringContaining("no server of yours runs there")]);
  });
});

describe("approvals over HTTP", () => {
  const CONFIG = JSON.stringify({ policy: { rules: [{ act: "create", decide: "approval" }] } });

  async function asking() {
    const root = scratch();
    const file = join(stateBeside(root), "..", "ask.jsonc");
    writeFileSync(file, CONFIG);
    return { root, server: await startServer(root, ["--config", file, "--approval-wait", "5"]) };
  }

  it("asks the user of a client while its call waits", async () => {
    const { root, server } = await asking();
    const client = new ClientV1(WHO, { capabilities: { elicitation: {} } });
    onTestFinished(() => client.close());
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { decision: "once" } }));
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    await client.connect(new TransportV1(new URL(server.url), { requestInit }));
    const { isError } = await client.callTool({ name: "write", arguments: { path: "a.txt", content: "yes\n" } });
    expect([isError ?? false, readFileSync(join(root, "a.txt"), "utf8")]).toEqual([false, "yes\n"]);
  });

  it("asks by the answer to the call in 2026", async () => {
    const { root, server } = await asking();
    const pin = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
    const client = new Client(WHO, { ...pin, capabilities: { elicitation: { form: {} } } });
    onTestFinished(() => client.close());
    client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { decision: "once" } }));
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    await client.callTool({ name: "write", arguments: { path: "a.txt", content: "yes\n" } });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe("yes\n");
  });
});

describe("roots of a client over HTTP", () => {
  it.each(ERAS)("select among the directories, $era", async ({ options }) => {
    const root = scratch({ "in/a.txt": "in\n", "out.txt": "out\n" });
    const server = await startServer(root, ["--dialect", "mcp-filesystem"]);
    const client = new Client(WHO, { ...options, capabilities: { roots: {} } });
    onTestFinished(() => client.close());
    client.setRequestHandler("roots/list", () => ({
      roots: [{ uri: `file://${join(root, "in")}` }, { uri: "file:///etc" }],
    }));
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }));
    const isError = async (path: string) =>
      (await client.callTool({ name: "read_text_file", arguments: { path } })).isError ?? false;
    expect(await Promise.all([join(root, "in/a.txt"), join(root, "out.txt"), "/etc/hostname"].map(isError))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe("the commands", () => {
  it("start one server per user, say where it is, and stop it", async () => {
    const root = scratch({ "a.txt": "one\n" });
    const at = own(root);
    expect((await run(["status"], at)).code).toBe(1);
    const started = await run(["up", root, "--port", "0", "--background", "--json"], at);
    onTestFinished(async () => void (await run(["stop"], at)));
    expect([started.code, started.err]).toEqual([0, ""]);
    const ready = JSON.parse(started.out) as Ready;
    const state = stateBeside(root);
    expect(statSync(join(state, "server.json")).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await run(["status", "--json"], at)).out)).toMatchObject({ running: true, url: ready.url });
    const again = await run(["up", root, "--port", "0"], at);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining(new URL(ready.url).origin)]);
    const client = await connectOver(ready);
    expect(textIn((await client.callTool({ name: "read", arguments: { path: "a.txt" } })).content)).toContain("one");
    expect((await run(["stop"], at)).out).toBe("Stopped the server\n");
    expect((await run(["status"], at)).code).toBe(1);
    const log = readFileSync(join(state, "server.log"), "utf8");
    expect(
      log
        .trim()
        .split("\n")
        .map((line) => (JSON.parse(line) as { event: string }).event),
    ).toEqual(["started", "stopping", "stopped"]);
    expect(log).not.toContain(ready.token);
  });

  it("rotate the token of a server that runs", async () => {
    const root = scratch();
    const server = await startServer(root);
    expect((await run(["token"], own(root))).out).toBe(`${server.token}\n`);
    expect((await run(["token", "defualt"], own(root))).err).toContain('did you mean "default"?');
    const fresh = (await run(["token", "rotate"], own(root))).out.trim();
    await expect(connectOver(server)).rejects.toThrow("token");
    await expect(connectOver({ ...server, token: fresh })).resolves.toBeDefined();
  });

  it("rotate the token of a client on standard input and output, which goes on", async () => {
    const root = scratch({ "a.txt": "one\n" });
    const server = await startServer(root);
    const client = new Client(WHO);
    onTestFinished(() => client.close());
    const env = bareEnv({ HOLDFAST_STATE: stateBeside(root) });
    const args = [BIN, "mcp", "--connect", server.url];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const { err } = await run(["token", "rotate"], own(root));
    expect(err).toContain("Clients with the old token are refused from now on");
    expect(textIn((await client.callTool({ name: "read", arguments: { path: "a.txt" } })).content)).toContain("one");
  });

  it.each([
    { args: ["--host", "0.0.0.0"], says: "without TLS" },
    { args: ["--public-url", "http://files.example.org"], says: "without TLS" },
    { args: ["--tls-cert", "none.pem"], says: "both --tls-cert and --tls-key" },
    { args: ["--port", "x"], says: "give a port" },
  ])("refuse $args", async ({ args, says }) => {
    const root = scratch();
    const { code, err } = await run(["up", root, ...args], own(root));
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });

  it("say when another program has the port, and leave the place to others", async () => {
    const [one, other] = [scratch(), scratch()];
    const { origin } = await startServer(one);
    const { code, err } = await run(["up", other, "--port", new URL(origin).port], own(other));
    expect([code, err]).toEqual([2, expect.stringContaining("another program uses the port")]);
    expect((await run(["status"], own(other))).code).toBe(1);
  });

  it("do nothing for the command of an agent", async () => {
    const root = scratch();
    for (const words of [["up"], ["status"], ["stop"], ["token"], ["mcp", "--connect", "http://127.0.0.1:1/mcp"]]) {
      const { code, err } = await run(words, own(root, { HOLDFAST_COMMAND: "1" }));
      expect([code, err]).toEqual([2, expect.stringContaining("only people may")]);
    }
  });

  it("print a unit for systemd", async () => {
    const root = scratch({ "rules.jsonc": "{}" });
    const flags = ["--config", "rules.jsonc", "--tls-cert=c.pem", "--tls-key", "k.pem", "--background"];
    const { out } = await run(["--unit", "up", ".", "--port", "4000", ...flags], own(root));
    const absolute = `--config=${root}/rules.jsonc --port=4000 --tls-cert=${root}/c.pem --tls-key=${root}/k.pem`;
    expect(out).toContain(` up ${root} ${absolute}\n`);
  });
});

const isRefused = async (client: Client, name: string, input: object) =>
  (await client.callTool({ name, arguments: { ...input } })).isError ?? false;

const changes = async (client: Client) =>
  ((await client.callTool({ name: "history", arguments: {} })).structuredContent as { changes: unknown[] }).changes;

describe("accounts of the configuration", () => {
  it("have tokens, directories and rules of their own", async () => {
    const root = scratch({ "own.txt": "own\n" });
    const [alice, rules, file] = ["alice", "alice.jsonc", "config.jsonc"].map((name) => join(root, "..", name)) as [
      string,
      string,
      string,
    ];
    mkdirSync(alice);
    writeFileSync(join(alice, "a.txt"), "alice\n");
    writeFileSync(
      rules,
      JSON.stringify({ roots: ["alice"], policy: { rules: [{ act: "create", decide: "blocked" }] } }),
    );
    writeFileSync(file, JSON.stringify({ server: { accounts: { alice: { config: "alice.jsonc" } } } }));
    const server = await startServer(root, ["--config", file]);
    const token = (await run(["token", "alice"], own(root))).out.trim();
    const [mine, hers] = [await connectOver(server), await connectOver({ ...server, token })];
    expect(await isRefused(hers, "read", { path: "a.txt" })).toBe(false);
    expect(await isRefused(hers, "read", { path: join(root, "own.txt") })).toBe(true);
    expect(await isRefused(hers, "write", { path: "new.txt", content: "" })).toBe(true);
    expect(await isRefused(mine, "read", { path: "own.txt" })).toBe(false);
    expect(await isRefused(mine, "write", { path: "new.txt", content: "" })).toBe(false);
    expect([(await changes(mine)).length, (await changes(hers)).length]).toEqual([1, 0]);
  });

  it.each([
    { server: { accounts: { alice: {} } }, says: "give it roots" },
    { server: { accounts: { default: { roots: ["."] } } }, says: "the directories of the command line" },
    { server: { accounts: { "../x": { roots: ["."] } } }, says: "Invalid key" },
    {
      server: { oauth: { issuer: "https://a.example", jwks: "https://a.example/keys", scopes: { read: "nobody" } } },
      says: 'there is no account "nobody"',
    },
  ])("are refused: $says", async ({ server, says }) => {
    const root = scratch();
    const file = join(root, "..", "config.jsonc");
    writeFileSync(file, JSON.stringify({ server }));
    const { code, err } = await run(["up", root, "--port", "0", "--config", file], own(root));
    expect([code, err]).toEqual([2, expect.stringContaining(says)]);
  });
});

describe("metrics", () => {
  it("count calls, faults and times", async () => {
    const server = await startServer(scratch({ "a.txt": "one\n" }));
    const client = await connectOver(server);
    for (const path of ["a.txt", "a.txt", "none"]) await client.callTool({ name: "read", arguments: { path } });
    await client.callTool({ name: "delete", arguments: { path: "a.txt" } });
    await client.callTool({ name: "invented", arguments: {} }).catch(() => {});
    const response = await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${server.token}` } });
    const lines = (await response.text()).split("\n");
    for (const line of [
      'holdfast_calls_total{tool="read",code="ok"} 2',
      'holdfast_calls_total{tool="read",code="not_found"} 1',
      'holdfast_calls_total{tool="unknown",code="unknown_tool"} 1',
      "holdfast_faults_total 2",
      'holdfast_call_seconds_bucket{le="+Inf"} 5',
      "holdfast_call_seconds_count 5",
      "holdfast_sessions 1",
      "holdfast_approvals_waiting 0",
      "holdfast_journal_changes 1",
      "holdfast_trash_items 1",
      "holdfast_trash_bytes 4",
      'holdfast_jobs{state="running"} 0',
    ])
      expect(lines).toContain(line);
  });
});

it("metrics tell how many bytes the history takes: its journal, and the content that it keeps", async () => {
  const root = scratch({ "a.txt": "x".repeat(50_000) });
  const server = await startServer(root);
  const client = await connectOver(server);
  await client.callTool({ name: "read", arguments: { path: "a.txt" } });
  await client.callTool({ name: "write", arguments: { path: "a.txt", content: "y" } });
  const response = await fetch(`${server.origin}/metrics`, { headers: { Authorization: `Bearer ${server.token}` } });
  const [, bytes] = /^holdfast_journal_bytes (\d+)$/m.exec(await response.text()) ?? [];
  const journals = join(stateBeside(root), "pending");
  const sizes = readdirSync(journals).map((name) => statSync(join(journals, name)).size);
  expect(sizes).toEqual([expect.any(Number)]);
  expect(Number(bytes)).toBe(50_000 + (sizes[0] ?? 0));
});

it("costs servers on standard input and output nothing: they load none of it at their start", () => {
  const [start = ""] = /builds\/[^"]*start-[^"]*/.exec(readFileSync(BIN, "utf8")) ?? [];
  const text = readFileSync(join(BIN, "..", start), "utf8");
  expect(["serveStdio", "/healthz", "WWW-Authenticate"].filter((word) => text.includes(word))).toEqual([]);
  expect(text).toContain("tools/list");
});
