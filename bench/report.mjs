// Turns samples into tables: figures, ratios, and whether each bound holds.
import { median } from "./measure.mjs";

const US = "holdfast";
const FLOOR = "floor";
const NOTHING = "–";
const IDLE_TIMES = 1.5;
const GROWTH_MB = 32;
const TOKENS = 1800;

/** Names the group of servers that a bound says we are faster than. */
const NO_FASTER = { all: ", no peer faster", atomic: ", no atomic peer faster" };

/** Marks a row whose bound does not hold. */
export const MISSED = "MISSED";

/** Returns one row per bound: its reference, our figure, the ratio, the verdict, and other builds' and peers' ratios. */
export function speedTable(results, peers, builds = []) {
  const head = [
    "workload",
    "compared with",
    "its figure",
    US,
    "ratio (range)",
    "bound",
    "verdict",
    ...builds.map(({ id }) => id),
    ...peers.map(({ id, isAtomic }) => (isAtomic ? `${id} (atomic)` : id)),
  ];
  const rows = results.flatMap((result) =>
    result.workload.bounds.map((bound) => speedRow(result, bound, peers, builds)),
  );
  return table(head, rows);
}

/** Lists idle memory first, then the largest growth of each workload. */
export function memoryTable(records, builds = []) {
  const others = builds.map(({ id }) => id);
  const growing = records.filter(({ workload }) => !workload.isStart);
  const usual = records.filter(({ workload }) => !workload.group);
  const idle = usual.length > 0 ? [idleRow(usual, others)] : [];
  const rows = [...idle, ...growing.map((record) => growthRow(record, others))];
  return table(["resident memory", FLOOR, US, "bound", "verdict", ...others], rows);
}

/** Lists the tokens of what a model sees of each server. */
export function tokenTable(shown) {
  const rows = shown.map(({ id, tools, tokens }) => [
    id,
    String(tools),
    String(tokens),
    ...(id === US ? [`${TOKENS} for all tools`, kept(tokens <= TOKENS)] : ["", ""]),
  ]);
  return table(["shown to a model", "tools", "tokens (o200k)", "bound", "verdict"], rows);
}

/** Lists the workloads that this machine cannot run. */
export const notRunNotes = (workloads) =>
  workloads.map(({ id, needs }) => `- ${id}: not run, ${needs[0]} does not work here`);

/** Lists every server that failed or answered wrongly, and how. */
export const failureNotes = (results) =>
  results.flatMap(({ workload, failures }) =>
    [...failures].map(([server, failure]) => `- ${workload.id}, ${server}: ${failure}`),
  );

