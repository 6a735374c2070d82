// Runs the benchmark; npm run bench -- --help lists its flags.
// Figures are compared only within a run: different runs are not comparable.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { keepAwake } from "./awake.mjs";
import { makeProject } from "./command-project.mjs";
import { commandServers } from "./command-servers.mjs";
import { COMMANDS_GROUP, isPossible } from "./commands.mjs";
import { openCorpus } from "./corpus.mjs";
import { gather } from "./crowd.mjs";
import { clientsTable, loadNow, peersTable, writeSection } from "./comparison-doc.mjs";
import { documentsReport } from "./documents.mjs";
import { helpText, readFlags } from "./flags.mjs";
import { httpReport, measureHttp } from "./http.mjs";
import { imagesReport } from "./images.mjs";
import { canMeasureMemory, memoryOf } from "./memory.mjs";
import { installPeers } from "./peers.mjs";
import { failureNotes, memoryTable, MISSED, notRunNotes, speedTable, tokenTable } from "./report.mjs";
import { canRun, keepServers, measureInTurn } from "./rounds.mjs";
import { buildServers, ourServers, peerServers, unredactedServer } from "./servers.mjs";
import { tokensShown } from "./tokens.mjs";
import { WORKLOADS } from "./workloads.mjs";

const flags = readOrEnd();
buildIfNeeded();
const load = loadNow();
if (flags.http) {
  const crowded = { clients: 200, seconds: flags.quick ? 20 : 60, isAlone: flags.noPeers };
  const figures = await measureHttp(crowded, say);
  console.log(httpReport(figures, crowded));
  if (flags.compare) writeSection("clients", clientsTable(figures, crowded), load);
  process.exit();
}
if (flags.images || flags.documents) {
  const report = flags.images
    ? await imagesReport(flags.quick ? { rounds: 5, sessions: 3 } : { rounds: 15, sessions: 7 })
    : await documentsReport({ rounds: flags.quick ? 10 : 30 });
  console.log(report);
  process.exit(flags.strict && report.includes(MISSED) ? 1 : 0);
}
const workloads = flags.quick ? WORKLOADS.map(shortened) : WORKLOADS;
const wanted = flags.quick ? flags.chosen.map(shortened) : flags.chosen;
const chosen = wanted.filter(isPossible);
const memoryRounds = flags.quick ? 1 : 3;

const files = openCorpus(say);
const scratch = mkdtempSync(join(files.root, "scratch-"));
const corpus = { ...files, scratch };
// The state is on the disk of the files: otherwise deleted files would have to be copied.
const state = mkdtempSync(`${files.root}-state-`);
const ours = ourServers(corpus.root, state);
const builds = buildServers(flags.beside, ours[1], state);
const commanded = commandServers(ours[0], [ours[1], ...builds], corpus, state);
if (chosen.some(({ group }) => group === COMMANDS_GROUP)) makeProject(scratch, say);
const unredacted = unredactedServer(corpus.root, state);
const peers = flags.noPeers ? [] : installPeers(peerServers(corpus.root), say);
const kept = keepServers();
const crowd = flags.crowd ? await gather(corpus, state, ours[1]) : undefined;
const processors = keepAwake();
try {
  await run();
} finally {
  processors.stop();
  await kept.stopAll();
  await crowd?.stop();
  for (const place of [scratch, state]) rmSync(place, { recursive: true, force: true });
}

async function run() {
  console.log(introduction());
  // Without these there is nothing to compare, and the table would be empty.
  await Promise.all([...ours, ...builds].map(kept.get));
  const results = await measureSpeed();
  if (flags.compare) writeSection("peers", peersTable(results, peers), load);
  const tables = [speedTable(results, peers, builds), notesOn(results)];
  tables.push(await measureMemory(results), await countTokens());
  console.log(`\n${tables.filter((text) => text !== "").join("\n\n")}\n`);
  const missed = tables.join("\n").split(MISSED).length - 1;
  console.log(missed === 0 ? "Every measured bound was kept." : `Bounds missed: ${missed}.`);
  if (flags.strict && missed > 0) process.exitCode = 1;
}

