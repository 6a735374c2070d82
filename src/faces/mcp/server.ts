import { Server, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { call } from "../../runtime/call.ts";
import type { Session } from "../../runtime/session.ts";
import { ABOUT } from "./about.ts";
import { toCallToolResult, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import { serveResources } from "./resources.ts";

/** MCP in front of one session, for both protocol eras. Translates; decides nothing. */
function createMcpServer(session: Session): Server {
  const { serverInfo, ...about } = ABOUT;
  const server = new Server(serverInfo, about);
  server.setRequestHandler("tools/list", () => ({ tools: session.toolset.listed.map(toListedTool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    toCallToolResult(await call(session, requestOf(params.name, params.arguments, context.mcpReq))),
  );
  serveResources(server, session);
  return server;
}

/** The SDK on a transport, until that closes. */
export function serveSdk(session: Session, transport: Transport, warn: (message: string) => void): void {
  serveStdio(() => createMcpServer(session), { transport, onerror: (error) => warn(error.message) });
}
