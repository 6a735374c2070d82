// Measures the first page of a long PDF beside pdfium alone, and searches in documents beside ripgrep over their text.
import { rgPath } from "@vscode/ripgrep";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { callTool, shakeHands, startServer } from "./client.mjs";
import { pageLines, pdfOf, writeDocuments } from "./document-files.mjs";
import { median } from "./measure.mjs";
import { MISSED } from "./report.mjs";

/** Compares both in turn, so that both have the same machine. The first rounds warm up and do not count. */
export async function documentsReport({ rounds }) {
  const home = mkdtempSync(join(tmpdir(), "bench-documents-"));
  makeFiles(home);
  const server = await openSession(home);
  const pdfium = new Worker(PDFIUM, { eval: true, workerData: join(process.cwd(), "package.json") });
  try {
    const rows = [];
    for (const row of rowsOf(home, server, pdfium)) rows.push(textOf(row, await timesOf(row, rounds)));
    return rows.join("\n");
  } finally {
    await pdfium.terminate();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

const PAGES = 500;
const COPIES = 2;
const WORD = "marlinspike";
const WARM_UP = 4;

function makeFiles(home) {
  mkdirSync(join(home, "files"));
  const pdf = pdfOf(Array.from({ length: PAGES }, (_, page) => pageLines(page)));
  for (let nth = 0; nth < COPIES; nth++) writeFileSync(copyOf(home, nth), pdf);
  writeDocuments({
    documents: join(home, "files/documents"),
    texts: join(home, "texts"),
    count: 1000,
    pages: 8,
    word: WORD,
  });
}

/** The worker keeps its last document open, so that calls alternate between copies. */
const copyOf = (home, nth) => join(home, "files", `long-${nth % COPIES}.pdf`);

function rowsOf(home, server, pdfium) {
  const searches = [WORD, `${WORD.slice(0, 5)}\\w+ [0-9]+00`, "k[a-z]+ of the (moon|sun)"].map((pattern) => ({
    title: `grep ${pattern} in 1,000 documents, the second time`,
    other: "ripgrep over their text",
    most: 3,
    ours: () => callMs(server, ["grep", { path: "documents", pattern, documents: true, mode: "count" }]),
    alone: () => ripgrepMs(join(home, "texts"), pattern),
  }));
  const page = {
    title: `first page of a PDF of ${PAGES} pages`,
    other: "pdfium alone in a warm worker",
    most: 1.3,
    ours: (nth) => callMs(server, ["read", { path: copyOf(home, nth), pages: "1" }]),
    alone: (nth) => pdfiumMs(pdfium, copyOf(home, nth)),
  };
  return [page, ...searches];
}

async function openSession(home) {
  const words = [join(home, "files"), "--loop-detection", "off", "--state", join(home, "state")];
  const server = startServer({
    command: [process.execPath, "dist/holdfast.cjs", ...words],
    cwd: process.cwd(),
    env: {},
  });
  await shakeHands(server);
  return server;
}

async function callMs(server, call) {
  const { sentAt, arrivedAt, isError, texts } = await callTool(server, call);
  if (isError) throw new Error(`Cannot measure documents: ${texts.join(" ")}`);
  return arrivedAt - sentAt;
}

function ripgrepMs(texts, pattern) {
  const startedMs = performance.now();
  spawnSync(rgPath, ["--no-config", "-uu", "-n", "--no-heading", "-e", pattern, "--", texts]);
  return performance.now() - startedMs;
}

const PDFIUM = `
  const { createRequire } = require("node:module");
  const { readFileSync } = require("node:fs");
  const { parentPort, workerData } = require("node:worker_threads");
  const { PDFiumLibrary } = createRequire(workerData)("@hyzyla/pdfium");
  const ready = PDFiumLibrary.init();
  parentPort.on("message", async (path) => {
    const document = await (await ready).loadDocument(readFileSync(path));
    const text = document.getPage(0).getText();
    document.destroy();
    parentPort.postMessage(text);
  });`;

async function pdfiumMs(pdfium, path) {
  const startedMs = performance.now();
  // oxlint-disable-next-line require-post-message-target-origin -- A worker has no origin.
  pdfium.postMessage(path);
  await once(pdfium, "message");
  return performance.now() - startedMs;
}

async function timesOf({ ours, alone }, rounds) {
  const times = [];
  for (let round = 0; round < rounds + WARM_UP; round++) times.push([await ours(round), await alone(round)]);
  return times.slice(WARM_UP);
}

function textOf({ title, other, most }, times) {
  const [ours, alone] = [0, 1].map((nth) => median(times.map((pair) => pair[nth] ?? 0)).toFixed(1));
  const ratio = median(times.map(([own = 0, others = 1]) => own / others));
  return `${title}: ${ours} ms, ${other} ${alone} ms: ${ratio.toFixed(2)} times, at most ${most}: ${ratio <= most ? "ok" : MISSED}`;
}
