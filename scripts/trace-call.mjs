// Prints which functions a call enters, from the wire and back, and counts them. Runs a copy of the program in which
// each named function reports its entry. Flags: --tool read|edit|move, --all (with base/ and text/), --json,
// --syscalls (counts of strace), --doc (prints docs/walk.md), --check (fails when docs/walk.md differs).
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleBin } from "./bundle.mjs";
import { docOf, textOf } from "./trace-doc.mjs";
import { TRACED } from "./trace-history.mjs";
import { instrumenting } from "./trace-instrument.mjs";
import { countSyscalls, recordEntries } from "./trace-server.mjs";
import { countedOnly, countsOf, walkOf } from "./trace-walk.mjs";

const SRC = "src";
const DOC = "docs/walk.md";
const IN_DOC = ["read", "edit"];

/** Once a second a call also looks for a changed configuration: the shortest of several walks is the one without. */
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
  const traces = [];
  for (const tool of IN_DOC) traces.push(await trace(bin, functions, tool));
  const doc = docOf(traces.map((each) => ({ ...each, walk: countedOnly(each.walk) })));
  if (!flags.check) return process.stdout.write(doc);
  if (readFileSync(DOC, "utf8") === doc) return console.log(`${traces.length} walks`);
  console.error(`${DOC}: differs from what calls do; run node scripts/trace-call.mjs --doc > ${DOC}`);
  process.exitCode = 1;
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
  const walks = [];
  for (let take = 0; take < TAKES; take++) walks.push(walkOf(await recordEntries(bin, tool), functions));
  const [walk] = walks.toSorted((one, other) => entriesIn(one) - entriesIn(other));
  return { tool, counts: countsOf(walk, SRC), walk };
}

function entriesIn({ times, below }) {
  return below.reduce((sum, node) => sum + entriesIn(node), times);
}
