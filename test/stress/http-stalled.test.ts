import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { listen } from "../../src/faces/http/listener.ts";

const PIECE = new Uint8Array(64 * 1024);

it("cuts off a client that stops reading, and holds little of the answer for it", async () => {
  let sent = 0;
  let isCancelled: ((value: true) => void) | undefined;
  const cancelled = new Promise<true>((resolve) => (isCancelled = resolve));
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += PIECE.length;
      controller.enqueue(PIECE);
    },
    cancel: () => isCancelled?.(true),
  });
  const listener = await listen(async () => new Response(endless), { host: "127.0.0.1", port: 0 });
  onTestFinished(() => listener.close());
  const socket = connect(listener.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  socket.pause();
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const startedMs = Date.now();
  expect(await cancelled).toBe(true);
  expect(Date.now() - startedMs).toBeGreaterThanOrEqual(LIMITS.httpStalledMs - 1000);
  expect(sent).toBeLessThan(64 * 1024 * 1024);
});
