import { cachedFor } from "../../base/cached-for.ts";
import { LIMITS } from "../../base/limits.ts";
import { isInNamedStorage } from "../../base/paths.ts";
import { PRODUCT } from "../../base/product.ts";
import { approvalState } from "../../runtime/approvals/approval.ts";
import { adminOf } from "../../runtime/admin.ts";
import { historyBytesIn } from "../stores.ts";
import type { Account } from "./accounts.ts";
import { type CallMetrics, TIME_BOUNDS } from "./call-metrics.ts";
import { textResponse } from "./responses.ts";
import type { Route } from "./routes.ts";

/** Holds what is measured. */
export interface Measured {
  readonly own: Account;
  readonly calls: CallMetrics;
  readonly sessions: () => number;
}

/** Serves the numbers of the server in the text format of Prometheus. */
export function createMetricsRoute(measured: Measured): Route {
  const sizes = cachedFor(LIMITS.measuredMs, () => sizesOf(measured.own));
  return {
    path: "/metrics",
    access: "monitor",
    async handle() {
      const text = [...callLines(measured.calls), ...stateLines(measured, await sizes())].join("\n");
      return textResponse(200, text, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
    },
  };
}

function callLines({ counts, times }: CallMetrics): readonly string[] {
  const all = [...counts().values()];
  const faults = all.filter(({ code }) => code !== "ok").reduce((sum, { count }) => sum + count, 0);
  const { atMost, seconds, count } = times();
  return [
    ...heading("calls_total", "counter", "Calls by tool and outcome"),
    ...all.map(({ tool, code, count: each }) => line("calls_total", each, { tool, code })),
    ...heading("faults_total", "counter", "Calls that failed or were refused"),
    line("faults_total", faults),
    ...heading("call_seconds", "histogram", "Time that calls took"),
    ...TIME_BOUNDS.map((bound, nth) => line("call_seconds_bucket", atMost[nth] ?? 0, { le: String(bound) })),
    line("call_seconds_bucket", count, { le: "+Inf" }),
    line("call_seconds_sum", Number(seconds.toFixed(6))),
    line("call_seconds_count", count),
  ];
}

interface Sizes {
  readonly changes: number;
  readonly journalBytes: number;
  readonly trashItems: number;
  readonly trashBytes: number;
  readonly jobs: ReadonlyMap<string, number>;
}

/** Measures what all servers of the user share. */
async function sizesOf({ app: { session, stateDirectory } }: Account): Promise<Sizes> {
  const { writing } = session.workspace;
  const places = (writing?.directories() ?? []).map(({ path }) => path).filter((path) => !isInNamedStorage(path));
  const items = writing?.trash.items() ?? [];
  const jobs = new Map<string, number>();
  if (session.commands)
    for (const { state } of (await adminOf(session).jobs()).list()) jobs.set(state, (jobs.get(state) ?? 0) + 1);
  return {
    changes: writing?.counts().changes ?? 0,
    journalBytes: stateDirectory === "" ? 0 : await historyBytesIn(stateDirectory, places),
    trashItems: items.length,
    trashBytes: items.reduce((sum, { bytes }) => sum + bytes, 0),
    jobs,
  };
}

function stateLines({ own, sessions }: Measured, sizes: Sizes): readonly string[] {
  const nowMs = Date.now();
  const waiting = own.app.approvals.list().filter((request) => approvalState(request, nowMs) === "pending").length;
  return [
    ...gauge("sessions", "Sessions of MCP clients that are open", sessions()),
    ...gauge("approvals_waiting", "Calls that wait for an approval", waiting),
    ...gauge("journal_changes", "Changes in the history", sizes.changes),
    ...gauge("journal_bytes", "Bytes of the history: its journal, and the content that it keeps", sizes.journalBytes),
    ...gauge("trash_items", "Deleted things that can be restored", sizes.trashItems),
    ...gauge("trash_bytes", "Bytes of deleted things that can be restored", sizes.trashBytes),
    ...heading("jobs", "gauge", "Commands of agents by state"),
    ...["running", "done", "lost"].map((state) => line("jobs", sizes.jobs.get(state) ?? 0, { state })),
    ...gauge("resident_bytes", "Memory of the server", process.memoryUsage.rss()),
  ];
}

const gauge = (name: string, help: string, value: number): readonly string[] => [
  ...heading(name, "gauge", help),
  line(name, value),
];

const heading = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${PRODUCT.name}_${name} ${help}`,
  `# TYPE ${PRODUCT.name}_${name} ${type}`,
];

function line(name: string, value: number, labels: Readonly<Record<string, string>> = {}): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}=${JSON.stringify(text)}`);
  return `${PRODUCT.name}_${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
}
