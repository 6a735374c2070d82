// Prints which functions a call enters, from the wire and back, and counts them. Runs a copy of the program in which
// each named function reports its entry. Flags: --tool read|edit|move, --all (with base/ and text/), --json,
// --syscalls (counts of strace), --doc (prints docs/walk.md), --check (fails when docs/walk.md differs).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleBin } from "./bundle/bundle.mjs";
import { docOf, textOf } from "./trace-doc.mjs";
import { TRACED } from "./trace-history.mjs";
import { instrumenting } from "./trace-instrument.mjs";
import { countSyscalls, recordEntries } from "./trace-server.mjs";
import { countedOnly, countsOf, walkOf } from "./trace-walk.mjs";

const SRC = "src";
const DOC = "docs/walk.md";
const IN_DOC = ["read", "edit"];

/** Other threads and timers of Node make system calls, too: the least of several counts is the one without. */
const TAKES = 5;

const { values: flags } = parseArgs({
  options: {
    tool: { type: "string", default: "read" },
    all: { type: "boolean" },
    json: { type: "boolean" },
    syscalls: { type: "boolean" },
    doc: { type: "boolean" },
    check: { type: "boolean" },
  },
});
if (!Object.hasOwn(TRACED, flags.tool)) throw new Error(`--tool is one of ${Object.keys(TRACED).join(", ")}`);
await withCopy(flags.doc || flags.check ? writeDoc : flags.syscalls ? writeSyscalls : writeWalk);

/** Builds beside the installed packages, for the copy imports the same ones as the program. */
async function withCopy(act) {
  const cache = resolve("node_modules/.cache/holdfast");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "trace-"));
  try {
    const functions = [];
    const bin = join(folder, "holdfast.cjs");
    await bundleBin(bin, undefined, [instrumenting(SRC, functions)]);
    await act(bin, functions);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeWalk(bin, functions) {
  const traced = await trace(bin, functions, flags.tool);
  const shown = { ...traced, walk: flags.all ? traced.walk : countedOnly(traced.walk) };
  console.log(flags.json ? JSON.stringify(shown, null, 2) : textOf(shown));
}

async function writeDoc(bin, functions) {
  if (!isTraceable()) {
    console.error("not run: needs Linux and the package koffi");
    process.exitCode = process.env["CI"] === undefined ? 0 : 1;
    return;
  }
  const traces = await Promise.all(IN_DOC.map((tool) => trace(bin, functions, tool)));
  const doc = docOf(traces.map((each) => ({ ...each, walk: countedOnly(each.walk) })));
  if (!flags.check) return process.stdout.write(doc);
  const line = firstDifference(readFileSync(DOC, "utf8").split("\n"), doc.split("\n"));
  if (line === undefined) return console.log(`${traces.length} walks`);
  console.error(`${DOC}:${line}: differs from what calls do; run node scripts/trace-call.mjs --doc > ${DOC}`);
  process.exitCode = 1;
}

/** Returns the number of the first line in which two texts differ. */
function firstDifference(one, other) {
  const nth = Array.from({ length: Math.max(one.length, other.length) }).findIndex((_, at) => one[at] !== other[at]);
  return nth < 0 ? undefined : nth + 1;
}

/** Prints the least that any take needed of each system call: what is more belongs to timers. */
async function writeSyscalls(bin) {
  const takes = [];
  for (let take = 0; take < TAKES; take++) takes.push(await countSyscalls(bin, flags.tool));
  const counts = {};
  for (const name of Object.keys(takes[0]).toSorted()) {
    const least = Math.min(...takes.map((each) => each[name] ?? 0));
    if (least > 0) counts[name] = least;
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  console.log(JSON.stringify({ tool: flags.tool, total, counts }, null, 2));
}

async function trace(bin, functions, tool) {
  const walk = walkOf(await recordEntries(bin, tool), functions);
  return { tool, counts: countsOf(walk, SRC), walk };
}

/** Without koffi, and on other systems, calls take other ways to the disk than the document shows. */
function isTraceable() {
  try {
    return process.platform === "linux" && createRequire(import.meta.url)("koffi") !== undefined;
  } catch {
    return false;
  }
}