function introduction() {
  const processorNames = cpus().map(({ model }) => model.trim());
  return [
    `node ${process.version}, ${processorNames.length} x ${processorNames[0]}, load ${load.toFixed(1)} before we began.`,
    "Files are in the page cache. Before each sample a server is warmed up with up to 300 calls, or for a second; cold start,",
    "the first look into the middle and the first calls of a session take a new process for every sample. Servers take turns",
    "in each round. Ratios are taken within each round; shown are the median and the range of the calmer half of the rounds.",
    processors.isAwake
      ? "Processors are kept awake, so that waking them is not counted as latency."
      : "Processors may fall asleep between calls (no chrt here): ratios of short calls look better than they are.",
    "While small files are read, asked about, written, moved or copied, or 10,000 entries listed, the client has a processor for itself.",
    ...(flags.quick ? ["Quick: a third of the rounds."] : []),
    ...(flags.crowd ? ["Beside 20 other workspaces with live servers, in a history of 100,000 changes."] : []),
    ...(load > processorNames.length / 2
      ? ["The machine is busy with other work: a verdict near its bound may be chance."]
      : []),
  ].join("\n");
}

async function measureSpeed() {
  const results = [];
  for (const workload of chosen) {
    say(`Measuring ${workload.id} …`);
    results.push(
      await measureInTurn(workload, [...ours, ...builds, ...commanded, unredacted, ...peers], {
        corpus,
        kept,
        workloads,
      }),
    );
  }
  return results;
}

function notesOn(results) {
  const notRun = wanted.filter((workload) => !chosen.includes(workload));
  return [...notRunNotes(notRun), ...failureNotes(results)].join("\n");
}

async function measureMemory(results) {
  if (!canMeasureMemory()) return "Resident memory is not measured on this platform.";
  const records = [];
  for (const { workload, failures } of results.filter(({ workload: { sharesMemoryOf } }) => !sharesMemoryOf)) {
    say(`Measuring the memory of ${workload.id} …`);
    records.push(await memoryRecord(workload, failures));
  }
  return records.length > 0 ? memoryTable(records, builds) : "";
}

async function memoryRecord(workload, failures) {
  const start = workloads.find(({ id }) => id === "start");
  const samples = {};
  for (const server of [...ours, ...builds, ...commanded]) {
    if (!canRun(server, workload)) continue;
    samples[server.id] = [];
    const rounds = failures.has(server.id) ? 0 : memoryRounds;
    for (let round = 0; round < rounds; round++)
      samples[server.id].push(await (workload.memory?.(corpus) ?? memoryOf(workload, start, server, corpus)));
  }
  return { workload, samples };
}

async function countTokens() {
  const shown = [];
  for (const server of [...ours, ...builds, ...peers].filter(({ id }) => id !== "floor")) {
    const { tools = [] } = await kept.get(server).catch(() => ({}));
    shown.push({ id: server.id, tools: tools.length, tokens: tokensShown(tools) });
  }
  return tokenTable(shown.filter(({ tools }) => tools > 0));
}

function shortened(workload) {
  return { ...workload, rounds: Math.min(workload.rounds, Math.max(4, Math.ceil(workload.rounds / 3))) };
}

/** Ends the process after the help, and after a mistake in the flags. */
function readOrEnd() {
  try {
    const read = readFlags(process.argv.slice(2), WORKLOADS);
    if (!read.help) return read;
    console.log(helpText(WORKLOADS));
    return process.exit(0);
  } catch (error) {
    say(String(error).replace(/^Error/, "bench"));
    return process.exit(2);
  }
}

function buildIfNeeded() {
  const { status } = spawnSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}

function say(text) {
  console.error(text);
}
