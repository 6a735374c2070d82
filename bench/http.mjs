// Measures the HTTP server under many clients: half of them with sessions of 2025, half with single requests of 2026.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs mixed calls of many clients for a while. Returns what to print. */
export async function httpReport({ clients, seconds }) {
  const home = mkdtempSync(join(tmpdir(), "bench-http-"));
  const root = join(home, "root");
  mkdirSync(root);
  for (let nth = 0; nth < FILES; nth++) writeFileSync(join(root, `${nth}.txt`), `line ${nth}\n`.repeat(200));
  const server = await startServer(root, join(home, "state"));
  try {
    const untilMs = Date.now() + seconds * 1000;
    const startedMs = Date.now();
    const results = await Promise.all(Array.from({ length: clients }, (_, nth) => useServer(server, nth, untilMs)));
    return tableOf(results, { clients, seconds: (Date.now() - startedMs) / 1000, rssMb: peakMb(server.child.pid) });
  } finally {
    server.child.kill("SIGTERM");
    await once(server.child, "exit");
    rmSync(home, { recursive: true, force: true });
  }
}

const FILES = 200;

async function startServer(root, state) {
  const words = ["dist/holdfast.cjs", "up", root, "--port", "0", "--json", "--loop-detection", "off", "--state", state];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "ignore"] });
  const [line] = await once(child.stdout, "data");
  const { url, token } = JSON.parse(String(line));
  return { child, url, token };
}

/** Calls until the time is up, one call after the other, each client on a connection of its own. */
async function useServer({ url, token }, nth, untilMs) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const client = { url, agent, headers: { ...HEADERS, authorization: `Bearer ${token}` }, isModern: nth % 2 === 1 };
  const ms = [];
  let errors = 0;
  if (!client.isModern) await openSession(client);
  for (let id = 2; Date.now() < untilMs; id++) {
    const startedMs = performance.now();
    const { status, text } = await post(client, callOf(nth, id, client.isModern));
    ms.push(performance.now() - startedMs);
    if (status !== 200 || !text.includes('"content"') || text.includes('"isError":true')) errors++;
  }
  agent.destroy();
  return { ms, errors };
}

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

async function openSession(client) {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } };
  const { headers } = await post(client, { jsonrpc: "2.0", id: 1, method: "initialize", params });
  client.headers["mcp-session-id"] = headers["mcp-session-id"];
}

const TURNS = /** @type {const} */ (["read", "read", "read", "read", "read", "read", "grep", "grep", "ls", "write"]);

/** Of ten calls, six read, two search, one lists, and one writes. */
function callOf(nth, id, isModern) {
  const path = `${(nth * 7 + id) % FILES}.txt`;
  const calls = {
    read: { path },
    grep: { pattern: `line ${id % FILES}$`, path },
    ls: { path: "." },
    write: { path: `new-${nth}-${id}.txt`, content: "new\n" },
  };
  const name = TURNS[(nth + id) % TURNS.length] ?? "read";
  const params = { name, arguments: calls[name], ...(isModern && { _meta: metaOf(nth) }) };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

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
    "mcp-name": message.params.name,
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

/** Returns the highest resident memory of a process; undefined where the system does not tell. */
function peakMb(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

function tableOf(results, { clients, seconds, rssMb }) {
  const ms = results.flatMap((result) => result.ms).toSorted((one, other) => one - other);
  const errors = results.reduce((sum, result) => sum + result.errors, 0);
  const at = (part) => `${(ms[Math.floor(ms.length * part)] ?? 0).toFixed(1)} ms`;
  return [
    `${clients} clients over HTTP for ${seconds.toFixed(0)} s, the clients on the same processors:`,
    `  ${ms.length} calls, ${errors} errors, ${(ms.length / seconds).toFixed(0)} calls per second`,
    `  p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.999999)}; peak memory ${rssMb?.toFixed(0) ?? "unknown"} MB`,
  ].join("\n");
}
