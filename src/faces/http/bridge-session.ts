import { setTimeout as pause } from "node:timers/promises";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { bridgedHeaders } from "./bridged-headers.ts";
import { eventsIn } from "./sse.ts";

/** Names a server, and the token for it. */
export interface BridgedServer {
  readonly url: URL;
  readonly token: string;
}

/** Sends messages to a server, and keeps the session that the handshake opened. */
export interface BridgeSession {
  post(message: JSONRPCMessage, signal: AbortSignal): Promise<Response>;
  /** Receives messages that answer no request, until the signal. Rejects where the server cannot be reached. */
  listen(take: (message: JSONRPCMessage) => unknown, signal: AbortSignal): Promise<void>;
  /** Ends the session at the server, if it can be reached. */
  close(): Promise<void>;
}

/** Opens the session again by the client's own handshake when the server has forgotten it: it was started anew. */
export function createBridgeSession({ url, token }: BridgedServer): BridgeSession {
  let session: { readonly id: string; readonly version: string } | undefined;
  let handshake: JSONRPCMessage | undefined;
  const send = (method: string, own: Record<string, string>, more: RequestInit): Promise<Response> => {
    const headers = new Headers({ authorization: `Bearer ${token}`, ...own });
    if (session) headers.set("mcp-session-id", session.id);
    if (session && !headers.has("mcp-protocol-version")) headers.set("mcp-protocol-version", session.version);
    return fetch(url, { ...more, method, headers });
  };
  async function postOnce(message: JSONRPCMessage, signal: AbortSignal): Promise<Response> {
    const response = await send("POST", bridgedHeaders(message), { body: JSON.stringify(message), signal });
    const id = response.headers.get("mcp-session-id");
    if (id === null || !("method" in message) || message.method !== "initialize") return response;
    handshake = message;
    session = { id, version: String(message.params?.["protocolVersion"]) };
    return response;
  }
  return {
    async post(message, signal) {
      const response = await postOnce(message, signal);
      if (response.status !== 404 || !session || !handshake) return response;
      session = undefined;
      await forEachMessage(await postOnce(handshake, signal), () => {});
      await postOnce({ jsonrpc: "2.0", method: "notifications/initialized" }, signal);
      return postOnce(message, signal);
    },
    async listen(take, signal) {
      if (!session) return;
      while (!signal.aborted) {
        const response = await send("GET", { accept: "text/event-stream" }, { signal });
        if (response.ok) await forEachMessage(response, take);
        await pause(LIMITS.httpRetryMs, undefined, { signal, ref: false });
      }
    },
    async close() {
      // A server that is gone has no session any more.
      if (session) await send("DELETE", {}, { signal: AbortSignal.timeout(LIMITS.closingMs) }).catch(() => {});
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
