import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { createWire } from "../../src/faces/mcp/wire.ts";
import { jsonBytesOf } from "../../src/text/encoding/utf8.ts";

/** Timers of one process come in their order, however busy the machine is. */
it.each([
  { name: "what takes a second is answered", ms: 1000, answer: '{"jsonrpc":"2.0","id":1,"result":{}}\n' },
  { name: "what takes a minute is not waited for", ms: 60_000, answer: "" },
])("once the input has ended, $name", async ({ ms, answer }) => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = createWire(input, output, () => output.end());
  wire.onmessage = () => void setTimeout(() => void wire.answer(1, jsonBytesOf({})), ms).unref();
  await wire.start();
  input.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await text(output)).toBe(answer);
});

it("what is in no hurry is told all the same when the input ends, and the wire closes once", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let closed = 0;
  const wire = createWire(input, output, () => {
    closed++;
    output.end();
  });
  await wire.start();
  const notices = ["one", "two", "three"].map((method) => ({ jsonrpc: "2.0" as const, method }));
  for (const notice of notices) wire.sendSoon(notice);
  input.end();
  expect((await text(output)).trimEnd().split("\n")).toEqual(notices.map((notice) => JSON.stringify(notice)));
  expect(closed).toBe(1);
});
