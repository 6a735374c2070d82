import { CLIENT_CAPABILITIES_META_KEY, Server, type ServerContext, type Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { PRODUCT } from "../../base/product.ts";
import type { JobEndSink } from "../../runtime/sessions/job-ends.ts";
import { aboutOf } from "./about.ts";
import { supportsViews } from "./apps.ts";
import { createServe } from "./client-roots.ts";
import type { ServedApp } from "./served-app.ts";
import { toCallToolResult, toListedTool } from "./render.ts";
import { servePrompts } from "./prompts.ts";
import { requestOf } from "./request.ts";
import { serveResources } from "./resources.ts";
import { clientNameOf, createStateCodec, questionsOf } from "./sdk-questions.ts";
import { createSubscriptions, serveSubscriptions, type Subscriptions, updatesBy } from "./subscriptions.ts";

/** Translates between MCP, of both protocol eras, and one surface. Decides nothing itself. */
export function createMcpServer(
  servedApp: ServedApp,
  warn: (message: string) => void,
  subscriptions?: Subscriptions,
): Server {
  const { surface } = servedApp;
  const { serverInfo, ...about } = aboutOf(surface);
  const server = new Server(serverInfo, { ...about, requestState: { verify: STATES.verify } });
  server.setRequestHandler("tools/list", async (_, context) => {
    await surface.ready?.();
    const showsViews = surface.files !== undefined && supportsViews(capabilitiesOf(server, context));
    return { tools: surface.tools.map((tool) => toListedTool(tool, showsViews)) };
  });
  const serve = createServe(server, servedApp, warn);
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const served = await serve(context);
    if ("question" in served) return served.question;
    const { channel, question } = questionsOf(server, context, STATES);
    const client = { name: clientNameOf(server, context), channel };
    const request = requestOf(params.name, params.arguments, context.mcpReq, client);
    const reply = await served.surface.call({ ...request, jobEnd: jobEndLogOf(context.mcpReq) });
    return (reply.code === "pending" ? await question() : undefined) ?? toCallToolResult(reply);
  });
  if (surface.files) serveResources(server, surface.files);
  servePrompts(server, surface);
  if (subscriptions) serveSubscriptions(server, subscriptions);
  return server;
}

/** Returns what a client can do: by its handshake, or since the 2026 revision by each request. */
const capabilitiesOf = (server: Server, { mcpReq: { envelope } }: ServerContext): unknown =>
  envelope === undefined
    ? server.getClientCapabilities()
    : (envelope as Readonly<Record<string, unknown>>)[CLIENT_CAPABILITIES_META_KEY];

/** Logs ends of commands with the answer that tells them, since the 2026 revision; before, they are logged at once. */
const jobEndLogOf = ({ envelope, log }: ServerContext["mcpReq"]): JobEndSink | undefined =>
  envelope === undefined ? undefined : (end) => void log("info", end, PRODUCT.name);

/** Lives as long as the process: the SDK may create a server for each request, and signed states must outlive it. */
const STATES = createStateCodec();

export interface ServedSdk {
  /** Tells the client that the list of tools changed, if it subscribed to that. */
  notifyToolsChanged(): void;
}

/** Serves the SDK on a transport until that closes. */
export function serveSdk(servedApp: ServedApp, transport: Transport, warn: (message: string) => void): ServedSdk {
  const { files } = servedApp.surface;
  let server: Server | undefined;
  const subscriptions =
    files &&
    createSubscriptions(
      files,
      updatesBy(() => server),
    );
  const createServer = (): Server => (server = createMcpServer(servedApp, warn, subscriptions));
  serveStdio(createServer, { transport, onerror: (error) => warn(error.message) });
  const deliver = transport.onmessage;
  transport.onmessage = (message) => {
    const mayPass = subscriptions?.mayPass(message) ?? true;
    if (mayPass === true) deliver?.(message);
    else if (mayPass) void mayPass.then((passes) => passes && deliver?.(message));
  };
  // Sending fails once the client has disconnected, which is fine.
  return { notifyToolsChanged: () => void server?.sendToolListChanged().catch(() => {}) };
}
