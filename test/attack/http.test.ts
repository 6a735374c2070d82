import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request as tlsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { listen, type ListenOptions } from "../../src/faces/http/listener.ts";
import { bearer, INITIALIZE, served } from "../faces/http/served.ts";
import { needs } from "../programs.ts";
import { scratch } from "../runtime/scratch.ts";

/** The whole server on a real port. */
async function onPort(tls?: ListenOptions["tls"]) {
  const server = await served(scratch({ "a.txt": "one\n" }));
  const listener = await listen(server.fetch, { host: "127.0.0.1", port: 0, tls });
  onTestFinished(() => listener.close());
  return { ...server, ...listener, url: `http://127.0.0.1:${listener.port}` };
}

/** A connection that sends these bytes, and tells what came back until it was closed. */
function sending(port: number, bytes: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let text = "";
  socket.setEncoding("latin1").on("data", (more: string) => (text += more));
  socket.on("error", () => {});
  socket.write(bytes);
  return { socket, answer: once(socket, "close").then(() => text) };
}

const HEAD = "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n";

describe("a hostile client", () => {
  it("that sends its headers slowly is cut off (slow loris)", async () => {
    const { port } = await onPort();
    const { socket, answer } = sending(port, HEAD);
    const drip = setInterval(() => socket.write("X: y\r\n"), 250);
    onTestFinished(() => clearInterval(drip));
    const startedMs = Date.now();
    expect(await answer).toMatch(/^HTTP\/1.1 408 /);
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(LIMITS.httpHeadersMs - LIMITS.httpCheckMs);
  });

  it.each([
    { name: "announces a huge body without a token", bytes: `${HEAD}Content-Length: 9999999999\r\n\r\n{`, gives: 401 },
    { name: "sends chunks without a token", bytes: `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nhello`, gives: 401 },
    { name: "sends headers without end", bytes: `${HEAD}X: ${"y".repeat(LIMITS.httpHeaderBytes)}\r\n\r\n`, gives: 431 },
    { name: "sends no HTTP", bytes: "\x16\x03\x01\x00\x05hello\r\n\r\n", gives: 400 },
    {
      name: "smuggles a request",
      bytes: `${HEAD}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      gives: 400,
    },
    { name: "names no host", bytes: "GET /healthz HTTP/1.1\r\n\r\n", gives: 400 },
    {
      name: "names two hosts",
      bytes: "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil\r\nConnection: close\r\n\r\n",
      gives: 403,
    },
    {
      name: "asks for another address",
      bytes: "GET http://evil/healthz HTTP/1.1\r\nHost: evil\r\nConnection: close\r\n\r\n",
      gives: 403,
    },
    {
      name: "asks for its own request back",
      bytes: "TRACE /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: holdfast=secret\r\n\r\n",
      gives: 405,
    },
    {
      name: "asks for another host by its path",
      bytes: "GET //evil/healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
      gives: 404,
    },
  ])("that $name gets $gives and is cut off", async ({ bytes, gives }) => {
    const { port } = await onPort();
    expect(await sending(port, bytes).answer).toMatch(new RegExp(`^HTTP/1.1 ${gives} `));
  });

  it("cannot send a body that is too long, announced or not", async () => {
    const { url, token } = await onPort();
    const headers = { ...bearer(token), "content-type": "application/json" };
    const long = " ".repeat(LIMITS.messageBytes + 1);
    const post = (body: string | ReadableStream) =>
      fetch(`${url}/mcp`, { method: "POST", headers, body, duplex: "half" }).then(({ status }) => status);
    expect(await post(long).catch(() => "cut off")).toSatisfy((given) => [413, "cut off"].includes(given));
    expect(await post(new Blob([long]).stream()).catch(() => "cut off")).toSatisfy((given) =>
      [413, "cut off"].includes(given),
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("that goes away in the middle leaves nothing behind, and is no failure of the server", async () => {
    const { url, port, token, logged } = await onPort();
    for (let nth = 0; nth < 20; nth++) {
      const body = JSON.stringify(INITIALIZE);
      const head = `${HEAD}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const { socket } = sending(port, head + body.slice(0, nth % 2 === 0 ? 10 : undefined));
      await once(socket, "connect");
      // The server has begun to read the body by then.
      await pause(20);
      socket.destroy();
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect(logged.filter(({ event }) => event === "failed")).toEqual([]);
  });
});

const watchCall = (id: number, input: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "watch", arguments: input },
});

describe("a server that stops", () => {
  it("sends the answer to a call that runs, and cuts connections that wait for nothing", async () => {
    const { url, token, drain, server, close, port } = await onPort();
    const headers: Record<string, string> = {
      ...bearer(token),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const post = (body: unknown) => fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(body) });
    const opened = await post(INITIALIZE);
    await opened.text();
    headers["mcp-session-id"] = opened.headers.get("mcp-session-id") ?? "";
    const watch = await (await post(watchCall(2, { path: "." }))).text();
    const waiting = connect(port, "127.0.0.1");
    const events = await fetch(`${url}/mcp`, { headers: { ...headers, accept: "text/event-stream" } });
    const id = /"watch_id":"([^"]+)"/.exec(watch)?.[1];
    const running = await post(watchCall(3, { watch_id: id, wait_ms: 500 }));
    const stopped = drain().then(server.close).then(close);
    expect(await running.text()).toContain('"events":[]');
    expect(await events.text()).not.toContain("data: {");
    await stopped;
    if (!waiting.destroyed) await once(waiting, "close");
  });
});

describe("TLS", () => {
  it("serves with the certificate of the operator", async () => {
    needs("openssl");
    const directory = scratch();
    const [cert, key] = ["cert.pem", "key.pem"].map((name) => join(directory, name)) as [string, string];
    const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
    execFileSync("openssl", [...words, "-subj", "/CN=localhost", "-keyout", key, "-out", cert], { stdio: "ignore" });
    const { port } = await onPort({ cert: readFileSync(cert), key: readFileSync(key) });
    const asked = tlsRequest({
      host: "127.0.0.1",
      port,
      path: "/healthz",
      ca: readFileSync(cert),
      servername: "localhost",
    });
    asked.end();
    const [response] = (await once(asked, "response")) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    const plain = sending(port, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await Promise.race([plain.answer, pause(5000, "open")])).not.toContain("200");
  });
});
