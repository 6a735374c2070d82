// Measures many clients at once: our HTTP server, our server on standard input and output, and a peer over HTTP.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { holdfastOverHttp, holdfastOverStdio, referenceOverHttp } from "./http-servers.mjs";
import { megabytes } from "./memory.mjs";
import { installPeers } from "./peers.mjs";

const FILES = 200;

/** Runs mixed calls of many clients for a while on our HTTP server, and on others unless `isAlone`. */
export async function measureHttp({ clients, seconds, isAlone = false }, say = () => {}) {
  const peers = isAlone ? [] : installPeers(REFERENCE, say);
  const contestants = [
    holdfastOverHttp,
    ...(isAlone ? [] : [holdfastOverStdio]),
    ...(peers.length === REFERENCE.length ? [referenceOverHttp(peers)] : []),
  ];
  const figures = [];
  for (const contestant of contestants) figures.push(await measure(contestant, clients, seconds));
  return figures;
}

/** Formats what was measured. */
export const httpReport = (figures, { clients, seconds }) =>
  [
    `${clients} clients for ${seconds} s each, on the same processors as the server. Of ten calls, six read, and the others`,
    "search, ask about a file, list and write. Where a server cannot search, it reads instead.",
    ...figures.flatMap(linesOf),
  ].join("\n");

/** Lists the server that most people use, and the program that brings servers of standard input to HTTP. */
const REFERENCE = [
  { id: "reference", package: "@modelcontextprotocol/server-filesystem", version: "2026.8.31", entry: "dist/index.js" },
  { id: "mcp-proxy", package: "mcp-proxy", version: "6.7.19", entry: "dist/bin/mcp-proxy.mjs" },
].map((peer) => ({ ...peer, flags: [] }));

async function measure({ id, open }, clients, seconds) {
  const home = mkdtempSync(join(tmpdir(), "bench-http-"));
  const root = plantedIn(home);
  const server = await open(root, join(home, "state"));
  try {
    const connected = await Promise.all(Array.from({ length: clients }, (_, nth) => server.connect(nth)));
    const memory = sampledMemory(server.pids, seconds);
    const cpuBefore = cpuMsOf(server.pids);
    const startedMs = Date.now();
    const untilMs = startedMs + seconds * 1000;
    const results = await Promise.all(connected.map((client, nth) => use(client, root, nth, untilMs)));
    const tookSeconds = (Date.now() - startedMs) / 1000;
    return { id, ...figuresOf(results), tookSeconds, cpuMs: cpuMsOf(server.pids) - cpuBefore, memory: memory() };
  } finally {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes files to read, and a folder to write to: a listing must not grow with what was written. */
function plantedIn(home) {
  const root = join(home, "root");
  for (const folder of [filesIn(root), writtenIn(root)]) mkdirSync(folder, { recursive: true });
  for (let nth = 0; nth < FILES; nth++) writeFileSync(join(filesIn(root), `${nth}.txt`), `line ${nth}\n`.repeat(200));
  return root;
}

const filesIn = (root) => join(root, "files");
const writtenIn = (root) => join(root, "written");

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
  const path = join(filesIn(root), `${(nth * 7 + turn) % FILES}.txt`);
  const operation = TURNS[(nth + turn) % TURNS.length] ?? "read";
  if (operation === "write") return { operation, path: join(writtenIn(root), `${nth}-${turn}.txt`), content: "new\n" };
  if (operation === "list") return { operation, path: filesIn(root) };
  return { operation, path, pattern: `line ${turn % FILES}$` };
}

/** Measures the memory of a server now and after each third of the time. Returns what was measured, and the peak. */
function sampledMemory(pids, seconds) {
  const sum = (field) => pids.reduce((total, pid) => total + megabytes(pid, field), 0);
  const samples = [{ second: 0, megabytes: sum("VmRSS") }];
  const timers = [1, 2].map((third) => {
    const second = Math.round((seconds * third) / 3);
    return setTimeout(() => samples.push({ second, megabytes: sum("VmRSS") }), second * 1000);
  });
  return () => {
    timers.forEach(clearTimeout);
    return { samples: [...samples, { second: seconds, megabytes: sum("VmRSS") }], peak: sum("VmHWM") };
  };
}

/** Returns the processor time that processes and their ended children have taken; NaN where the system does not tell. */
function cpuMsOf(pids) {
  return pids.reduce((total, pid) => {
    const file = `/proc/${pid}/stat`;
    if (!existsSync(file)) return Number.NaN;
    const ticks = readFileSync(file, "latin1").split(") ").at(-1)?.split(" ").slice(11, 15).map(Number) ?? [];
    return total + ticks.reduce((sum, each) => sum + each * MS_PER_TICK, 0);
  }, 0);
}

/** Linux counts in hundredths of a second, whatever its own clock does. */
const MS_PER_TICK = 10;

function figuresOf(results) {
  const ms = results.flatMap((result) => result.ms).toSorted((one, other) => one - other);
  const perClient = results.map((result) => result.ms.length).toSorted((one, other) => one - other);
  const at = (part) => ms[Math.min(ms.length - 1, Math.floor(ms.length * part))] ?? Number.NaN;
  return {
    calls: ms.length,
    errors: results.reduce((sum, result) => sum + result.errors, 0),
    p50: at(0.5),
    p99: at(0.99),
    longest: at(1),
    fewest: perClient[0] ?? 0,
    most: perClient.at(-1) ?? 0,
  };
}

const ms = (value) => `${value.toFixed(1)} ms`;

function linesOf({ id, calls, errors, tookSeconds, cpuMs, p50, p99, longest, fewest, most, memory }) {
  const samples = memory.samples.map(({ second, megabytes: each }) => `${each.toFixed(0)} MB at ${second} s`);
  return [
    `${id}:`,
    `  ${calls} calls, ${errors} errors, ${(calls / tookSeconds).toFixed(0)} calls per second, of each client ${fewest} to ${most}`,
    `  p50 ${ms(p50)}, p99 ${ms(p99)}, longest ${ms(longest)}; the server took ${(cpuMs / calls).toFixed(2)} ms of processor time per call`,
    `  memory ${samples.join(", ")}, peak ${memory.peak.toFixed(0)} MB`,
  ];
}
