import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { FILES, HISTORY, TRACED } from "./trace-history.mjs";

/** A call may have work left for so long after its answer: directories to close, records to write. */
const AFTER_ANSWER_MS = 100;

/** Returns all entries of functions while the call is done, as the hook recorded them. */
export const recordEntries = (bin, tool) =>
  withServer(bin, tool, async (server, perform) => {
    await askHook(server, "record");
    await perform();
    return askHook(server, "stop");
  });

async function askHook(server, message) {
  server.send(message);
  const [entries] = await once(server, "message");
  return entries;
}

/** Returns how often each system call on files and descriptors is made while the call is done. */
export const countSyscalls = (bin, tool) =>
  withServer(bin, tool, async (server, perform) => {
    const strace = spawn("strace", ["-f", "-c", "-e", "trace=%file,%desc", "-p", String(server.pid)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    const attached = new Promise((resolve, reject) => {
      strace.once("error", reject).once("close", () => reject(new Error(`Cannot count system calls: ${said}`)));
      strace.stderr.on("data", (chunk) => {
        said += String(chunk);
        if (said.includes("attached")) resolve(undefined);
      });
    });
    await attached;
    await perform();
    strace.kill("SIGINT");
    await once(strace, "close");
    return tableOf(said);
  });

/** Waiting for events and getting memory are Node's own business, and vary. */
const NOT_OURS = /^(epoll_|mmap|munmap|futex|poll)/;

function tableOf(summary) {
  const rows = [...summary.matchAll(/^ *[\d.]+ +[\d.]+ +\d+ +(\d+) +(?:\d+ +)?([a-z]\w*)$/gm)];
  const counts = rows.map(([, count, name]) => [name, Number(count)]);
  return Object.fromEntries(counts.filter(([name]) => name !== "total" && !NOT_OURS.test(name)));
}

/** Serves a new scratch workspace, leads up to the traced call of the tool, and returns what `observe` makes of it. */
async function withServer(bin, tool, observe) {
  const home = mkdtempSync(join(tmpdir(), "holdfast-trace-"));
  try {
    const workspace = join(home, "workspace");
    for (const [path, text] of Object.entries(FILES)) writeDeep(join(workspace, path), text);
    return await converse(startServer(bin, home, workspace), tool, observe);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function writeDeep(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** No configuration of this user and no flag of this Node reaches the server: the walk is the same everywhere. */
function startServer(bin, home, workspace) {
  const hook = new URL("trace-hook.mjs", import.meta.url).href;
  return spawn(process.execPath, ["--import", hook, bin, workspace], {
    env: { PATH: process.env["PATH"], HOME: home, HOLDFAST_STATE: join(home, "state") },
    stdio: ["pipe", "pipe", "ignore", "ipc"],
    signal: AbortSignal.timeout(120_000),
  });
}

async function converse(server, tool, observe) {
  const closed = once(server, "close");
  const { request, notify, call } = clientOf(server);
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  notify("notifications/initialized");
  await request("tools/list", {});
  const [traced, ...before] = [...HISTORY, ...callsOf(tool, "first"), ...callsOf(tool, "second")].toReversed();
  for (const each of before.toReversed()) await call(each);
  const observed = await observe(server, async () => {
    await call(traced);
    await sleep(AFTER_ANSWER_MS);
  });
  await askHook(server, "thaw");
  server.stdin.end();
  await closed;
  return observed;
}

const clientInfo = { name: "trace", version: "1" };
const callsOf = (tool, folder) => TRACED[tool].map((callIn) => callIn(folder));

/** A client of one request at a time. */
function clientOf({ stdin, stdout }) {
  const lines = createInterface(stdout)[Symbol.asyncIterator]();
  let id = 0;
  const send = (message) => stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = async (method, params) => {
    send({ id: ++id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`Cannot trace: the server ended before it answered ${method}`);
      const message = JSON.parse(value);
      if (message.id === id) return message;
    }
  };
  const call = async ([name, args]) => {
    const { result } = await request("tools/call", { name, arguments: args });
    if (!result || result.isError || result.structuredContent?.warnings)
      throw new Error(`Cannot trace: ${name} ${JSON.stringify(args)} was answered by ${JSON.stringify(result)}`);
  };
  return { request, call, notify: (method) => send({ method }) };
}
