import { Server } from "@modelcontextprotocol/server";
import { PRODUCT } from "../../base/product.ts";
import { call } from "../../runtime/call.ts";
import type { Session } from "../../runtime/session.ts";
import { toCallToolResult, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import { serveResources } from "./resources.ts";

const INSTRUCTIONS =
  "Paths are absolute, or relative to the roots; the session tool names them. A cut answer says how to go on.";

/** MCP in front of one session, for both protocol eras. Translates; decides nothing. */
export function createMcpServer(session: Session): Server {
  const server = new Server(
    { name: PRODUCT.name, title: PRODUCT.title, version: PRODUCT.version },
    { capabilities: { tools: {}, resources: {}, completions: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", () => ({ tools: session.toolset.listed.map(toListedTool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    toCallToolResult(await call(session, requestOf(params.name, params.arguments, context.mcpReq))),
  );
  serveResources(server, session);
  return server;
}
