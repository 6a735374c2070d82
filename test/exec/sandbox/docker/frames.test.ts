import { expect, it } from "vitest";
import { piecesOf } from "../../../../src/exec/sandbox/docker/frames.ts";

function frame(type: number, text: string): Buffer {
  const header = Buffer.from([type, 0, 0, 0, 0, 0, 0, 0]);
  header.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([header, Buffer.from(text)]);
}

async function* inSteps(bytes: Buffer, step: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

it.each([1, 3, 7, 8, 9, 1000])("splits frames that come in pieces of %i bytes", async (step) => {
  const bytes = Buffer.concat([frame(1, "output one"), frame(2, "error"), frame(1, ""), frame(1, " two")]);
  const texts = { output: "", errors: "" };
  for await (const { from, bytes: piece } of piecesOf(inSteps(bytes, step))) texts[from] += piece.toString();
  expect(texts).toEqual({ output: "output one two", errors: "error" });
});
