import { homedir } from "node:os";
import { LIMITS } from "../../../base/limits.ts";
import { isWithin } from "../../../base/paths.ts";
import { PRODUCT } from "../../../base/product.ts";
import { isoOf } from "../../../base/time.ts";
import { approvalState } from "../../../runtime/approvals/approval.ts";
import type { PastChange } from "../../../runtime/change-history.ts";
import type { Overview } from "../contract.ts";
import type { ApiCall, Endpoint } from "./endpoint.ts";
import type { HealthCheck } from "./health.ts";
import { listJobs } from "./jobs.ts";
import { wholeHistory } from "./scope.ts";

export const createOverview = (health: HealthCheck): Endpoint => ({
  method: "GET",
  path: "/api/overview",
  async handle(call): Promise<Overview> {
    const { app, person, sessions } = call;
    const nowMs = Date.now();
    const waiting = app.approvals.list().filter((request) => approvalState(request, nowMs) === "pending");
    const [oldest] = waiting;
    return {
      version: PRODUCT.version,
      node: process.versions.node,
      containment: app.session.facts.containment,
      roots: person.options.roots.map((root) => (typeof root === "string" ? shortPath(root) : root.name)),
      waiting: waiting.length,
      ...(oldest && { oldestAsked: isoOf(oldest.askedMs) }),
      runningJobs: (await listJobs(call)).filter(({ state }) => state === "running").length,
      trash: app.session.workspace.writing?.trash.items().length ?? 0,
      needLook: (await health.check(call)).rows.filter(({ state }) => state !== "good").length,
      lastHour: await lastHour(call, nowMs),
      sessions: latest(sessions).map(({ id, agent, roots, lastMs, changes }) => ({
        id,
        agent,
        roots,
        lastSeen: isoOf(lastMs),
        changes,
      })),
    };
  },
});

/** Writes the home directory as people do: "~/code/harbor". */
function shortPath(path: string): string {
  const home = homedir();
  return home !== "/" && isWithin(path, home) ? `~${path.slice(home.length)}` : path;
}

const latest = ({ list }: ApiCall["sessions"]): ReturnType<typeof list> => list().slice(0, LIMITS.consoleEntries);

/** Recognizes what was deleted for good. Whether backups are still kept is not looked at: they are, for an hour. */
const isErasure = ({ action, before }: PastChange["effects"][number]): boolean =>
  action === "delete" && before?.object === undefined;

const HOUR_MS = 60 * 60_000;

/** Sums up the changes of the last hour that are in effect. */
async function lastHour(call: ApiCall, nowMs: number): Promise<Overview["lastHour"]> {
  const files = new Set<string>();
  let [added, removed, undoable] = [0, 0, 0];
  for await (const change of wholeHistory(call).changes()) {
    if (change.timeMs < nowMs - HOUR_MS) break;
    if (change.isUndone || change.undoes) continue;
    for (const { path, lines } of change.effects) {
      files.add(path);
      added += lines?.added ?? 0;
      removed += lines?.removed ?? 0;
    }
    if (!change.isOfReplaced && !change.effects.some(isErasure)) undoable++;
  }
  return { files: files.size, added, removed, undoable };
}
