import { isLegacyRequest } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Files } from "../../runtime/pipeline/surface.ts";
import { type ClientApp, createMcpSessions } from "./mcp-sessions.ts";
import { createSessionless } from "./mcp-sessionless.ts";

/** Serves MCP of both eras to the clients of one account. */
export interface McpEras {
  serve(request: Request, parsedBody: unknown, owner: string): Promise<Response>;
  announceTools(): void;
  /** Counts the sessions that are open. */
  sessions(): number;
  close(): Promise<void>;
}

/** `begin` is called for each client. `files` are what clients of 2026 can watch. */
export function createMcpEras(begin: () => ClientApp, files: Files | undefined): McpEras {
  const sessions = createMcpSessions(begin);
  const sessionless = createSessionless(begin, files);
  return {
    async serve(request, parsedBody, owner) {
      const isLegacy = await isLegacyRequest(request, parsedBody, { maxRequestBodySize: LIMITS.messageBytes });
      return (isLegacy ? sessions : sessionless).serve(request, parsedBody, owner);
    },
    announceTools() {
      sessions.announceTools();
      sessionless.announceTools();
    },
    sessions: sessions.count,
    async close() {
      await sessions.close();
      await sessionless.close();
    },
  };
}
