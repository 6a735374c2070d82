import type { JSONRPCMessage, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import { call } from "../../runtime/call.ts";
import type { Session } from "../../runtime/session.ts";
import { createTuner } from "./engine.ts";
import { toCallToolJson } from "./render.ts";
import { requestOf } from "./request.ts";
import type { Wire } from "./wire.ts";

/**
 * A short cut on the wire: a client that opens with the 2025 handshake has its tool calls answered here, and everything
 * else by the SDK behind. Same call, same answer, for less (docs/decisions/004).
 */
export function createShortCut(wire: Wire, session: Session): Transport {
  const running = new Map<string | number, { aborted: boolean }>();
  let era: "unknown" | "2025" | "other" = "unknown";
  const waiting: ToolCall[] = [];
  const tune = createTuner();
  const shortCut: Transport = {
    start: () => wire.start(),
    send: (message, options) => wire.send(message, options),
    close: () => wire.close(),
  };
  wire.onmessage = (message) => {
    if (era === "unknown") era = "method" in message && message.method === "initialize" ? "2025" : "other";
    if (era === "2025" && isToolCall(message)) take(message);
    else if (!isCancelled(message)) shortCut.onmessage?.(message);
  };
  wire.onerror = (error) => shortCut.onerror?.(error);
  wire.onclose = () => {
    waiting.length = 0;
    for (const signal of running.values()) signal.aborted = true;
    shortCut.onclose?.();
  };

  /** A call counts as running until its answer is on its way: who does not read is not worked for. */
  function take(message: ToolCall): void {
    if (running.size < LIMITS.parallelCalls) void answer(message);
    else waiting.push(message);
  }

  async function answer({ id, params }: ToolCall): Promise<void> {
    tune();
    const signal = { aborted: false };
    running.set(id, signal);
    const notify = (notification: object) => wire.send({ jsonrpc: "2.0", ...notification } as JSONRPCMessage);
    const asked = { signal, _meta: params._meta, notify };
    const outcome = await call(session, requestOf(params.name, params.arguments, asked));
    const behind = signal.aborted ? undefined : wire.answer(id, toCallToolJson(outcome));
    if (behind) await behind;
    running.delete(id);
    const next = waiting.shift();
    if (next) void answer(next);
  }
  /** Whether this cancels a call of ours; one that still waits is simply forgotten. */
  function isCancelled(message: JSONRPCMessage): boolean {
    if (!("method" in message) || message.method !== "notifications/cancelled") return false;
    const id = message.params?.["requestId"] as string | number;
    const position = waiting.findIndex((each) => each.id === id);
    if (position >= 0) waiting.splice(position, 1);
    const signal = running.get(id);
    if (signal) signal.aborted = true;
    return position >= 0 || signal !== undefined;
  }
  return shortCut;
}

interface ToolCall extends JSONRPCRequest {
  readonly method: "tools/call";
  readonly params: {
    readonly name: string;
    readonly arguments?: unknown;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

/** Only the plain form: whatever else a call may carry is the SDK's to judge. */
function isToolCall(message: JSONRPCMessage): message is ToolCall {
  if (!("method" in message) || message.method !== "tools/call" || !("id" in message)) return false;
  const params: unknown = message.params;
  if (typeof params !== "object" || params === null) return false;
  return "name" in params && typeof params.name === "string" && Object.keys(params).every((key) => PLAIN.has(key));
}

const PLAIN: ReadonlySet<string> = new Set(["name", "arguments", "_meta"]);
