// A raw MCP client: newline-delimited JSON-RPC over the pipes of a child process.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";

const LINE_FEED = 10;
const PATIENCE_MS = 1000;

/** Starts a server. Each reply carries the time at which its last byte arrived. */
export function startServer({ command, cwd, env }) {
  const startedAt = performance.now();
  const [program, ...rest] = command;
  const child = spawn(program, rest, { cwd, env: { ...process.env, ...env }, stdio: "pipe" });
  const pending = pendingRequests();
  const stderr = lastWordsOf(child.stderr);
  child.stdin.on("error", () => {});
  child.on("error", (error) => pending.failAll(error.message));
  child.on("close", (code, signal) => pending.failAll(`the server ended (${signal ?? code}) ${stderr()}`));
  child.stdout.on("data", lineSplitter(pending.receive));

  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method, params) => {
    const { id, reply } = pending.add();
    const sentAt = performance.now();
    send({ id, method, params });
    return { sentAt, ...(await reply) };
  };
  return {
    pid: child.pid,
    startedAt,
    request,
    notify: (method) => send({ method }),
    isAlive: () => pending.failure() === undefined,
    fail: (reason) => {
      pending.failAll(reason);
      child.kill("SIGKILL");
    },
    stop: () => stopped(child),
  };
}

/** Makes the handshake of a client. Returns the tools that a model would see. */
export async function shakeHands(server) {
  await server.request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  });
  server.notify("notifications/initialized");
  const { message } = await server.request("tools/list", {});
  return message.result.tools;
}

/** Calls a tool. Returns the answer, when the call was sent and when the answer had arrived. */
export async function callTool(server, [name, given]) {
  const { message, sentAt, arrivedAt } = await server.request("tools/call", { name, arguments: given });
  return { sentAt, arrivedAt, ...answerOf(message) };
}

function answerOf({ result, error }) {
  if (error) return { isError: true, texts: [error.message], data: undefined };
  const texts = (result.content ?? []).map(({ text }) => text ?? "");
  return { isError: result.isError === true, texts, data: result.structuredContent };
}

function pendingRequests() {
  const waiting = new Map();
  let lastId = 0;
  let failure;
  return {
    failure: () => failure,
    add() {
      const id = ++lastId;
      const reply = new Promise((resolve, reject) => {
        if (failure === undefined) waiting.set(id, { resolve, reject });
        else reject(new Error(failure));
      });
      return { id, reply };
    },
    /** Resolves the request that a line answers. Ignores other lines: some servers greet on stdout. */
    receive(line, arrivedAt) {
      if (!line.startsWith("{")) return;
      const message = JSON.parse(line);
      if (message.method !== undefined) return;
      waiting.get(message.id)?.resolve({ message, arrivedAt });
      waiting.delete(message.id);
    },
    failAll(reason) {
      failure ??= reason;
      for (const { reject } of waiting.values()) reject(new Error(failure));
      waiting.clear();
    },
  };
}

/** Passes on whole lines. Reads the clock before any parsing, which is not part of a server's latency. */
function lineSplitter(onLine) {
  let parts = [];
  return (chunk) => {
    const now = performance.now();
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const last = chunk.subarray(start, end);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      start = end + 1;
      onLine(line.toString(), now);
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  };
}

function lastWordsOf(stream) {
  let text = "";
  stream.on("data", (chunk) => (text = (text + chunk).slice(-300)));
  return () => text.trim().replaceAll(/\s+/g, " ");
}

/** Closes stdin, as clients should, and kills a server that is still there a second later. */
async function stopped(child) {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = once(child, "close");
  child.stdin.end();
  await Promise.race([gone, sleep(PATIENCE_MS)]);
  child.kill("SIGKILL");
  await gone;
}
