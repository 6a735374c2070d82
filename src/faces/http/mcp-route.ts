import { readRequestBody } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { isTooDeep, NOT_JSON, RPC, TOO_DEEP, TOO_LONG } from "../json-rpc.ts";
import { atBodyEnd } from "./body-end.ts";
import type { McpEras } from "./mcp-eras.ts";
import { MCP_PATH } from "./paths.ts";
import { isListening } from "./mcp-sessionless.ts";
import { jsonResponse, refusal } from "./responses.ts";
import type { Caller, Route } from "./routes.ts";

/** Serves MCP at one path, and knows which calls run and which streams are open. */
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
    const { account, subject } = caller;
    if (calls.openOf(account) >= LIMITS.httpAtOnce) return refusal(429, TOO_MANY, { "Retry-After": "1" });
    const mcp = served.get(account) as McpEras;
    return calls.track(account, () => answer(request, mcp, JSON.stringify([account, subject])));
  };
  return {
    route: { path: MCP_PATH, access: "agent", handle },
    sessions: () => [...served.values()].reduce((sum, mcp) => sum + mcp.sessions(), 0),
    drain: calls.drain,
    close: async () => void (await Promise.all([...served.values()].map((mcp) => mcp.close()))),
  };
}

const TOO_MANY = "Cannot serve more at once: too many calls run and streams are open; end some of them";

async function answer(request: Request, mcp: McpEras, owner: string): Promise<Tracked> {
  if (request.method !== "POST") return { response: await mcp.serve(request, undefined, owner), isCall: false };
  const body = await parsedBodyOf(request);
  if (body instanceof Response) return { response: body, isCall: true };
  return { response: await mcp.serve(request, body.parsed, owner), isCall: !isListening(body.parsed) };
}

const CLOSING = { Connection: "close", "Retry-After": "1" };

/** Reads a body once, within the bounds that also hold for a line of standard input. */
async function parsedBodyOf(request: Request): Promise<Response | { readonly parsed: unknown }> {
  // Reading fails only when the client goes away, or breaks its own framing.
  const body = await readRequestBody(request, LIMITS.messageBytes).catch(() => undefined);
  if (!body) return rpcError(400, RPC.parse, CUT_OFF);
  if (body.tooLarge) return rpcError(413, RPC.request, TOO_LONG);
  if (isTooDeep(body.text)) return rpcError(400, RPC.request, TOO_DEEP);
  try {
    return { parsed: JSON.parse(body.text) as unknown };
  } catch {
    return rpcError(400, RPC.parse, NOT_JSON);
  }
}

const CUT_OFF = "The message was cut off";

const rpcError = (status: number, code: number, message: string): Response =>
  jsonResponse(status, { jsonrpc: "2.0", id: null, error: { code, message } });

interface Tracked {
  readonly response: Response;
  /** Is false for a stream that ends only with the client or the server. */
  readonly isCall: boolean;
}

/** Knows the calls whose answers are not sent yet, and how much of each account is open, streams included. */
function createInFlight() {
  const open = new Map<string, number>();
  let running = 0;
  let onIdle: (() => void) | undefined;
  const openOf = (account: string): number => open.get(account) ?? 0;
  const countCalls = (change: 1 | -1): void => {
    running += change;
    if (running === 0) onIdle?.();
  };
  return {
    isClosing: () => onIdle !== undefined,
    openOf,
    async track(account: string, work: () => Promise<Tracked>): Promise<Response> {
      countCalls(1);
      open.set(account, openOf(account) + 1);
      let isCounted = true;
      const end = (): void => {
        open.set(account, openOf(account) - 1);
        if (isCounted) countCalls(-1);
      };
      try {
        const { response, isCall } = await work();
        isCounted = isCall;
        if (!isCall) countCalls(-1);
        return atBodyEnd(response, end);
      } catch (error) {
        end();
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
