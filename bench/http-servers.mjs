// Starts the servers that many clients use at once. Half of the clients over HTTP have sessions of 2025, half send
// single requests of 2026.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { callTool, shakeHands, startServer } from "./client.mjs";
import { ourServers, peerServers } from "./servers.mjs";

/** The server of `holdfast up`. */
export const holdfastOverHttp = {
  id: "holdfast over HTTP",
  async open(root, state) {
    const { operations } = productIn(root, state);
    const words = ["dist/holdfast.cjs", "up", root, "--port", "0", "--json", "--loop-detection", "off"];
    const child = spawn(process.execPath, [...words, "--state", state], { stdio: ["ignore", "pipe", "ignore"] });
    const [line] = await once(child.stdout, "data");
    const { url, token } = JSON.parse(String(line));
    return served(child, [child.pid], { url, headers: { authorization: `Bearer ${token}` }, operations });
  },
};

/** One server with one pipe, as each client starts it for itself. All clients of the measurement share it. */
export const holdfastOverStdio = {
  id: "holdfast over stdio, one pipe for all",
  async open(root, state) {
    const { operations, ...definition } = productIn(root, state);
    const server = startServer(definition);
    await shakeHands(server);
    const call = async (asked) => (await callTool(server, toolCallOf(operations, asked))).isError;
    return { pids: [server.pid], stop: server.stop, connect: async () => ({ call, close: () => {} }) };
  },
};

/** The reference server, which has no HTTP of its own, behind the proxy that its users put in front of it. */
export const referenceOverHttp = ([{ command: reference }, { command: proxy }]) => ({
  id: "reference server over HTTP (mcp-proxy)",
  async open(root) {
    const { operations } = /** @type {any} */ (peerServers(root)[0]);
    const port = await freePort();
    const words = ["--port", String(port), "--host", "127.0.0.1", "--server", "stream", "--", ...reference, root];
    const child = spawn(proxy[0], [...proxy.slice(1), ...words], { stdio: "ignore" });
    await reachable(port);
    return served(child, [child.pid, ...childrenOf(child.pid)], {
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
      operations,
    });
  },
});

const productIn = (root, state) => /** @type {any} */ (ourServers(root, state)[1]);

const served = (child, pids, target) => ({
  pids,
  connect: (nth) => connectOver(target, nth),
  async stop() {
    child.kill("SIGTERM");
    if (child.exitCode === null) await once(child, "exit");
  },
});

/** Translates an operation. A server that cannot search makes a model read. */
const toolCallOf = (operations, { operation, ...asked }) => (operations[operation] ?? operations.read)(asked);

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}

/** Returns the processes that a process has started; none where the system does not tell. */
function childrenOf(pid) {
  const file = `/proc/${pid}/task/${pid}/children`;
  return existsSync(file) ? readFileSync(file, "latin1").trim().split(" ").map(Number) : [];
}

const PATIENCE_MS = 20_000;

async function reachable(port) {
  for (const deadline = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (Date.now() > deadline) throw new Error("the peer does not listen");
  }
}

/** Opens a connection of its own for a client. */
async function connectOver({ url, headers, operations }, nth) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = { url, agent, headers: { ...HEADERS, ...headers }, isModern: nth % 2 === 1 };
  let id = 1;
  await (client.isModern ? discover(client, nth) : openSession(client));
  return {
    async call(asked) {
      const [name, input] = toolCallOf(operations, asked);
      const params = { name, arguments: input, ...(client.isModern && { _meta: metaOf(nth) }) };
      const { status, text } = await post(client, { jsonrpc: "2.0", id: ++id, method: "tools/call", params });
      return status !== 200 || !text.includes('"content"') || text.includes('"isError":true');
    },
    close: () => agent.destroy(),
  };
}

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function openSession(client) {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const { headers } = await post(client, { jsonrpc: "2.0", id: 1, method: "initialize", params });
  client.headers["mcp-session-id"] = headers["mcp-session-id"];
  await post(client, { jsonrpc: "2.0", method: "notifications/initialized" });
}

/** Opens the connection. A busy server accepts few at a time, which would be counted as the time of the first call. */
const discover = (client, nth) =>
  post(client, { jsonrpc: "2.0", id: 1, method: "server/discover", params: { _meta: metaOf(nth) } });

const VERSION = "2026-07-28";

const metaOf = (nth) => ({
  "io.modelcontextprotocol/protocolVersion": VERSION,
  "io.modelcontextprotocol/clientInfo": { name: `bench-${nth}`, version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
});

function post({ url, agent, headers, isModern }, message) {
  const about = isModern && {
    "mcp-protocol-version": VERSION,
    "mcp-method": message.method,
    ...(message.params.name && { "mcp-name": message.params.name }),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent, headers: { ...headers, ...about } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (more) => (text += more));
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify(message));
  });
}
