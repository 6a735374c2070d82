import { once } from "node:events";
import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import { errnoOf } from "../../base/errno.ts";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Fetch } from "./face.ts";

export interface ListenOptions {
  readonly host: string;
  /** Takes a free port where it is 0. */
  readonly port: number;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | undefined;
}

/** Passes requests of a port to a function. */
export interface Listener {
  readonly port: number;
  /** Takes no more connections. Resolves once all are closed; `LIMITS.httpClosingMs` later they are cut. */
  close(): Promise<void>;
}

/** Listens with bounds on connections, sizes and times: a client that sends slowly or reads nothing is cut off. */
export async function listen(fetch: Fetch, options: ListenOptions): Promise<Listener> {
  const { host, port, tls } = options;
  const busy = new Set<Socket>();
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    busy.add(request.socket);
    response.once("close", () => busy.delete(request.socket));
    void answer(fetch, request, response, tls ? "https" : "http").catch(() => response.destroy());
  };
  const server = tls
    ? createTlsServer({ ...BOUNDS, ...tls, handshakeTimeout: LIMITS.httpHeadersMs }, handle)
    : createPlainServer(BOUNDS, handle);
  server.maxConnections = LIMITS.httpConnections;
  const open = new Set<Socket>();
  server.on(tls ? "secureConnection" : "connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw listenFault(error, options);
  }
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server, { open, busy }) };
}

const BOUNDS = {
  headersTimeout: LIMITS.httpHeadersMs,
  requestTimeout: LIMITS.httpRequestMs,
  connectionsCheckingInterval: LIMITS.httpCheckMs,
  keepAliveTimeout: LIMITS.httpIdleMs,
  maxHeaderSize: LIMITS.httpHeaderBytes,
};

function listenFault(error: unknown, { host, port }: ListenOptions): unknown {
  const state = LISTEN_ERRNOS[errnoOf(error) ?? ""];
  return state === undefined
    ? error
    : new Fault("invalid_input", `Cannot listen on ${host}:${port}: ${state}`, { port }, error);
}

const LISTEN_ERRNOS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses the port; choose one with --port, or --port 0 for a free one",
  EACCES: "the system does not allow it; choose a port above 1023 with --port",
  EADDRNOTAVAIL: "this machine does not have the address; choose another with --host",
  ENOTFOUND: "there is no such host; choose another with --host",
};

interface Connections {
  readonly open: ReadonlySet<Socket>;
  /** Holds those that wait for an answer. */
  readonly busy: ReadonlySet<Socket>;
}

async function closeServer(server: Server, { open, busy }: Connections): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  // Node keeps connections that have not sent a request yet, and those whose last answer is sent only now.
  const closeIdle = (): void => open.forEach((socket) => busy.has(socket) || socket.destroySoon());
  closeIdle();
  const idle = setInterval(closeIdle, LIMITS.serverPollMs);
  const timer = setTimeout(() => server.closeAllConnections(), LIMITS.httpClosingMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

async function answer(
  fetch: Fetch,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  scheme: string,
): Promise<void> {
  if (FORBIDDEN_METHODS.has(incoming.method ?? "")) return void outgoing.writeHead(405, CLOSING).end();
  const gone = new AbortController();
  // A signal that aborts after every answer would cost a twentieth of a call.
  outgoing.once("close", () => outgoing.writableFinished || gone.abort());
  // An error of the connection closes it, which is all that matters.
  for (const stream of [incoming, outgoing]) stream.on("error", () => {});
  const response = await fetch(requestOf(incoming, scheme, gone.signal));
  if (gone.signal.aborted) return void response.body?.cancel().catch(() => {});
  // The rest of a body that nobody reads is not worth waiting for.
  if (!incoming.complete && response.status >= 400) outgoing.setHeader("Connection", "close");
  outgoing.writeHead(response.status, [...response.headers].flat());
  // Whoever opens a stream has to know that it is open, long before there is an event. Most answers come before this.
  const opening = setTimeout(() => outgoing.flushHeaders(), OPENING_MS);
  try {
    await send(response, outgoing, gone.signal);
  } finally {
    clearTimeout(opening);
  }
  if (!incoming.complete) incoming.destroy();
}

/** Lists methods that no `Request` can have: they would echo a request with its cookies. */
const FORBIDDEN_METHODS: ReadonlySet<string> = new Set(["TRACE", "TRACK"]);
const CLOSING = { Connection: "close" };

/** The time that the head of an answer waits to be sent together with the first bytes. */
const OPENING_MS = 10;

/** Converts a request. Its address never comes from the client, only the path and the query do. */
function requestOf(incoming: IncomingMessage, scheme: string, signal: AbortSignal): Request {
  const { method = "GET", url = "/", rawHeaders } = incoming;
  const headers = new Headers();
  for (let nth = 0; nth < rawHeaders.length; nth += 2) headers.append(rawHeaders[nth] ?? "", rawHeaders[nth + 1] ?? "");
  const path = url.startsWith("/") ? url : "/";
  const hasBody =
    method !== "GET" && method !== "HEAD" && (headers.has("content-length") || headers.has("transfer-encoding"));
  return new Request(`${scheme}://${AUTHORITY}${path}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: "half" }),
  });
}

/** The host in the addresses of requests, a placeholder: the Host header is checked by itself. */
const AUTHORITY = "holdfast";

async function send({ body }: Response, outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  if (!body) return void outgoing.end();
  const reader = body.getReader();
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  for (;;) {
    const { done, value } = await reader.read();
    if (done || signal.aborted) break;
    if (!outgoing.write(value)) await drained(outgoing, signal);
  }
  outgoing.end();
}

/** Waits for a client that reads slowly, and cuts one that has stopped reading. */
async function drained(outgoing: ServerResponse, signal: AbortSignal): Promise<void> {
  const timer = setTimeout(() => outgoing.destroy(), LIMITS.httpStalledMs);
  await once(outgoing, "drain", { signal }).catch(() => {});
  clearTimeout(timer);
}
