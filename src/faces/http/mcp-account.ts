import type { Server } from "@modelcontextprotocol/server";
import type { Surface } from "../../runtime/pipeline/surface.ts";
import { withBriefWait } from "../mcp/brief-wait.ts";
import { type ServedApp, serveConversation } from "../mcp/served-app.ts";
import { createMcpServer } from "../mcp/server.ts";
import { createSubscriptions, updatesBy } from "../mcp/subscriptions.ts";
import type { Account } from "./accounts.ts";
import type { CallMetrics } from "./call-metrics.ts";
import { createMcpEras, type McpEras } from "./mcp-eras.ts";
import type { ClientApp } from "./mcp-sessions.ts";

/** Shares nothing with other accounts: neither sessions nor notifications. */
export function createAccountMcp({ app, options }: Account, metrics: CallMetrics, warn: Warn): McpEras {
  const shared = withBriefWait(app.surface);
  const begin = (): ClientApp => {
    const { id, surface, end } = app.another();
    const served = serveConversation(app, clientSurface(surface, shared, metrics), options);
    return {
      createSessionServer: () => sessionServer(served, warn),
      createRequestServer: () => createMcpServer(served, warn),
      setAway: (isAway) => app.approvals.setAway(id, isAway),
      end() {
        const ends = Promise.all([served.close(), end()]);
        void ends.catch((error: unknown) => warn(`Cannot end a session cleanly: ${String(error)}`));
      },
    };
  };
  const mcp = createMcpEras(begin, app.surface.files);
  shared.onToolsChanged?.(mcp.announceTools);
  return mcp;
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

/** Notifies the client of a session of the resources that it subscribed to. */
function sessionServer(served: ServedApp, warn: Warn): Server {
  const { files } = served.surface;
  const subscriptions =
    files &&
    createSubscriptions(
      files,
      updatesBy(() => server),
    );
  const server: Server = createMcpServer(served, warn, subscriptions);
  return server;
}
