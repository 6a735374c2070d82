import { isLegacyRequest } from "@modelcontextprotocol/server";
import { LIMITS } from "../../base/limits.ts";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { withBriefWait } from "../mcp/brief-wait.ts";
import { serveConversation } from "../mcp/served-app.ts";
import type { Account } from "./accounts.ts";
import { createMcpSessions, type ClientApp } from "./mcp-sessions.ts";
import { createSessionless } from "./mcp-sessionless.ts";
import type { CallMetrics } from "./call-metrics.ts";

/** Serves MCP of both eras to the clients of one account. */
export interface AccountMcp {
  serve(request: Request, parsedBody: unknown, owner: string): Promise<Response>;
  sessions(): number;
  close(): Promise<void>;
}

/** Shares nothing with other accounts: neither sessions nor notifications. */
export function createAccountMcp({ app, options }: Account, metrics: CallMetrics, warn: Warn): AccountMcp {
  const shared = withBriefWait(app.surface);
  const begin = (): ClientApp => {
    const { surface, end } = app.another();
    const served = serveConversation(app, clientSurface(surface, shared, metrics), options);
    return {
      served,
      end() {
        void served.close();
        void end();
      },
    };
  };
  const sessions = createMcpSessions(begin, warn);
  const sessionless = createSessionless(begin, app.surface.files, warn);
  shared.onToolsChanged?.(() => {
    sessions.announceTools();
    sessionless.announceTools();
  });
  return {
    async serve(request, parsedBody, owner) {
      const isLegacy = await isLegacyRequest(request, parsedBody, { maxRequestBodySize: LIMITS.messageBytes });
      return (isLegacy ? sessions : sessionless).serve(request, parsedBody, owner);
    },
    sessions: sessions.count,
    async close() {
      await sessions.close();
      await sessionless.close();
    },
  };
}

type Warn = (message: string) => void;

/** Waits for tools of plugins together with all clients of the account, and counts calls. */
const clientSurface = (own: Surface, shared: Surface, metrics: CallMetrics): Surface => ({
  ...own,
  get tools() {
    return own.tools;
  },
  ...(shared.ready && { ready: shared.ready }),
  call: metrics.measured(own.call),
});
