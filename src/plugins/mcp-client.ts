import * as z from "zod";
import { Fault, isFault } from "../base/errors.ts";
import { isDeeperThan } from "../base/json-depth.ts";
import { LIMITS } from "../base/limits.ts";
import { PRODUCT } from "../base/product.ts";
import type { ChildProgram, ProgramExit } from "../base/program.ts";
import { stopIfCancelled } from "../base/time-slicing.ts";

/** Sends requests to a server that was initialized. */
export interface McpClient {
  /** Throws `timeout`, `tool_error` when the server says so, and `io` when it has ended. */
  request(method: string, params: object, asking: RequestOptions): Promise<unknown>;
  readonly ended: Promise<ProgramExit>;
  end(): void;
}

export interface RequestOptions {
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** Starts and initializes a server. Ends it if it does not answer as it should. */
export async function openClient(name: string, start: StartServer): Promise<McpClient> {
  const client = createClient(name, start);
  try {
    await initialize(name, client);
    return client;
  } catch (error) {
    client.end();
    throw error;
  }
}

/** A server that refuses the handshake speaks only revisions that have none: each request states its revision. */
async function initialize(name: string, client: ReturnType<typeof createClient>): Promise<void> {
  try {
    const response = await client.request("initialize", INITIALIZE_PARAMS, { ms: LIMITS.mountedStartMs });
    if (!initializeResult.safeParse(response).success)
      throw connectionFault(name, "it does not speak a version of MCP that we know");
    client.notify("notifications/initialized", {});
  } catch (error) {
    if (!isFault(error) || !refusedHandshake.safeParse(error.cause).success) throw error;
    client.addToParams(REVISION_2026);
  }
}

/** Starts the program and calls `onLine` for each line of its output. */
export type StartServer = (onLine: (line: string) => void) => ChildProgram;

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const CLIENT_INFO = { name: PRODUCT.name, version: PRODUCT.version };

const INITIALIZE_PARAMS = { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: CLIENT_INFO };

const initializeResult = z.looseObject({ protocolVersion: z.enum(VERSIONS) });

/** Matches "method not found" and "unsupported protocol version". */
const refusedHandshake = z.looseObject({ code: z.literal([-32_601, -32_022]) });

const REVISION_2026 = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": CLIENT_INFO,
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

/** Speaks JSON-RPC, one message a line. Rejects requests of the server, except ping, and ignores its notifications. */
function createClient(name: string, start: StartServer) {
  const open = new Map<number, PendingRequest>();
  let last = 0;
  let over: Fault | undefined;
  let ofRevision: object = {};
  const program = start(onLine);
  const send = (message: object): void => program.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const notify = (method: string, params: object): void => send({ method, params: { ...params, ...ofRevision } });
  void program.exited.then(({ code }) => {
    const fault = connectionFault(name, code === null ? "it ended" : `it ended with code ${code}`);
    over = fault;
    open.forEach(({ reject }) => reject(fault));
  });

  function onLine(line: string): void {
    const message = messageIn(line);
    if (message?.method !== undefined) {
      if (message.id !== undefined) send({ id: message.id, ...replyTo(message.method) });
      return;
    }
    const { resolve, reject } = open.get(Number(message?.id)) ?? {};
    if (message?.error) reject?.(serverErrorFault(name, message.error));
    else resolve?.(message?.result);
  }

  return {
    notify,
    addToParams: (more: object): void => void (ofRevision = more),
    ended: program.exited,
    end: program.stop,
    async request(method: string, params: object, { ms, signal }: RequestOptions): Promise<unknown> {
      // A request that was cancelled, or cannot be answered any more, must not be sent: the server would still execute
      // it.
      if (over) throw over;
      if (signal) stopIfCancelled(signal);
      const id = ++last;
      const withdraw = (reason: string): void => notify("notifications/cancelled", { requestId: id, reason });
      return new Promise<unknown>((resolve, reject) => {
        const timer = setTimeout(() => {
          withdraw("timeout");
          reject(timeoutFault(name, ms));
        }, ms);
        signal?.addEventListener("abort", () => {
          withdraw("cancelled");
          reject(new Fault("cancelled", "Cannot finish the call: it was cancelled"));
        });
        open.set(id, { resolve, reject, timer });
        send({ id, method, params: { ...params, ...ofRevision } });
      }).finally(() => {
        clearTimeout(open.get(id)?.timer);
        open.delete(id);
      });
    },
  };
}

interface PendingRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (fault: Fault) => void;
  readonly timer: NodeJS.Timeout;
}

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});

/** Ignores lines that are no messages, since some programs print other things to standard output. */
function messageIn(line: string): z.output<typeof message> | undefined {
  if (isDeeperThan(line, LIMITS.messageDepth)) return undefined;
  try {
    return message.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

const replyTo = (method: string): object =>
  method === "ping" ? { result: {} } : { error: { code: -32_601, message: "Method not found" } };

const connectionFault = (name: string, state: string): Fault =>
  new Fault("io", `Cannot ask the server "${name}": ${state}; it is started again when it is needed`, { server: name });

const serverErrorFault = (name: string, error: { readonly message: string }): Fault =>
  new Fault(
    "tool_error",
    `The server "${name}" says: ${error.message.slice(0, LIMITS.mountedTextChars)}`,
    { server: name },
    error,
  );

const timeoutFault = (name: string, ms: number): Fault =>
  new Fault("timeout", `Cannot wait for the server "${name}": it took longer than ${ms / 1000} s`, { server: name });
