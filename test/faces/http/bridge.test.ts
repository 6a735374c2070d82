import { PassThrough } from "node:stream";
import { createInterface } from "node:readline";
import { expect, it, onTestFinished } from "vitest";
import { bridge } from "../../../src/faces/http/bridge.ts";
import { listen } from "../../../src/faces/http/listener.ts";
import { createWire } from "../../../src/faces/mcp/wire.ts";
import { scratch } from "../../runtime/scratch.ts";
import { INITIALIZE, served } from "./served.ts";

/** A client on a pipe, bridged to a server. */
function bridged(port: number, token: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const wire = createWire(input, output, () => {});
  const { close } = bridge(wire, { url: new URL(`http://127.0.0.1:${port}/mcp`), token });
  void wire.start();
  onTestFinished(() => wire.close());
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    send: (message: object) => void input.write(`${JSON.stringify(message)}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? "null") as { id: number; error?: { message: string } },
    close,
  };
}

const read = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "read", arguments: { path: "a.txt" } },
});

it("opens the session again when the server was started anew, and says when it cannot be reached", async () => {
  const root = scratch({ "a.txt": "one\n" });
  const first = await served(root);
  const before = await listen(first.fetch, { host: "127.0.0.1", port: 0 });
  const client = bridged(before.port, first.token);
  client.send(INITIALIZE);
  expect(await client.next()).toMatchObject({ id: 1, result: { serverInfo: { name: "holdfast" } } });
  client.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  client.send(read(2));
  expect(JSON.stringify(await client.next())).toContain("one");
  await first.server.close();
  await before.close();
  client.send(read(3));
  expect((await client.next()).error?.message).toMatch(/^Cannot reach the server: /);
  const second = await served(root);
  const after = await listen(second.fetch, { host: "127.0.0.1", port: before.port });
  onTestFinished(() => after.close());
  client.send(read(4));
  expect(JSON.stringify(await client.next())).toContain("one");
  await client.close();
});

it("says why the server refuses", async () => {
  const { fetch } = await served(scratch());
  const listener = await listen(fetch, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listener.close());
  const client = bridged(listener.port, "holdfast_wrong");
  client.send(INITIALIZE);
  expect((await client.next()).error?.message).toContain("without a valid token");
});
