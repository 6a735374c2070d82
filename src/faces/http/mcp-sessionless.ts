import { randomUUID } from "node:crypto";
import { CLIENT_INFO_META_KEY, createMcpHandler } from "@modelcontextprotocol/server";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Files } from "../../runtime/pipeline/surface.ts";
import { createSubscriptions } from "../mcp/subscriptions.ts";
import { atBodyEnd } from "./body-end.ts";
import type { ClientApp } from "./mcp-sessions.ts";

/** Serves the clients of 2026, whose requests stand alone. */
export interface Sessionless {
  serve(request: Request, parsedBody: unknown, owner: string): Promise<Response>;
  announceTools(): void;
  close(): Promise<void>;
}

/**
 * Gives the requests of clients with the same name and owner one conversation: the protocol has nothing else that tells
 * clients apart, and the loop guard has to see what came before.
 */
export function createSessionless(begin: () => ClientApp, files: Files | undefined): Sessionless {
  const clients = createClients(begin);
  const handler = createMcpHandler(({ authInfo }) => clients.get(authInfo?.clientId ?? "").createRequestServer(), {
    legacy: "reject",
    keepAliveMs: LIMITS.httpKeepAliveMs,
    maxRequestBodySize: LIMITS.messageBytes,
  });
  const subscriptions = files && createSubscriptions(files, handler.notify.resourceUpdated);

  /** Watches the resources of a stream until it ends. */
  async function listen(params: unknown, serve: () => Promise<Response>): Promise<Response> {
    const id = randomUUID();
    await subscriptions?.open(id, params);
    return atBodyEnd(await serve(), () => subscriptions?.close(id));
  }

  return {
    async serve(request, parsedBody, owner) {
      const clientId = JSON.stringify([owner, clientNameIn(parsedBody)]);
      const serve = (): Promise<Response> =>
        handler.fetch(request, { parsedBody, authInfo: { token: "", clientId, scopes: [] } });
      return isListening(parsedBody) ? listen(parsedBody["params"], serve) : serve();
    },
    announceTools: handler.notify.toolsChanged,
    async close() {
      await handler.close();
      clients.endAll();
    },
  };
}

/** Returns true for the request that opens a stream and is answered only at its end. */
export const isListening = (body: unknown): body is Readonly<Record<string, unknown>> =>
  isRecord(body) && body["method"] === "subscriptions/listen";

function clientNameIn(body: unknown): string {
  const params = isRecord(body) ? body["params"] : undefined;
  const meta = isRecord(params) ? params["_meta"] : undefined;
  const info = isRecord(meta) ? meta[CLIENT_INFO_META_KEY] : undefined;
  return isRecord(info) ? String(info["name"]).slice(0, LIMITS.argumentChars) : "";
}

/** Keeps an LRU of `LIMITS.httpSessions` conversations. */
function createClients(begin: () => ClientApp) {
  const known = new Map<string, ClientApp>();
  return {
    get(id: string): ClientApp {
      const client = known.get(id) ?? begin();
      known.delete(id);
      known.set(id, client);
      const [oldest] = known;
      if (oldest && known.size > LIMITS.httpSessions) {
        known.delete(oldest[0]);
        oldest[1].end();
      }
      return client;
    },
    endAll: () => known.forEach((client) => client.end()),
  };
}
