import { commandAbilitiesOf, type CommandAbilities } from "../../../app/command-abilities.ts";
import { cachedFor } from "../../../base/cached-for.ts";
import { LIMITS } from "../../../base/limits.ts";
import { isInNamedStorage } from "../../../base/paths.ts";
import { adminOf } from "../../../runtime/admin.ts";
import { checkAudit } from "../../../runtime/audit/verify-chain.ts";
import { plural } from "../../../text/plural.ts";
import { storesOf } from "../../stores.ts";
import type { Health, HealthRow, Meter } from "../contract.ts";
import type { ApiCall, Endpoint, Person } from "./endpoint.ts";

/** Examines the state now and then: it reads a lot of the disk. */
export interface HealthCheck {
  check(call: ApiCall): Promise<Health>;
  readonly endpoint: Endpoint;
}

export function createHealth({ options }: Person): HealthCheck {
  const check = cachedFor(LIMITS.consoleVerifyMs, (call: ApiCall) => healthOf(call, options));
  return {
    check,
    endpoint: {
      method: "GET",
      path: "/api/health",
      async handle(call) {
        const { rows, ...measured } = await check(call);
        // Rules are mended while somebody looks, so they are never remembered.
        return { rows: [...rows, ...ruleRows(call)], ...measured };
      },
    },
  };
}

async function healthOf(call: ApiCall, options: Person["options"]): Promise<Health> {
  const { app } = call;
  const { history, trash } = metersOf(call);
  const audit = auditHealth(call);
  return {
    rows: [
      containmentRow(app.session.facts.containment),
      ...app.skipped.map(({ given, reason }): HealthRow => ({
        name: "Directory skipped",
        text: `${given}: ${reason}`,
        state: "bad",
      })),
      ...commandRows(await commandAbilitiesOf(options)),
      ...interruptedRows(call),
      { name: "Audit log", text: audit.message, state: audit.ok ? "good" : "bad" },
    ],
    history,
    trash,
  };
}

const containmentRow = (containment: string): HealthRow => ({
  name: "Containment",
  ...(CONTAINMENTS[containment] ?? { text: containment }),
  state: containment === "best-effort" ? "look" : "good",
});

const CONTAINMENTS: Readonly<Record<string, Pick<HealthRow, "text" | "note">>> = {
  handle: { text: "full", note: "Links and races cannot lead outside of the directories" },
  "best-effort": { text: "best effort", note: "A program that swaps links at the right instant can lead outside" },
  "in-memory": { text: "full", note: "Nothing is on a disk" },
  "object-store": { text: "full", note: "Paths are keys of a store, which has no links" },
};

function commandRows({ enabled, sandbox, problem, undo: canUndo }: CommandAbilities): readonly HealthRow[] {
  if (!enabled) return [{ name: "Commands", text: "off", note: "Agents cannot run commands", state: "good" }];
  const text = problem ?? sandbox?.rung ?? "none";
  const isHeld = sandbox !== undefined && sandbox.rung !== "none";
  return [
    {
      name: "Sandbox for commands",
      text,
      ...(sandbox && { note: isHeld ? sandbox.stops : sandbox.lets }),
      state: problem !== undefined ? "bad" : isHeld ? "good" : "look",
    },
    {
      name: "Undo of commands",
      text: canUndo ? "on" : "off",
      note: canUndo ? "What a command changed can be undone" : "Commands change the directories themselves",
      state: canUndo ? "good" : "look",
    },
  ];
}

const interruptedRows = ({ app }: ApiCall): readonly HealthRow[] =>
  (app.session.workspace.writing?.waiting() ?? []).map(({ id, places }) => ({
    name: "Unfinished change",
    text: `${id}: ${plural(places.length, "place")} cannot be changed`,
    note: `It is rolled back when its directories are available again. To drop it: holdfast doctor --give-up ${id}`,
    state: "bad",
  }));

const ruleRows = ({ app }: ApiCall): readonly HealthRow[] =>
  app.session.facts.problems.map((problem) => ({ name: "Rules", text: problem, state: "bad" }));

/** Measures the stores of the history and of the trash. */
function metersOf({ app: { session, stateDirectory } }: ApiCall): { readonly history: Meter; readonly trash: Meter } {
  const { writing } = session.workspace;
  const places = (writing?.directories() ?? []).map(({ path }) => path);
  const stores = storesOf([stateDirectory, ...places].filter((place) => place !== "" && !isInNamedStorage(place)));
  const bytesIn = (wanted: "objects" | "trash"): number =>
    stores
      .flatMap(({ backups }) => backups)
      .reduce((sum, { folder, bytes }) => sum + (folder === wanted ? bytes : 0), 0);
  return {
    history: { count: writing?.counts().changes ?? 0, bytes: bytesIn("objects"), mostBytes: LIMITS.historyBytes },
    trash: {
      count: writing?.trash.items().length ?? 0,
      bytes: bytesIn("trash"),
      mostBytes: LIMITS.historyBytes,
    },
  };
}

function auditHealth({ app }: ApiCall): { readonly ok: boolean; readonly message: string } {
  const { records, flaws } = checkAudit(adminOf(app.session).audit());
  const [first] = flaws;
  if (!first) return { ok: true, message: `${plural(records, "call")}, none altered` };
  const where = `${first.file}, line ${first.line}`;
  return {
    ok: false,
    message: `${plural(flaws.length, "record")} of ${records} cannot be trusted; ${where}: ${first.flaw}`,
  };
}
