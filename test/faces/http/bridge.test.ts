import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { bridge } from "../../../src/faces/http/bridge.ts";
import { listen } from "../../../src/faces/http/listener.ts";
import { createWire } from "../../../src/faces/mcp/wire.ts";
import { scratch } from "../../runtime/scratch.ts";
import { INITIALIZE, served } from "./served.ts";

/** A client on a pipe, bridged to a server. */
function bridged(port: number, token: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = createWire(input, output, () => {});
  const { close } = bridge(wire, { url: new URL(`http://127.0.0.1:${port}/mcp`), token: async () => token });
  void wire.start();
  onTestFinished(() => wire.close());
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    send: (message: object) => void input.write(`${JSON.stringify(message)}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? "null") as { id: number; error?: { message: string } },
    close,
  };
}

const read = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "read", arguments: { path: "a.txt" } },
});

it("opens the session again when the server was started anew, and says when it cannot be reached", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const first = await served(root);
  const before = await listen(first.fetch, { host: "127.0.0.1", port: 0 });
  const client = bridged(before.port, first.token);
  client.send(INITIALIZE);
  expect(await client.next()).toMatchObject({ id: 1, result: { serverInfo: { name: "holdfast" } } });
  client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  client.send(read(2));
  expect(JSON.stringify(await client.next())).toContain("one");
  await first.server.close();
  await before.close();
  client.send(read(3));
  expect((await client.next()).error?.message).toMatch(/^Cannot reach the server: /);
  const second = await served(root);
  const after = await listen(second.fetch, { host: "127.0.0.1", port: before.port });
  onTestFinished(() => after.close());
  client.send(read(4));
  expect(JSON.stringify(await client.next())).toContain("one");
  await client.close();
});

it("says why the server refuses", async () => {
  const { fetch } = await served(scratch());
  const listener = await listen(fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listener.close());
  const client = bridged(listener.port, "holdfast_wrong");
  client.send(INITIALIZE);
  expect((await client.next()).error?.message).toContain("without a valid token");
});

/** Serves a handshake, then answers requests one after another with these statuses and streams that end early. */
async function forgetful(sessions: readonly string[]) {
  const seen: string[] = [];
  const known = [...sessions];
  const fetch = async (request: Request): Promise<Response> => {
    const message = request.method === "POST" ? ((await request.json()) as { id?: number; method: string }) : undefined;
    const session = request.headers.get("mcp-session-id");
    seen.push(`${message?.method ?? request.method} ${session ?? "-"}`);
    if (message?.method === "initialize") return opened(message.id, known[0] ?? "");
    if (message === undefined) return new Response(null, { status: 405 });
    if (session !== known[0]) return new Response("{}", { status: 404 });
    if (message.id === undefined) return new Response(null, { status: 202 });
    return new Response("", { headers: { "content-type": "text/event-stream" } });
  };
  const listener = await listen(fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listener.close());
  return { port: listener.port, seen, forget: () => void known.shift() };
}

const opened = (id: number | undefined, session: string): Response =>
  Response.json(
    { jsonrpc: "2.0", id, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: {} } },
    { headers: { "mcp-session-id": session } },
  );

it("answers a call whose stream ends without an answer", async () => {
  const { port } = await forgetful(["one"]);
  const client = bridged(port, "token");
  client.send(INITIALIZE);
  await client.next();
  client.send(read(2));
  expect((await client.next()).error?.message).toBe("The server ended before it answered");
});

it("opens one new session for calls that run side by side", async () => {
  const { port, seen, forget } = await forgetful(["one", "two"]);
  const client = bridged(port, "token");
  client.send(INITIALIZE);
  await client.next();
  forget();
  for (const id of [2, 3, 4]) client.send(read(id));
  for (const _ of [2, 3, 4]) expect((await client.next()).error?.message).toBe("The server ended before it answered");
  expect(seen.filter((line) => line.startsWith("initialize"))).toEqual(["initialize -", "initialize -"]);
  expect(seen.filter((line) => line === "tools/call two")).toHaveLength(3);
});
