import type { App } from "../../app.ts";
import { serveShortCut } from "./short-cut.ts";
import { createWire } from "./wire.ts";

/** Serves MCP on stdin and stdout until the client closes them. */
export function serveMcp({ surface }: App, warn: (message: string) => void): Promise<void> {
  return new Promise((resolve) => {
    const wire = createWire(process.stdin, process.stdout, resolve);
    serveShortCut(wire, surface, warn);
    void wire.start();
  });
}
