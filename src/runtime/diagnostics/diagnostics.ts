import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { isWithin } from "../../base/paths.ts";
import { watchCancellation } from "../../base/time-slicing.ts";
import type { Version } from "../../base/version.ts";
import type { SafePath } from "../../storage/storage.ts";
import type { ChangeRecord } from "../../workspace/changes/change.ts";
import type { View } from "../../workspace/view.ts";
import { type AnswerParts, type ServerResult, withDiagnostics } from "./answer-with-diagnostics.ts";
import { changedFilesOf, changedPlaces, isChecked } from "./changed-files.ts";
import { createServerPool, type DiagnosticsConfig, type PoolParts, type ServerPool } from "./server-pool.ts";

/** Adds new errors of language servers to the answers of changes. */
export interface Diagnostics {
  /** Takes no longer than the budget, and throws nothing of a server: the change is made. */
  addTo<Result extends ChangeAnswer>(result: Result, call: CheckedCall): Promise<Result>;
  /** Stops all servers. */
  close(): void;
}

/** The answer of a call that may have changed files. */
interface ChangeAnswer extends AnswerParts {
  readonly record?: ChangeRecord;
}

interface CheckedCall {
  readonly tool: { readonly name: string };
  readonly view: View;
}

/** Lists the tools whose changes are checked. Of other changes the servers are only told. */
const CHECKED_TOOLS: ReadonlySet<string> = new Set(["write", "edit", "apply_patch"]);

export function createDiagnostics(
  { servers, budgetMs = LIMITS.diagnosticsMs }: DiagnosticsConfig,
  parts: PoolParts,
): Diagnostics {
  const pool = createServerPool(servers, parts);
  return {
    async addTo(result, { tool, view }) {
      const { record } = result;
      if (!record) return result;
      const isCheckedTool = CHECKED_TOOLS.has(tool.name);
      const results = await unlessCancelled(view, () => check(pool, record, view, isCheckedTool ? budgetMs : 0));
      return withDiagnostics(result, results, (place) => (mayReport(view, place) ? view.nameOf(place) : undefined));
    },
    close: pool.close,
  };
}

/** Checks a change with every server that is responsible for one of its files, all at the same time. */
async function check(
  pool: ServerPool,
  record: ChangeRecord,
  view: View,
  budgetMs: number,
): Promise<readonly ServerResult[]> {
  const places = changedPlaces(record);
  const effects = budgetMs === 0 ? [] : record.effects.filter((each) => isChecked(each) && pool.covers(each.path));
  const files = await changedFilesOf(effects.slice(0, LIMITS.diagnosedFiles), view);
  const shares = pool.serversFor(files);
  pool.report(
    places,
    shares.map(({ server }) => server),
  );
  const checks = shares.map(async ({ name, server, root, files: own }) => {
    const within = places.filter(({ place }) => isWithin(place, root));
    const change = { files: own, places: within, versionAt: (place: SafePath) => versionAt(view, place) };
    return { name, result: await server.check(change, budgetMs) };
  });
  return Promise.all(checks);
}

/** Returns undefined for what cannot be looked at: the server then reads it from the disk, if it can. */
async function versionAt(view: View, place: SafePath): Promise<Version | undefined> {
  try {
    return (await view.snapshot(place))?.version;
  } catch (error) {
    if (isFault(error)) return undefined;
    throw error;
  }
}

/** Keeps errors of files that the caller may not read to itself, since messages quote them. */
const mayReport = (view: View, place: SafePath): boolean =>
  view.roots.some(({ real }) => isWithin(place, real)) && view.isVisible(place) && view.mayOpen(place);

/** Returns no results for a call that is cancelled, or whose texts can no longer be read: the change itself is made. */
async function unlessCancelled(
  { checkpoint }: View,
  work: () => Promise<readonly ServerResult[]>,
): Promise<readonly ServerResult[]> {
  let watch: ReturnType<typeof watchCancellation> | undefined;
  const cancelled = new Promise<readonly ServerResult[]>((resolve) => {
    watch = watchCancellation(checkpoint, () => resolve([]));
  });
  try {
    return await Promise.race([work(), cancelled]);
  } catch (error) {
    if (isFault(error)) return [];
    throw error;
  } finally {
    watch?.stop();
  }
}
