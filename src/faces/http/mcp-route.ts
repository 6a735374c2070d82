import { readRequestBody } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { isTooDeep, NOT_JSON, RPC, TOO_DEEP, TOO_LONG } from "../json-rpc.ts";
import { atBodyEnd } from "./body-end.ts";
import type { McpEras } from "./mcp-eras.ts";
import { MCP_PATH } from "./paths.ts";
import { isListening } from "./mcp-sessionless.ts";
import { jsonResponse, refusal } from "./responses.ts";
import type { Caller, Route } from "./routes.ts";

/** Serves MCP at one path, and knows which calls run. */
export interface McpRoute {
  readonly route: Route;
  /** Counts the sessions of all accounts. */
  sessions(): number;
  /** Resolves once all calls that run now are answered, and refuses new ones. */
  drain(): Promise<void>;
  /** Ends all sessions and streams. */
  close(): Promise<void>;
}

/** `served` has what each account is served, by its name. */
export function createMcpRoute(served: ReadonlyMap<string, McpEras>): McpRoute {
  const calls = createInFlight();
  const handle = async (request: Request, caller: Caller): Promise<Response> => {
    if (calls.isClosing()) return refusal(503, "Cannot serve this: the server is stopping", CLOSING);
    if (caller.kind !== "agent") return refusal(403, "Cannot serve this without an account");
    const mcp = served.get(caller.account) as McpEras;
    const owner = JSON.stringify([caller.account, caller.subject]);
    if (request.method !== "POST") return mcp.serve(request, undefined, owner);
    return calls.track(async () => {
      const body = await parsedBodyOf(request);
      if (body instanceof Response) return { response: body, isCall: true };
      return { response: await mcp.serve(request, body.parsed, owner), isCall: !isListening(body.parsed) };
    });
  };
  return {
    route: { path: MCP_PATH, access: "agent", handle },
    sessions: () => [...served.values()].reduce((sum, mcp) => sum + mcp.sessions(), 0),
    drain: calls.drain,
    close: async () => void (await Promise.all([...served.values()].map((mcp) => mcp.close()))),
  };
}

const CLOSING = { Connection: "close", "Retry-After": "1" };

/** Reads a body once, within the bounds that also hold for a line of standard input. */
async function parsedBodyOf(request: Request): Promise<Response | { readonly parsed: unknown }> {
  const body = await readRequestBody(request, LIMITS.messageBytes);
  if (body.tooLarge) return rpcError(413, RPC.request, TOO_LONG);
  if (isTooDeep(body.text)) return rpcError(400, RPC.request, TOO_DEEP);
  try {
    return { parsed: JSON.parse(body.text) as unknown };
  } catch {
    return rpcError(400, RPC.parse, NOT_JSON);
  }
}

const rpcError = (status: number, code: number, message: string): Response =>
  jsonResponse(status, { jsonrpc: "2.0", id: null, error: { code, message } });

interface Tracked {
  readonly response: Response;
  /** Is false for a stream that ends only with the client or the server. */
  readonly isCall: boolean;
}

/** Knows the calls whose answers are not sent yet. */
function createInFlight() {
  let running = 0;
  let onIdle: (() => void) | undefined;
  const done = (): void => {
    running--;
    if (running === 0) onIdle?.();
  };
  return {
    isClosing: () => onIdle !== undefined,
    async track(work: () => Promise<Tracked>): Promise<Response> {
      running++;
      try {
        const { response, isCall } = await work();
        if (isCall) return atBodyEnd(response, done);
        done();
        return response;
      } catch (error) {
        done();
        throw error;
      }
    },
    drain: () =>
      new Promise<void>((resolve) => {
        onIdle = resolve;
        if (running === 0) resolve();
      }),
  };
}
