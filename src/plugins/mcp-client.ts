import * as z from "zod";
import { Fault } from "../base/errors.ts";
import { isDeeperThan } from "../base/json-depth.ts";
import { LIMITS } from "../base/limits.ts";
import { PRODUCT } from "../base/product.ts";
import type { ChildProgram, ProgramExit } from "../base/program.ts";
import { stopIfCancelled } from "../base/time-slicing.ts";

/** A server that was greeted, and can be asked. */
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

/** Starts a server and greets it. One that does not answer as it should is ended. */
export async function openClient(name: string, start: StartServer): Promise<McpClient> {
  const client = createClient(name, start);
  try {
    const greeted = initializeResult.safeParse(
      await client.request("initialize", INITIALIZE_PARAMS, { ms: LIMITS.mountedStartMs }),
    );
    if (!greeted.success) throw connectionFault(name, "it does not speak a version of MCP that we know");
    client.notify("notifications/initialized", {});
    return client;
  } catch (error) {
    client.end();
    throw error;
  }
}

/** Starts the program; it is heard line by line. */
export type StartServer = (hear: (line: string) => void) => ChildProgram;

const VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const INITIALIZE_PARAMS = {
  protocolVersion: VERSIONS[0],
  capabilities: {},
  clientInfo: { name: PRODUCT.name, version: PRODUCT.version },
};

const initializeResult = z.looseObject({ protocolVersion: z.enum(VERSIONS) });

/** JSON-RPC, a message a line. What the server asks of us we do not have, and what it tells us we do not need. */
function createClient(name: string, start: StartServer) {
  const open = new Map<number, PendingRequest>();
  let last = 0;
  let over: Fault | undefined;
  const program = start(hear);
  const say = (message: object): void => program.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  const notify = (method: string, params: object): void => say({ method, params });
  void program.exited.then(({ code }) => {
    const fault = connectionFault(name, code === null ? "it ended" : `it ended with code ${code}`);
    over = fault;
    open.forEach(({ reject }) => reject(fault));
  });

  function hear(line: string): void {
    const message = messageIn(line);
    if (message?.method !== undefined) {
      if (message.id !== undefined) say({ id: message.id, ...replyTo(message.method) });
      return;
    }
    const { resolve, reject } = open.get(Number(message?.id)) ?? {};
    if (message?.error) reject?.(serverErrorFault(name, message.error.message));
    else resolve?.(message?.result);
  }

  return {
    notify,
    ended: program.exited,
    end: program.stop,
    async request(method: string, params: object, { ms, signal }: RequestOptions): Promise<unknown> {
      // What was given up, or could never be answered, must not be sent: it would happen all the same.
      if (over) throw over;
      if (signal) stopIfCancelled(signal);
      const id = ++last;
      const withdraw = (reason: string): void => notify("notifications/cancelled", { requestId: id, reason });
      return new Promise<unknown>((settle, fail) => {
        const timer = setTimeout(() => {
          withdraw("timeout");
          fail(timeoutFault(name, ms));
        }, ms);
        signal?.addEventListener("abort", () => {
          withdraw("cancelled");
          fail(new Fault("cancelled", "Cannot finish the call: it was cancelled"));
        });
        open.set(id, { resolve: settle, reject: fail, timer });
        say({ id, method, params });
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

/** Some programs chat on standard output: what is no message is passed over. */
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

const serverErrorFault = (name: string, says: string): Fault =>
  new Fault("tool_error", `The server "${name}" says: ${says.slice(0, LIMITS.mountedTextChars)}`, { server: name });

const timeoutFault = (name: string, ms: number): Fault =>
  new Fault("timeout", `Cannot wait for the server "${name}": it took longer than ${ms / 1000} s`, { server: name });
