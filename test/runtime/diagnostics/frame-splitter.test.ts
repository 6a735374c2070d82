import { expect, it } from "vitest";
import { LIMITS } from "../../../src/base/limits.ts";
import { createFrameSplitter, framed } from "../../../src/runtime/diagnostics/frame-splitter.ts";

const TEXTS = ['{"a":1}', "", "ünï — 𝄞", "x".repeat(5000)];

it.each([1, 2, 7, 100, 100_000])("joins messages that come in pieces of %i bytes", (size) => {
  const bytes = Buffer.from(TEXTS.map(framed).join(""));
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, nth) =>
    bytes.subarray(nth * size, (nth + 1) * size),
  );
  expect(received(pieces)).toEqual({ messages: TEXTS.filter((text) => text !== ""), broken: [] });
});

it("accepts other headers, in any case", () => {
  const bytes = Buffer.from("Content-Type: x; charset=utf-8\r\ncontent-length:2\r\n\r\n{}");
  expect(received([bytes])).toEqual({ messages: ["{}"], broken: [] });
});

it.each([
  { bytes: "Content-Type: x\r\n\r\n{}", reason: "it sends a message without a length" },
  { bytes: "Content-Length: -1\r\n\r\n{}", reason: "it sends a message without a length" },
  { bytes: `Content-Length: ${LIMITS.messageBytes + 1}\r\n\r\n`, reason: "it sends a message of 16777217 bytes" },
  { bytes: "x".repeat(LIMITS.messageHeaderBytes + 1), reason: "it sends no header of a message" },
])("gives up once: $reason", ({ bytes, reason }) => {
  expect(received([Buffer.from(bytes), Buffer.from(framed("{}"))])).toEqual({ messages: [], broken: [reason] });
});

function received(pieces: readonly Buffer[]) {
  const [messages, broken]: [string[], string[]] = [[], []];
  const split = createFrameSplitter({
    message: (text) => void messages.push(text),
    broken: (reason) => void broken.push(reason),
  });
  for (const piece of pieces) split(piece);
  return { messages, broken };
}
