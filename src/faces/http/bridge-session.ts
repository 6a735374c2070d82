import { setTimeout as pause } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { bridgedHeaders } from "./bridged-headers.ts";
import { eventsIn } from "./sse.ts";

/** Names a server. */
export interface BridgedServer {
  readonly url: URL;
  /** Returns the token of this moment. */
  readonly token: () => Promise<string>;
}

/** Sends messages to a server, and keeps the session that the handshake opened. */
export interface BridgeSession {
  post(message: JSONRPCMessage, signal: AbortSignal): Promise<Response>;
  /** Receives messages that answer no request until the end, also from a server that was started anew. */
  listen(take: (message: JSONRPCMessage) => unknown): Promise<void>;
  /** Ends the session at the server, if it can be reached. */
  close(): Promise<void>;
}

/** Opens the session again by the client's own handshake when the server has forgotten it: it was started anew. */
export function createBridgeSession({ url, token }: BridgedServer, ending: AbortSignal): BridgeSession {
  let session: string | undefined;
  let handshake: JSONRPCMessage | undefined;
  let reopening: Promise<void> | undefined;
  // Without a protocol version, the server takes the one that was agreed on for the session.
  const send = async (method: string, own: Record<string, string>, more: RequestInit): Promise<Response> => {
    const headers = new Headers({ authorization: `Bearer ${await token()}`, ...own });
    if (session !== undefined) headers.set("mcp-session-id", session);
    return fetch(url, { ...more, method, headers });
  };
  async function postOnce(message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
    const response = await send("POST", bridgedHeaders(message), { body: JSON.stringify(message), signal });
    const id = response.headers.get("mcp-session-id");
    if (id === null || !("method" in message) || message.method !== "initialize") return response;
    handshake = message;
    session = id;
    return response;
  }
  async function listenOnce(take: (message: JSONRPCMessage) => unknown): Promise<void> {
    const response = await send("GET", { accept: "text/event-stream" }, { signal: ending });
    if (response.ok) await forEachMessage(response, take);
    else await response.body?.cancel();
  }
  async function reopen(first: JSONRPCMessage): Promise<void> {
    session = undefined;
    await forEachMessage(await postOnce(first, ending), () => {});
    await postOnce({ jsonrpc: "2.0", method: "notifications/initialized" }, ending);
  }
  return {
    async post(message, signal) {
      await reopening;
      const used = session;
      const response = await postOnce(message, signal);
      if (response.status !== 404 || used === undefined || !handshake) return response;
      await response.body?.cancel();
      // Calls that run side by side learn of it one after another: only the first opens the session again.
      if (session === used) reopening ??= reopen(handshake).finally(() => (reopening = undefined));
      await reopening;
      return postOnce(message, signal);
    },
    async listen(take) {
      while (!ending.aborted) {
        // A server that cannot be reached now may be back after the pause.
        await listenOnce(take).catch(() => {});
        await pause(LIMITS.httpRetryMs, undefined, { signal: ending, ref: false }).catch(() => {});
      }
    },
    async close() {
      // A server that is gone has no session any more.
      if (session !== undefined)
        await send("DELETE", {}, { signal: AbortSignal.timeout(LIMITS.closingMs) }).catch(() => {});
    },
  };
}

/** Reads all messages of a response, whichever form it has. */
export async function forEachMessage(response: Response, take: (message: JSONRPCMessage) => unknown): Promise<void> {
  if (!response.body || response.status === 202) return;
  if (response.headers.get("content-type")?.startsWith("application/json"))
    return void (await take((await response.json()) as JSONRPCMessage));
  for await (const { data } of eventsIn(response.body)) if (data !== "") await take(JSON.parse(data) as JSONRPCMessage);
}
