import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { App } from "../../app.ts";
import { createShortCut } from "./short-cut.ts";
import { createMcpServer } from "./server.ts";
import { createWire } from "./wire.ts";

/** Serves MCP on stdin and stdout until the client closes them. */
export function serveMcp({ session }: App, warn: (message: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const wire = createWire(process.stdin, process.stdout, resolve);
    const transport = createShortCut(wire, session);
    serveStdio(() => createMcpServer(session), { transport, onerror: (error) => warn(error.message) });
  });
}