/** Returns a Markdown table that is also legible as plain text. */
export function table(head, rows) {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...all.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => padded(cell, widths[column], column)).join(" | ")} |`;
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  return [line(head), rule, ...rows.map(line)].join("\n");
}

function speedRow(result, bound, peers, builds) {
  const pairs = calmPairs(result, US, bound);
  return [
    result.workload.title,
    comparedWith(bound),
    duration(pairs.map(({ baseline }) => baseline)),
    result.failures.has(US) ? failureWord(result, US) : duration(pairs.map(({ value }) => value)),
    rangeOf(costsOf(result, US, bound), bound),
    mostText(bound),
    verdictOf(result, bound, peers),
    ...builds.map(({ id }) => buildCell(result, id, bound)),
    ...peers.map(({ id }) => peerCell(result, id, bound)),
  ];
}

/** Returns how many times the figure of a reference a server's is; a word where the server fails or answers wrongly. */
export const ratioTo = (reference, result, id) => peerCell(result, id, { server: reference });

/** Returns the figure of a server. */
export const figureOf = (result, id) => duration(calmPairs(result, id, { server: id }).map(({ value }) => value));

/** Returns whether a figure is limited; otherwise it is only shown. */
export const hasBound = ({ most, plus }) => most !== undefined || plus !== undefined;

/** Returns a bound in words, such as "2.00 x floor, no peer faster". */
export const boundText = (bound) => (bound.plus ? `${comparedWith(bound)} + ${bound.plus} ms` : timesText(bound));

const timesText = (bound) =>
  bound.milliseconds
    ? `${bound.most * bound.milliseconds} ms`
    : mostText(bound).replace(/^[\d.]+/, `$& x ${comparedWith(bound)}`);

const comparedWith = ({ own, server }) => (own ? `own ${own}` : (server ?? "the clock"));

function mostText({ most, plus, beatsPeers }) {
  if (plus) return more(plus);
  return most ? `${times(most)}${NO_FASTER[beatsPeers] ?? ""}` : NOTHING;
}

function verdictOf(result, bound, peers) {
  if (result.failures.has(US)) return MISSED;
  const costs = costsOf(result, US, bound);
  if (costs.length === 0 || !hasBound(bound)) return NOTHING;
  const ours = median(costs);
  const rivals = bound.beatsPeers ? peers.filter(({ isAtomic }) => isAtomic || bound.beatsPeers === "all") : [];
  const isBeaten = rivals.some(({ id }) => median(costsOf(result, id, bound)) < ours);
  return kept(ours <= (bound.plus ?? bound.most) && !isBeaten);
}

const kept = (isKept) => (isKept ? "ok" : MISSED);

function buildCell(result, id, bound) {
  const figure = duration(calmPairs(result, id, bound).map(({ value }) => value));
  return `${peerCell(result, id, bound)} (${figure})`;
}

function peerCell(result, id, bound) {
  if (result.failures.has(id)) return failureWord(result, id);
  const costs = costsOf(result, id, bound);
  return costs.length === 0 ? NOTHING : costText(median(costs), bound);
}

const failureWord = ({ failures }, id) => (failures.get(id).startsWith("wrong") ? "wrong" : "failed");

/** Returns how many times the reference a figure is, or how many milliseconds more, as its bound is given. */
const costsOf = (result, id, bound) =>
  calmPairs(result, id, bound).map(({ value, baseline }) => (bound.plus ? value - baseline : value / baseline));

/** Keeps the half of the rounds in which both together were fastest: other work on the machine only slows them down. */
function calmPairs(result, id, bound) {
  const pairs = pairsOf(result, id, bound).toSorted((a, b) => a.value * a.baseline - b.value * b.baseline);
  return pairs.slice(0, Math.ceil(pairs.length / 2));
}

/** Pairs a server's figure with its reference of the same round. */
function pairsOf({ rounds, failures }, id, bound) {
  if (failures.has(id)) return [];
  return rounds.flatMap((samples) => {
    const { value, own } = samples.get(id) ?? {};
    const baseline = bound.own ? own : (bound.milliseconds ?? samples.get(bound.server)?.value);
    return value !== undefined && baseline !== undefined ? [{ value, baseline }] : [];
  });
}

function duration(milliseconds) {
  if (milliseconds.length === 0) return NOTHING;
  const middle = median(milliseconds);
  return middle < 1 ? `${(middle * 1000).toFixed(0)} µs` : `${middle.toFixed(middle < 10 ? 2 : 0)} ms`;
}

function idleRow(records, others) {
  const idleOf = (id) => median(records.flatMap(({ samples }) => (samples[id] ?? []).map(({ idle }) => idle)));
  const ratio = idleOf(US) / idleOf(FLOOR);
  const title = `idle after the first read: ${ratio.toFixed(3)} x floor`;
  const bound = `${IDLE_TIMES} x floor`;
  const figures = others.map((id) => megabytes(idleOf(id)));
  return [title, megabytes(idleOf(FLOOR)), megabytes(idleOf(US)), bound, kept(ratio <= IDLE_TIMES), ...figures];
}

function growthRow({ workload, samples }, others) {
  const worstOf = (id) => Math.max(...(samples[id] ?? []).map(({ growth }) => growth));
  const most = workload.growth ?? GROWTH_MB;
  const title = `growth: ${workload.title.trim()}`;
  const isBound = Number.isFinite(worstOf(US)) && !workload.holdsWhole;
  const [bound, verdict] = isBound ? [`< ${most} MB`, kept(worstOf(US) < most)] : [NOTHING, NOTHING];
  const figures = others.map((id) => megabytes(worstOf(id)));
  return [title, megabytes(worstOf(FLOOR)), megabytes(worstOf(US)), bound, verdict, ...figures];
}

function rangeOf(costs, bound) {
  if (costs.length === 0) return NOTHING;
  const [middle, least, most] = [median(costs), Math.min(...costs), Math.max(...costs)];
  return `${costText(middle, bound)} (${costText(least, bound)}–${costText(most, bound)})`;
}

const costText = (cost, { plus }) => (plus ? more(cost) : times(cost));

const more = (milliseconds) => `${milliseconds < 0 ? "" : "+"}${Number(milliseconds.toFixed(1))} ms`;

function megabytes(amount) {
  return Number.isFinite(amount) ? `${amount.toFixed(1)} MB` : NOTHING;
}

function times(ratio) {
  return ratio.toFixed(ratio < 10 ? 2 : 0);
}

function padded(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
