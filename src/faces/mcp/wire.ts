import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { createBatcher } from "../../base/batcher.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { type ByteString, jsonBytesOf } from "../../text/encoding/utf8.ts";
import { type Id, idAtEdges, idInLine, idOf, isId, isTooDeep, NOT_JSON, RPC, TOO_DEEP, TOO_LONG } from "../json-rpc.ts";
import { createLineSplitter } from "../../base/line-splitter.ts";

/** Extends a transport by answers that are serialized already, and by messages that can wait. */
export interface Wire extends Transport {
  /** Writes the answer to a request. Returns undefined unless the output buffer is full. */
  answer(id: Id, result: ByteString): Promise<void> | undefined;
  /** Sends a message in the next batch, so that no answer waits for it. The last batch is sent when the wire closes. */
  sendSoon(message: JSONRPCMessage): void;
}

/**
 * Exchanges one JSON message per line. Unlike the SDK's own transport it survives bad input: a line that is too long,
 * not JSON or not a message is answered with an error, and the next line is read. Applies backpressure: it stops
 * reading from a client that does not read its answers.
 */
export function createWire(input: Readable, output: Writable, closed: () => void): Wire {
  const unanswered = new Set<unknown>();
  const drain = createBackpressure(output);
  let state: "open" | "ending" | "closed" = "open";
  const write = (lines: string): void => {
    if (state !== "closed" && !output.write(lines, "latin1")) input.pause();
  };
  const writeAnswer = (id: unknown, line: string): void => {
    write(line);
    unanswered.delete(id);
    if (state === "ending" && unanswered.size === 0) void wire.close();
  };
  const writeMessage = (message: unknown): void =>
    writeAnswer(isRequest(message) ? undefined : idOf(message), lineOf(message));
  const batcher = createBatcher<JSONRPCMessage>(LIMITS.noticeMs, (messages) => write(messages.map(lineOf).join("")));
  const splitter = createLineSplitter(LIMITS.messageBytes, {
    line: (line) => receive(wire, line, writeMessage, (id) => unanswered.add(id)),
    tooLong: (start, end) => writeMessage(errorMessage(RPC.request, TOO_LONG, idAtEdges(start, end))),
  });
  /** Answers requests that came before the end of the input, within `LIMITS.closingMs`. */
  const end = (): void => {
    if (state !== "open") return;
    state = "ending";
    if (unanswered.size === 0) void wire.close();
    else setTimeout(() => void wire.close(), LIMITS.closingMs);
  };
  const wire: Wire = {
    async start() {
      input.on("data", splitter);
      for (const event of ["end", "close"]) input.once(event, end);
      output.on("drain", () => input.resume());
      for (const stream of [input, output]) stream.on("error", () => void wire.close());
    },
    async send(message) {
      writeMessage(message);
      await drain.room();
    },
    answer(id, result) {
      writeAnswer(id, `{"jsonrpc":"2.0","id":${jsonBytesOf(id)},"result":${result}}\n`);
      return drain.room();
    },
    sendSoon: batcher.add,
    async close() {
      if (state === "closed") return;
      batcher.flush();
      state = "closed";
      input.off("data", splitter);
      drain.end();
      wire.onclose?.();
      flush(output, closed);
    },
  };
  return wire;
}

const lineOf = (message: unknown): string => `${jsonBytesOf(message)}\n`;

/** Calls back once everything is written, or after `LIMITS.closingMs` if nobody reads it. */
function flush(output: Writable, done: () => void): void {
  if (output.writableLength === 0 || output.destroyed) return done();
  const timer = setTimeout(done, LIMITS.closingMs);
  output.write("", () => {
    clearTimeout(timer);
    done();
  });
}

/** Makes senders wait while the output buffer is full. After `end`, nobody waits any more. */
function createBackpressure(output: Writable): { room(): Promise<void> | undefined; end(): void } {
  let waiting: (() => void)[] | undefined = [];
  const releaseAll = (): void => waiting?.splice(0).forEach((resolve) => resolve());
  output.on("drain", releaseAll);
  return {
    room: () => (waiting && output.writableNeedDrain ? new Promise((resolve) => waiting?.push(resolve)) : undefined),
    end() {
      releaseAll();
      waiting = undefined;
    },
  };
}

function receive(
  wire: Wire,
  line: string,
  answer: (message: unknown) => void,
  expectAnswer: (id: unknown) => void,
): void {
  if (line.trim() === "") return;
  if (isTooDeep(line)) return answer(errorMessage(RPC.request, TOO_DEEP, idInLine(line)));
  try {
    const message: unknown = JSON.parse(line);
    const problem = problemOf(message);
    if (problem !== undefined) return answer(errorMessage(RPC.request, problem, idOf(message)));
    const framed = message as JSONRPCMessage;
    if ("method" in framed && "id" in framed) expectAnswer(framed.id);
    wire.onmessage?.(framed);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    answer(errorMessage(RPC.parse, NOT_JSON));
  }
}

/** Checks the JSON-RPC frame only. The protocol layer validates the content. */
function problemOf(value: unknown): string | undefined {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return "The line is not one JSON-RPC 2.0 message";
  if ("id" in value && !isId(value["id"])) return "The id is neither text nor a number";
  if ("params" in value && !isRecord(value["params"])) return "The params are not an object";
  const isFramed = "method" in value ? typeof value["method"] === "string" : "id" in value;
  return isFramed ? undefined : "The message has neither method nor id";
}

const isRequest = (value: unknown): boolean => isRecord(value) && "method" in value && "id" in value;

const errorMessage = (code: number, message: string, id: Id | null = null): unknown => ({
  jsonrpc: "2.0",
  id,
  error: { code, message },
});
