import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { parseHostRule } from "../../../../src/exec/sandbox/network/hosts.ts";
import { type SeenHost, serveProxy } from "../../../../src/exec/sandbox/network/proxy.ts";

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Starts a site on this machine, and a proxy that opens what `hosts` says of its port. */
async function startProxy(hosts: (port: number) => readonly string[]) {
  const site = await listening(
    createHttpServer((incoming, response) => {
      response.end(
        `${incoming.method} ${incoming.url} ${incoming.headers.host} ${incoming.headers["proxy-authorization"]}`,
      );
    }),
  );
  const seen: SeenHost[] = [];
  const listener = createServer();
  serveProxy(listener, hosts(site).map(parseHostRule), (host) => seen.push(host));
  return { site, seen, proxy: await listening(listener) };
}

async function get(proxy: number, url: string): Promise<{ status: number | undefined; text: string }> {
  const headers = { "proxy-authorization": "secret" };
  const asked = request({ host: "127.0.0.1", port: proxy, path: url, headers, agent: false }).end();
  const [answer] = await once(asked, "response");
  let text = "";
  for await (const piece of answer) text += piece;
  return { status: answer.statusCode, text };
}

async function tunnel(proxy: number, lines: string): Promise<string> {
  const socket = connect(proxy, "127.0.0.1");
  socket.write(lines);
  let text = "";
  socket.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  await once(socket, "close");
  return text;
}

const LOCAL = (port: number) => [`localhost:${port}`, `127.0.0.1:${port}`];

it("forwards requests to an open host, without what is meant for the proxy", async () => {
  const { proxy, site, seen } = await startProxy(LOCAL);
  expect(await get(proxy, `http://localhost:${site}/path?query`)).toEqual({
    status: 200,
    text: `GET /path?query localhost:${site} undefined`,
  });
  expect(seen).toEqual([{ host: "localhost", port: site, refusal: undefined }]);
});

it("tunnels to an open host", async () => {
  const { proxy, site } = await startProxy(LOCAL);
  const inner = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  const text = await tunnel(proxy, `CONNECT localhost:${site} HTTP/1.1\r\nHost: x\r\n\r\n${inner}`);
  expect(text).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 OK[^]*GET \/ x undefined/);
});

it("names the key that opens a host where one is closed", async () => {
  const { proxy, seen } = await startProxy(LOCAL);
  const refusal = "Network: evil.example is not open; tools.exec.sandbox.network opens hosts";
  expect(await get(proxy, "http://evil.example/")).toEqual({ status: 403, text: `${refusal}\n` });
  expect(await tunnel(proxy, "CONNECT evil.example:443 HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1.1 403 [^]*is not open/);
  expect(seen).toEqual([
    { host: "evil.example", port: 80, refusal },
    { host: "evil.example", port: 443, refusal },
  ]);
});

it("refuses a name that resolves to this machine, unless the address is listed as well", async () => {
  const { proxy, site } = await startProxy((port) => [`localhost:${port}`]);
  expect(await get(proxy, `http://localhost:${site}/`)).toEqual({
    status: 403,
    text: "Network: localhost is an internal address; tools.exec.sandbox.network must list the address as well\n",
  });
});

it.each(["https://localhost/", "http://user:password@localhost/", "/relative", "ftp://localhost/", "http://127.1/"])(
  "refuses %s",
  async (url) => {
    const { proxy } = await startProxy(() => ["localhost"]);
    expect((await get(proxy, url)).status).toBe(403);
  },
);
