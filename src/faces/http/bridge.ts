import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { isFault } from "../../base/errors.ts";
import { isRecord } from "../../base/json.ts";
import { RPC } from "../json-rpc.ts";
import type { Wire } from "../mcp/wire.ts";
import { type BridgedServer, createBridgeSession, forEachMessage } from "./bridge-session.ts";
import { isModern } from "./bridged-headers.ts";

/** Passes messages between a client on standard input and output and a server over HTTP, and decides nothing. */
export interface Bridge {
  /** Ends the session at the server, if it can be reached. */
  close(): Promise<void>;
}

export function bridge(wire: Wire, server: BridgedServer): Bridge {
  const ending = new AbortController();
  const running = new Map<unknown, AbortController>();
  const session = createBridgeSession(server, ending.signal);
  const toClient = (message: JSONRPCMessage): Promise<void> => wire.send(message);
  /** Resolves once messages that others rely on have arrived. */
  let arrived: Promise<unknown> = Promise.resolve();

  async function pass(message: JSONRPCMessage): Promise<void> {
    const stopping = new AbortController();
    const signal = AbortSignal.any([ending.signal, stopping.signal]);
    if ("id" in message) running.set(message.id, stopping);
    try {
      const response = await session.post(message, signal);
      if (!response.ok) return await fail(message, await reasonOf(response));
      if (isHandshake(message)) void session.listen(toClient);
      const isAnswered = await passAnswers(response, message);
      if (!isAnswered) await fail(message, "The server ended before it answered");
    } catch (error) {
      if (!signal.aborted) await fail(message, `Cannot reach the server: ${causeOf(error)}`);
    } finally {
      if ("id" in message) running.delete(message.id);
    }
  }

  /** Passes on what a response holds. Returns false if the answer to the message is not among it. */
  async function passAnswers(response: Response, message: JSONRPCMessage): Promise<boolean> {
    let isAnswered = false;
    await forEachMessage(response, (each) => {
      isAnswered ||= !("method" in each) && "id" in message && each.id === message.id;
      return toClient(each);
    });
    return isAnswered;
  }

  /** Answers a request that the server did not. There is nothing to say about a notification. */
  async function fail(message: JSONRPCMessage, reason: string): Promise<void> {
    if (!("method" in message) || !("id" in message)) return;
    await wire.send({ jsonrpc: "2.0", id: message.id, error: { code: RPC.request, message: reason } });
  }

  wire.onmessage = (message) => {
    if (isCancelled(message, running)) return;
    const after = arrived.then(() => pass(message));
    if (!("id" in message) || isHandshake(message)) arrived = after;
  };
  wire.onclose = () => ending.abort();
  return { close: session.close };
}

const isHandshake = (message: JSONRPCMessage): boolean => "method" in message && message.method === "initialize";

/** Ends a request of 2026, which is cancelled by ending its stream. Returns false for what the server has to be told. */
function isCancelled(message: JSONRPCMessage, running: ReadonlyMap<unknown, AbortController>): boolean {
  if (!("method" in message) || message.method !== "notifications/cancelled" || !isModern(message)) return false;
  running.get(message.params?.["requestId"])?.abort();
  return true;
}

async function reasonOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const error = isRecord(body) ? body["error"] : undefined;
  return isRecord(error) ? String(error["message"]) : `The server answered ${response.status}`;
}

const causeOf = (error: unknown): string =>
  isFault(error) ? error.message : String((error as { readonly cause?: unknown }).cause ?? error);
