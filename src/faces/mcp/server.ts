import { Server, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { aboutOf } from "./about.ts";
import { createServe } from "./client-roots.ts";
import type { ServedApp } from "./served-app.ts";
import { toCallToolResult, toListedTool } from "./render.ts";
import { requestOf } from "./request.ts";
import { serveResources } from "./resources.ts";
import { createStateCodec, questionsOf } from "./sdk-questions.ts";
import { createSubscriptions, serveSubscriptions, type Subscriptions } from "./subscriptions.ts";

/** MCP in front of one surface, for both protocol eras. Translates; decides nothing. */
function createMcpServer(servedApp: ServedApp, warn: (message: string) => void, subscriptions?: Subscriptions): Server {
  const { surface } = servedApp;
  const { serverInfo, ...about } = aboutOf(surface);
  const server = new Server(serverInfo, { ...about, requestState: { verify: STATES.verify } });
  server.setRequestHandler("tools/list", async () => {
    await surface.ready?.();
    return { tools: surface.tools.map(toListedTool) };
  });
  const serve = createServe(server, servedApp, warn);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const served = await serve(context);
    if ("question" in served) return served.question;
    const { channel, question } = questionsOf(server, context, STATES);
    const reply = await served.surface.call(requestOf(params.name, params.arguments, context.mcpReq, channel));
    return (reply.code === "pending" ? await question() : undefined) ?? toCallToolResult(reply);
  });
  if (surface.files) serveResources(server, surface.files);
  if (subscriptions) serveSubscriptions(server, subscriptions);
  return server;
}

/** A server may be made anew for every request: what it hands out must outlive it. */
const STATES = createStateCodec();

export interface ServedSdk {
  /** Other tools are listed now: a client that wants to hear of it does. */
  notifyToolsChanged(): void;
}

/** The SDK on a transport, until that closes. */
export function serveSdk(servedApp: ServedApp, transport: Transport, warn: (message: string) => void): ServedSdk {
  const { files } = servedApp.surface;
  let server: Server | undefined;
  const subscriptions = files && createSubscriptions(files, () => server);
  const serving = (): Server => (server = createMcpServer(servedApp, warn, subscriptions));
  serveStdio(serving, { transport, onerror: (error) => warn(error.message) });
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    const admitted = subscriptions?.mayPass(message) ?? true;
    if (admitted === true) deliver?.(message);
    else if (admitted) void admitted.then((isWanted) => isWanted && deliver?.(message));
  };
  // A client that is gone is told nothing.
  return { notifyToolsChanged: () => void server?.sendToolListChanged().catch(() => {}) };
}
