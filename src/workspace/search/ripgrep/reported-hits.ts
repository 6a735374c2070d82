import type { SafePath } from "../../../storage/storage.ts";
import type { FileHits, ReportHits, Unsearched } from "../search.ts";

/** Counts the hits reported per file, so that a fallback that starts over reports only the rest. */
export function createReportedHits(report: ReportHits) {
  const reported = new Map<SafePath, number>();
  const add = (place: SafePath, count: number): void => void reported.set(place, (reported.get(place) ?? 0) + count);
  return {
    report(found: FileHits | Unsearched): boolean {
      if (!("unsearched" in found)) add(found.place, found.count);
      return report(found);
    },
    /** Takes the results of a search that starts over, and skips as many hits of a file as were reported before. */
    reportRest(found: FileHits | Unsearched): boolean {
      if ("unsearched" in found) return report(found);
      const known = Math.min(reported.get(found.place) ?? 0, found.count);
      if (known === 0) return report(found);
      add(found.place, -known);
      return known === found.count || report({ ...found, count: found.count - known, hits: found.hits.slice(known) });
    },
  };
}
