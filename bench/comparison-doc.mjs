// Writes what was measured into docs/comparison.md, so that its figures are always those of a run.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { figureOf, ratioTo, table } from "./report.mjs";

const DOCUMENT = fileURLToPath(new URL("../docs/comparison.md", import.meta.url));

/** Replaces a section of the document: what is between its two marks. `load` is that of the machine before the run. */
export function writeSection(name, text, load) {
  const document = readFileSync(DOCUMENT, "utf8");
  const [start, end] = [`<!-- measured: ${name} -->\n`, `<!-- end: ${name} -->`];
  const [before, rest = ""] = document.split(start);
  const [, after] = rest.split(end);
  if (after === undefined) throw new Error(`docs/comparison.md has no section ${name}`);
  writeFileSync(DOCUMENT, [before, start, "\n", provenance(load), "\n\n", text, "\n\n", end, after].join(""));
}

export const loadNow = () => loadavg()[0] ?? 0;

/** Says where figures come from: the machine, the day and the command. */
function provenance(load) {
  const processors = cpus();
  const command = ["npm run bench --", ...process.argv.slice(2)].join(" ");
  const isBusy = load > processors.length / 2;
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${processors.length} x ` +
      `${processors[0]?.model.trim()} by`,
    `\`${command}\`.`,
    ...(isBusy
      ? [
          `The machine was busy with other work (load ${load.toFixed(0)}): only processor time and memory can be relied on.`,
        ]
      : []),
  ].join("\n");
}

const isIn = ({ id }, { rounds }) => rounds.some((samples) => samples.has(id));

/** Lists the workloads that a peer can do, with each server's multiple of the floor. */
export function peersTable(results, all) {
  const shown = results.filter((result) => isIn({ id: FLOOR }, result) && all.some((peer) => isIn(peer, result)));
  const peers = all.filter((peer) => shown.some((result) => isIn(peer, result)));
  const rows = shown.map((result) => [
    result.workload.title.trim(),
    figureOf(result, FLOOR),
    ...[US, ...peers.map(({ id }) => id)].map((id) => ratioTo(FLOOR, result, id)),
  ]);
  const names = peers.map(({ id, isAtomic }) => (isAtomic ? `${id} (atomic)` : id));
  return [table(["workload", FLOOR, US, ...names], rows), "", ...versionsOf(peers)].join("\n");
}

const US = "holdfast";
const FLOOR = "floor";

const versionsOf = (peers) => peers.map((peer) => `- ${peer.id}: \`${peer.package}\` ${peer.version}`);

/** Lists servers that many clients used at once. */
export function clientsTable(figures, { clients, seconds }) {
  const rows = figures.map(({ id, calls, errors, tookSeconds, cpuMs, p50, p99, memory }) => [
    id,
    (calls / tookSeconds).toFixed(0),
    String(errors),
    `${p50.toFixed(0)} ms`,
    `${p99.toFixed(0)} ms`,
    `${(cpuMs / calls).toFixed(2)} ms`,
    memory.samples.map(({ megabytes }) => megabytes.toFixed(0)).join(", "),
  ]);
  const thirds = [0, 1, 2, 3].map((third) => Math.round((seconds * third) / 3)).join(", ");
  const head = ["server", "calls per second", "errors", "p50", "p99", "processor per call", `MB after ${thirds} s`];
  return [`${clients} clients at once:`, "", table(head, rows)].join("\n");
}
