// Measures many clients at once: our HTTP server, our server on standard input and output, and a peer over HTTP.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdfastOverHttp, holdfastOverStdio, referenceOverHttp } from "./http-servers.mjs";
import { megabytes } from "./memory.mjs";
import { installPeers } from "./peers.mjs";

const FILES = 200;

/** Runs mixed calls of many clients for a while on our HTTP server, and on others unless `isAlone`. Returns a text. */
export async function httpReport({ clients, seconds, isAlone = false }, say = () => {}) {
  const peers = isAlone ? [] : installPeers(REFERENCE, say);
  const contestants = [
    holdfastOverHttp,
    ...(isAlone ? [] : [holdfastOverStdio]),
    ...(peers.length === REFERENCE.length ? [referenceOverHttp(peers)] : []),
  ];
  const lines = [];
  for (const contestant of contestants) lines.push(await measure(contestant, clients, seconds));
  return [
    `${clients} clients for ${seconds} s each, on the same processors as the server. Of ten calls, six read, and the others`,
    "search, ask about a file, list and write. Where a server cannot search, it reads instead.",
    ...lines,
  ].join("\n");
}

/** Lists the server that most people use, and the program that brings servers of standard input to HTTP. */
const REFERENCE = [
  { id: "reference", package: "@modelcontextprotocol/server-filesystem", version: "2026.8.31", entry: "dist/index.js" },
  { id: "mcp-proxy", package: "mcp-proxy", version: "6.7.19", entry: "dist/bin/mcp-proxy.mjs" },
].map((peer) => ({ ...peer, flags: [] }));

async function measure({ id, open }, clients, seconds) {
  const home = mkdtempSync(join(tmpdir(), "bench-http-"));
  const root = join(home, "root");
  mkdirSync(root);
  for (let nth = 0; nth < FILES; nth++) writeFileSync(join(root, `${nth}.txt`), `line ${nth}\n`.repeat(200));
  const server = await open(root, join(home, "state"));
  const memory = sampledMemory(server.pids, seconds);
  try {
    const connected = await Promise.all(Array.from({ length: clients }, (_, nth) => server.connect(nth)));
    const startedMs = Date.now();
    const untilMs = startedMs + seconds * 1000;
    const results = await Promise.all(connected.map((client, nth) => use(client, root, nth, untilMs)));
    return lineOf(id, results, (Date.now() - startedMs) / 1000, memory());
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Calls until the time is up, one call after the other. */
async function use(client, root, nth, untilMs) {
  const ms = [];
  let errors = 0;
  for (let turn = 0; Date.now() < untilMs; turn++) {
    const startedMs = performance.now();
    const isError = await client.call(operationOf(root, nth, turn)).catch(() => true);
    ms.push(performance.now() - startedMs);
    if (isError) errors++;
  }
  client.close();
  return { ms, errors };
}

const TURNS = /** @type {const} */ (["read", "read", "read", "read", "read", "read", "grep", "stat", "list", "write"]);

function operationOf(root, nth, turn) {
  const path = join(root, `${(nth * 7 + turn) % FILES}.txt`);
  const operation = TURNS[(nth + turn) % TURNS.length] ?? "read";
  if (operation === "write") return { operation, path: join(root, `new-${nth}-${turn}.txt`), content: "new\n" };
  if (operation === "list") return { operation, path: root };
  return { operation, path, pattern: `line ${turn % FILES}$` };
}

/** Measures the memory of a server after a third of the time. Returns how to measure it at the end, and its peak. */
function sampledMemory(pids, seconds) {
  const sum = (field) => pids.reduce((total, pid) => total + megabytes(pid, field), 0);
  let early = Number.NaN;
  const timer = setTimeout(() => (early = sum("VmRSS")), (seconds * 1000) / 3);
  return () => {
    clearTimeout(timer);
    return { early, late: sum("VmRSS"), peak: sum("VmHWM") };
  };
}

function lineOf(id, results, seconds, { early, late, peak }) {
  const ms = results.flatMap((result) => result.ms).toSorted((one, other) => one - other);
  const errors = results.reduce((sum, result) => sum + result.errors, 0);
  const at = (part) => `${(ms[Math.floor(ms.length * part)] ?? 0).toFixed(1)} ms`;
  return [
    `${id}:`,
    `  ${ms.length} calls, ${errors} errors, ${(ms.length / seconds).toFixed(0)} calls per second`,
    `  p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(0.999999)}`,
    `  memory ${early.toFixed(0)} MB after a third of the time, ${late.toFixed(0)} MB at the end, peak ${peak.toFixed(0)} MB`,
  ].join("\n");
}
