import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import type { ServedApp } from "./served-app.ts";
import type { ServedSdk } from "./server.ts";

/** Loads the SDK for the first message that the fast path cannot answer. */
export interface LazySdk {
  /** Keeps a message that was answered already, so that the SDK has the same state. The SDK's own answer is dropped. */
  recordAnswered(message: JSONRPCMessage): void;
  /** Passes a message to the SDK, which answers it. */
  forward(message: JSONRPCMessage): void;
  /** Tells the client that the list of tools changed. Does nothing before the SDK is loaded: nothing was listed yet. */
  notifyToolsChanged(): void;
  close(): void;
}

export function createLazySdk(wire: Transport, servedApp: ServedApp, warn: (message: string) => void): LazySdk {
  const answered = new Set<unknown>();
  const waiting: JSONRPCMessage[] = [];
  let state: "absent" | "loading" | "here" = "absent";
  let served: ServedSdk | undefined;
  const transport: Transport = {
    start: async () => {},
    close: () => wire.close(),
    async send(message, options) {
      const isDropped = !("method" in message) && answered.delete(message.id);
      if (!isDropped) await wire.send(message, options);
    },
  };
  async function load(): Promise<void> {
    state = "loading";
    const { serveSdk } = await import("./server.ts");
    served = serveSdk(servedApp, transport, warn);
    state = "here";
    for (const message of waiting.splice(0)) transport.onmessage?.(message);
  }
  const pass = (message: JSONRPCMessage): void => {
    if (state === "here") transport.onmessage?.(message);
    else waiting.push(message);
  };
  return {
    recordAnswered(message) {
      if ("method" in message && "id" in message) answered.add(message.id);
      pass(message);
    },
    forward(message) {
      pass(message);
      if (state === "absent") load().catch((error: unknown) => warn(`Cannot load the protocol: ${String(error)}`));
    },
    notifyToolsChanged: () => served?.notifyToolsChanged(),
    close: () => transport.onclose?.(),
  };
}
