import { Server, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Surface } from "../../runtime/surface.ts";
import { aboutOf } from "./about.ts";
import { toCallToolResult, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import { serveResources } from "./resources.ts";

/** MCP in front of one surface, for both protocol eras. Translates; decides nothing. */
function createMcpServer(surface: Surface): Server {
  const { serverInfo, ...about } = aboutOf(surface);
  const server = new Server(serverInfo, about);
  server.setRequestHandler("tools/list", () => ({ tools: surface.tools.map(toListedTool) }));
  server.setRequestHandler("tools/call", async ({ params }, context) =>
    toCallToolResult(await surface.call(requestOf(params.name, params.arguments, context.mcpReq))),
  );
  if (surface.files) serveResources(server, surface.files);
  return server;
}

/** The SDK on a transport, until that closes. */
export function serveSdk(surface: Surface, transport: Transport, warn: (message: string) => void): void {
  serveStdio(() => createMcpServer(surface), { transport, onerror: (error) => warn(error.message) });
}
