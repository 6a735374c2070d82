import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { createBatcher } from "../../base/batcher.ts";
import { isRecord } from "../../base/json.ts";
import { LIMITS } from "../../base/limits.ts";
import { type ByteString, jsonBytesOf } from "../../text/encoding/utf8.ts";
import { type Id, idAtEdges, idInLine, idOf, isTooDeep, NOT_JSON, RPC, TOO_DEEP, TOO_LONG } from "../json-rpc.ts";
import { createLineSplitter } from "../../base/line-splitter.ts";

/** A transport that also takes answers which are JSON already, and what is in no hurry. */
export interface Wire extends Transport {
  /** The parts of a result follow each other. Nothing to wait for while the reader keeps up. */
  answer(id: Id, result: readonly ByteString[]): Promise<void> | undefined;
  /** Goes out soon, together with others, so that no answer waits for it; at the latest when the wire closes. */
  sendSoon(message: JSONRPCMessage): void;
}

/**
 * One JSON message per line. Unlike the SDK's own wire it survives bad input: a line that is too long, no JSON or no
 * message is answered with an error, and the next line is read. A client that does not read its answers is not read
 * from either, so that nothing piles up.
 */
export function createWire(input: Readable, output: Writable, closed: () => void): Wire {
  const unanswered = new Set<unknown>();
  const drain = createBackpressure(output);
  let state: "open" | "ending" | "closed" = "open";
  const writeParts = (...parts: readonly string[]): void => {
    if (state === "closed") return;
    for (const part of joinIfShort(parts)) if (!output.write(part, "latin1")) input.pause();
  };
  const writeAnswer = (id: unknown, ...parts: readonly string[]): void => {
    writeParts(...parts);
    unanswered.delete(id);
    if (state === "ending" && unanswered.size === 0) void wire.close();
  };
  const write = (message: unknown): void =>
    writeAnswer(isRequest(message) ? undefined : idOf(message), jsonBytesOf(message), "\n");
  const untold = createBatcher<JSONRPCMessage>(LIMITS.noticeMs, (messages) =>
    writeParts(...messages.flatMap((message) => [jsonBytesOf(message), "\n"])),
  );
  const splitter = createLineSplitter(LIMITS.messageBytes, {
    line: (line) => receive(wire, line, write, (id) => unanswered.add(id)),
    tooLong: (start, end) => write(errorMessage(RPC.request, TOO_LONG, idAtEdges(start, end))),
  });
  /** What was asked before the input ended is still answered, if that does not take long. */
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
      write(message);
      await drain.room();
    },
    answer(id, result) {
      writeAnswer(id, `{"jsonrpc":"2.0","id":${jsonBytesOf(id)},"result":`, ...result, "}\n");
      return drain.room();
    },
    sendSoon: untold.add,
    async close() {
      if (state === "closed") return;
      untold.flush();
      state = "closed";
      input.off("data", splitter);
      drain.end();
      wire.onclose?.();
      flush(output, closed);
    },
  };
  return wire;
}

/** One write costs least; of what is long, another copy costs more. */
const joinIfShort = (parts: readonly string[]): readonly string[] =>
  parts.reduce((sum, { length }) => sum + length, 0) > LIMITS.joinedBytes ? parts : [parts.join("")];

/** Goes on once everything is written, or nobody has read it for a while. */
function flush(output: Writable, done: () => void): void {
  if (output.writableLength === 0 || output.destroyed) return done();
  const timer = setTimeout(done, LIMITS.closingMs);
  output.write("", () => {
    clearTimeout(timer);
    done();
  });
}

/** Lets senders wait while the reader is behind; once ended, nobody waits any more. */
function createBackpressure(output: Writable): { room(): Promise<void> | undefined; end(): void } {
  let waiting: (() => void)[] | undefined = [];
  const goOn = (): void => waiting?.splice(0).forEach((resolve) => resolve());
  output.on("drain", goOn);
  return {
    room: () => (waiting && output.writableNeedDrain ? new Promise((resolve) => waiting?.push(resolve)) : undefined),
    end() {
      goOn();
      waiting = undefined;
    },
  };
}

function receive(wire: Wire, line: string, answer: (message: unknown) => void, expect: (id: unknown) => void): void {
  if (line.trim() === "") return;
  if (isTooDeep(line)) return answer(errorMessage(RPC.request, TOO_DEEP, idInLine(line)));
  try {
    const message: unknown = JSON.parse(line);
    const problem = problemOf(message);
    if (problem === undefined && isRequest(message)) expect(idOf(message));
    if (problem === undefined) wire.onmessage?.(message as JSONRPCMessage);
    else answer(errorMessage(RPC.request, problem, idOf(message)));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    answer(errorMessage(RPC.parse, NOT_JSON));
  }
}

/** The frame only: what a message holds is the protocol layer's to judge. */
function problemOf(value: unknown): string | undefined {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return "The line is not one JSON-RPC 2.0 message";
  if ("id" in value && idOf(value) === null) return "The id is neither text nor a number";
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
