import { LIMITS } from "../../../base/limits.ts";
import type { Program } from "../../../base/program.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { FileHits, ReportHits, Unsearched } from "../search.ts";

/** Says whether a process waits for the other end of a pipe. */
export type WaitsAtPipe = (pid: number) => boolean;

/** Ends a program that waits at a FIFO, which it opens by name and would wait at for ever. */
export function watchForBlocked({ pid, kill }: Program, waitsAtPipe: WaitsAtPipe) {
  let hasWaited = false;
  const look = (): void => {
    if (pid === undefined || !waitsAtPipe(pid)) return;
    hasWaited = true;
    clearInterval(timer);
    kill();
  };
  const timer = setInterval(look, LIMITS.waitingLookMs);
  return { hasWaited: () => hasWaited, stop: () => clearInterval(timer) };
}

/** Counts what is told of each file, so that whoever goes on in our place tells only the rest. */
export function createReportedHits(report: ReportHits) {
  const reported = new Map<SafePath, number>();
  const add = (place: SafePath, count: number): void => void reported.set(place, (reported.get(place) ?? 0) + count);
  return {
    tell(found: FileHits | Unsearched): boolean {
      if (!("unsearched" in found)) add(found.place, found.count);
      return report(found);
    },
    /** For a search that begins anew. */
    reportRest(found: FileHits | Unsearched): boolean {
      if ("unsearched" in found) return report(found);
      const known = Math.min(reported.get(found.place) ?? 0, found.count);
      if (known === 0) return report(found);
      add(found.place, -known);
      return known === found.count || report({ ...found, count: found.count - known, hits: found.hits.slice(known) });
    },
  };
}
