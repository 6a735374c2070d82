import { randomUUID } from "node:crypto";
import { type McpServer, type Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { atBodyEnd } from "./body-end.ts";
import { createEventStore } from "./event-store.ts";
import { refusal } from "./responses.ts";

/** Serves the clients of 2025, which open a session and name it in every request. */
export interface McpSessions {
  serve(request: Request, parsedBody: unknown, owner: string): Promise<Response>;
  announceTools(): void;
  count(): number;
  close(): Promise<void>;
}

/** Serves one client. */
export interface ClientApp {
  /** Creates the server of a session. */
  createSessionServer(): Server;
  /** Creates the server for a single request. */
  createRequestServer(): Server | McpServer;
  /** Is told when a session has no open request and no stream any more, and when it has one again. */
  setAway(isAway: boolean): void;
  end(): void;
}

interface McpSession {
  /** Names the only one who may use the session: to others it does not exist. */
  readonly owner: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: Server;
  readonly client: ClientApp;
  /** Counts requests that are answered now, and open streams. */
  busy: number;
  usedMs: number;
}

export function createMcpSessions(begin: () => ClientApp): McpSessions {
  const sessions = new Map<string, McpSession>();
  const expire = setInterval(() => endIdle(sessions, Date.now() - LIMITS.httpSessionIdleMs), LIMITS.httpIdleMs).unref();

  async function open(request: Request, parsedBody: unknown, owner: string): Promise<Response> {
    if (!hasRoom(sessions)) return refusal(503, "Cannot open a session: too many are in use; close one", RETRY_LATER);
    const client = begin();
    const transport = createTransport((id) => void sessions.set(id, session));
    const session = { owner, transport, client, server: client.createSessionServer(), busy: 0, usedMs: Date.now() };
    await session.server.connect(transport);
    session.server.onclose = () => {
      sessions.delete(transport.sessionId ?? "");
      client.end();
    };
    const response = await answer(session, request, parsedBody);
    // What was no valid handshake has opened nothing.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  return {
    async serve(request, parsedBody, owner) {
      const id = request.headers.get("mcp-session-id");
      if (id === null && isHandshake(parsedBody)) return open(request, parsedBody, owner);
      if (id === null) return refusal(400, "Bad Request: Mcp-Session-Id header is required");
      const session = sessions.get(id);
      return session?.owner === owner ? answer(session, request, parsedBody) : refusal(404, "Session not found");
    },
    announceTools() {
      // Sending fails once the client has disconnected, which is fine.
      for (const { server } of sessions.values()) void server.sendToolListChanged().catch(() => {});
    },
    count: () => sessions.size,
    async close() {
      clearInterval(expire);
      await Promise.all([...sessions.values()].map(({ transport }) => transport.close()));
    },
  };
}

const RETRY_LATER = { "Retry-After": "60" };

const isHandshake = (body: unknown): boolean =>
  [body].flat().some((message) => (message as { readonly method?: unknown } | null)?.method === "initialize");

async function answer(session: McpSession, request: Request, parsedBody: unknown): Promise<Response> {
  const ended = (): void => {
    if (--session.busy === 0) session.client.setAway(true);
    session.usedMs = Date.now();
  };
  if (session.busy++ === 0) session.client.setAway(false);
  try {
    return atBodyEnd(await session.transport.handleRequest(request, { parsedBody }), ended);
  } catch (error) {
    ended();
    throw error;
  }
}

const createTransport = (onOpened: (id: string) => void): WebStandardStreamableHTTPServerTransport =>
  new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: onOpened,
    eventStore: createEventStore(),
    keepAliveMs: LIMITS.httpKeepAliveMs,
    retryInterval: LIMITS.httpRetryMs,
    maxRequestBodySize: LIMITS.messageBytes,
  });

/** Makes room by ending the session that was idle the longest. Returns false where all are in use. */
function hasRoom(sessions: ReadonlyMap<string, McpSession>): boolean {
  if (sessions.size < LIMITS.httpSessions) return true;
  const idle = [...sessions.values()].filter(({ busy }) => busy === 0);
  const oldest = idle.toSorted((one, other) => one.usedMs - other.usedMs)[0];
  void oldest?.transport.close();
  return oldest !== undefined;
}

function endIdle(sessions: ReadonlyMap<string, McpSession>, beforeMs: number): void {
  for (const { busy, usedMs, transport } of sessions.values())
    if (busy === 0 && usedMs < beforeMs) void transport.close();
}
