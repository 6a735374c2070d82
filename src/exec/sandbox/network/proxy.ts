import { lookup } from "node:dns/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, isIP, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { type HostRule, isAllowed, isInternal, parseTarget, type Target } from "./hosts.ts";

/** One host that a command asked for, and why it was refused. */
export interface SeenHost {
  readonly host: string;
  readonly port: number;
  readonly refusal?: string | undefined;
}

/** The key of the configuration that opens a host: every refusal names it. */
export const NETWORK_KEY = "tools.exec.sandbox.network";

/**
 * Serves connections that commands make to their proxy: HTTP requests, and CONNECT for everything else. Names are
 * resolved here, once, and the address that was judged is the one that is connected to.
 */
export function serveProxy(listener: Server, rules: readonly HostRule[], onHost: (seen: SeenHost) => void): void {
  const judge = async (target: Target | undefined): Promise<Judged> => {
    const judged = await judgeTarget(target, rules);
    if (target) onHost({ ...target, refusal: "refusal" in judged ? judged.refusal : undefined });
    return judged;
  };
  const server = createServer((incoming, response) => void forward(incoming, response, judge));
  server.on("connect", (incoming, socket, head) => void tunnel(incoming, socket, head, judge));
  server.on("clientError", (_, socket) => socket.destroy());
  listener.on("connection", (socket) => {
    socket.setTimeout(IDLE_MS, () => socket.destroy());
    server.emit("connection", socket);
  });
}

const IDLE_MS = 5 * 60_000;

type Judged = { readonly address: string; readonly target: Target } | { readonly refusal: string };

async function judgeTarget(target: Target | undefined, rules: readonly HostRule[]): Promise<Judged> {
  if (!target) return { refusal: "Network: this is no valid host and port" };
  const { host, port } = target;
  const name = port === 80 || port === 443 ? host : `${host}:${port}`;
  if (!isAllowed(target, rules)) return { refusal: `Network: ${name} is not open; ${NETWORK_KEY} opens hosts` };
  const addresses = isIP(host) === 0 ? await addressesOf(host) : [host];
  const address = addresses.find((each) => !isInternal(each, rules));
  if (address !== undefined) return { address, target };
  if (addresses.length === 0) return { refusal: `Network: there is no host ${host}` };
  return { refusal: `Network: ${host} is an internal address; ${NETWORK_KEY} must list the address as well` };
}

async function addressesOf(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch {
    // Whatever the reason is, the name has no address for us.
    return [];
  }
}

type Judge = (target: Target | undefined) => Promise<Judged>;

async function forward(incoming: IncomingMessage, response: ServerResponse, judge: Judge): Promise<void> {
  const url = URL.canParse(incoming.url ?? "") ? new URL(incoming.url ?? "") : undefined;
  const isPlain = url?.protocol === "http:" && url.username === "" && url.password === "";
  const judged = await judge(isPlain ? parseTarget(`${url.hostname}:${url.port || 80}`) : undefined);
  if (!url || "refusal" in judged) {
    response.writeHead(403, { "content-type": "text/plain", connection: "close" });
    response.end(`${"refusal" in judged ? judged.refusal : ""}\n`);
    return;
  }
  const headers = { ...incoming.headers, host: url.host };
  for (const name of ["proxy-connection", "proxy-authorization", "connection", "keep-alive"])
    delete headers[name as "connection"];
  const { address, target } = judged;
  const outgoing = request(
    { host: address, port: target.port, method: incoming.method, path: url.pathname + url.search, headers },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
      answer.on("error", () => response.destroy());
    },
  );
  outgoing.on("error", () => response.destroy());
  incoming.on("error", () => outgoing.destroy());
  incoming.pipe(outgoing);
}

async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer, judge: Judge): Promise<void> {
  client.on("error", () => client.destroy());
  const judged = await judge(parseTarget(incoming.url ?? ""));
  if ("refusal" in judged) {
    const body = `${judged.refusal}\n`;
    const headers = ["HTTP/1.1 403 Forbidden", "Content-Type: text/plain", `Content-Length: ${body.length}`];
    client.end(`${[...headers, "Connection: close"].join("\r\n")}\r\n\r\n${body}`);
    return;
  }
  const remote: Socket = connect(judged.target.port, judged.address);
  remote.setTimeout(IDLE_MS, () => remote.destroy());
  remote.on("error", () => client.destroy());
  client.on("close", () => remote.destroy());
  remote.on("close", () => client.destroy());
  remote.on("connect", () => {
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    if (head.length > 0) remote.write(head);
    client.pipe(remote).pipe(client);
  });
}
