// Reads the command line of the benchmark, and says what it takes.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { boundText, hasBound } from "./report.mjs";
import { binIn } from "./servers.mjs";

const FLAGS = /** @type {const} */ ({
  quick: { type: "boolean", help: "Measure a third of the rounds; verdicts near a bound may be chance" },
  only: {
    type: "string",
    multiple: false,
    value: "<id,…>",
    help: "Measure only these workloads, such as --only read,stat",
  },
  beside: {
    type: "string",
    multiple: true,
    value: "<folder>",
    help: "Also measure another build of Holdfast, a checkout with its dist/; may be repeated",
  },
  crowd: {
    type: "boolean",
    help: "Measure beside 20 other workspaces with live servers, in a history of 100,000 changes",
  },
  commands: { type: "boolean", help: "Also measure commands: how they start, their views, and their memory" },
  http: {
    type: "boolean",
    help: "Measure 200 clients for 60 s (--quick: 20 s) over HTTP, beside stdio and a peer, and nothing else",
  },
  compare: { type: "boolean", help: "Write what was measured beside peers into docs/comparison.md" },
  images: { type: "boolean", help: "Measure a photo of 12 megapixels beside sharp alone, and nothing else" },
  documents: {
    type: "boolean",
    help: "Measure the first page of a PDF beside pdfium, and grep in 1,000 documents beside ripgrep, and nothing else",
  },
  "no-peers": { type: "boolean", multiple: false, help: "Do not install and measure other servers" },
  strict: { type: "boolean", help: "Exit with 1 when a bound was missed" },
  help: { type: "boolean", short: "h", help: "Show this help" },
});

/** Returns the flags and the chosen workloads. Throws an error that says what is wrong and what there is. */
export function readFlags(argv, workloads) {
  const {
    quick = false,
    only,
    beside = [],
    crowd = false,
    strict = false,
    help = false,
    http = false,
    compare = false,
    images = false,
    documents = false,
    "no-peers": noPeers = false,
    ...rest
  } = parsed(argv);
  const usual = workloads.filter(({ group }) => group === undefined || rest[group]);
  const chosen = only === undefined ? usual : only.split(",").map((id) => workloadNamed(id, workloads));
  return {
    quick,
    crowd,
    strict,
    help,
    http,
    compare,
    images,
    documents,
    noPeers,
    chosen,
    beside: beside.map(requireBuild),
  };
}

/** Returns what `--help` prints: the flags, the workloads, and the bounds of each. */
export function helpText(workloads) {
  const flags = Object.entries(FLAGS).map(([name, flag]) => [
    "value" in flag ? `--${name} ${flag.value}` : `--${name}`,
    flag.help,
  ]);
  const rows = workloads.map(({ id, title, bounds }) => [
    id,
    [title.trim(), ...bounds.filter(hasBound).map((bound) => `at most ${boundText(bound)}`)].join("; "),
  ]);
  return [
    "Usage: npm run bench -- [flags]",
    "",
    "Measure speed, memory and tokens of this build, beside a server that does the bare minimum (the floor) and other servers",
    "(peers, installed on first use). Every figure is compared within the same run; figures of different runs are not comparable.",
    "",
    "Flags:",
    ...columns(flags),
    "",
    "A bound is the most that a figure may be: so many times the figure of another server in the same round, so many times our",
    "own figure for another workload, so many milliseconds more than one of these, or a time. A missed bound is marked MISSED, and ends the run with 1 under --strict.",
    "",
    "Workloads, and their bounds:",
    ...columns(rows),
  ].join("\n");
}

function columns(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
}

function parsed(argv) {
  try {
    return parseArgs({ args: argv, options: FLAGS }).values;
  } catch (error) {
    const [reason] = String(error)
      .replace(/^\S+ \[\w+\]: /, "")
      .split(/\. |\n/);
    throw new Error(`Cannot read the command line: ${reason}; there are ${names(Object.keys(FLAGS), "--")}`, {
      cause: error,
    });
  }
}

function requireBuild(folder) {
  if (existsSync(binIn(folder))) return folder;
  throw new Error(`Cannot measure ${JSON.stringify(folder)}: it has no dist/holdfast.cjs; build it there first`);
}

function workloadNamed(id, workloads) {
  const found = workloads.find((workload) => workload.id === id);
  if (found) return found;
  const all = names(workloads.map((workload) => workload.id));
  throw new Error(`Cannot measure ${JSON.stringify(id)}: there is no such workload; there are ${all}`);
}

const names = (all, before = "") => all.map((name) => before + name).join(", ");
