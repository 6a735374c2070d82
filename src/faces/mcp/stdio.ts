import { constants } from "node:os";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Fault } from "../../base/errors.ts";
import { RPC } from "../json-rpc.ts";
import type { ServedApp } from "./served-app.ts";
import { serveFastPath } from "./fast-path.ts";
import { createWire } from "./wire.ts";

/**
 * Serves MCP on stdin and stdout until the client closes them or a signal arrives. A second signal ends the process at
 * once. Resolves to the exit code: 1 when it had to give up.
 */
export function serveMcp(servedApp: ServedApp, warn: (message: string) => void): Promise<number> {
  return new Promise((resolve) => {
    let code = 0;
    const wire = createWire(process.stdin, process.stdout, () => resolve(code));
    const abort = (request: JSONRPCMessage, { message }: Fault): void => {
      warn(message);
      code = 1;
      const id = "id" in request ? request.id : undefined;
      // "Invalid request" is the code that fits: this client cannot use this server.
      if (id !== undefined) void wire.send({ jsonrpc: "2.0", id, error: { code: RPC.request, message } });
      void wire.close();
    };
    // Closing the wire first flushes pending notifications and audit records.
    for (const signal of SIGNALS)
      process.once(signal, () => {
        code = 128 + constants.signals[signal];
        void wire.close();
      });
    serveFastPath(wire, servedApp, { warn, abort });
    void wire.start();
  });
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
