import { isFault } from "../../base/errors.ts";
import { childOf, pathKey } from "../../base/paths.ts";
import type { Entry, SafePath } from "../../storage/storage.ts";
import { searchFile } from "./search-file.ts";
import { scopeMatcher } from "./search-scope.ts";
import type { Query, SearchStart, ReportHits } from "./search.ts";
import type { Searcher, View } from "../view.ts";
import { type Visit, type VisitedDirectory, walk, type WalkResult } from "../walk/walk.ts";

/** Reads every file itself: slower than ripgrep, and at home on every storage. */
export const builtinSearcher: Searcher = {
  async search(view, start, query, report) {
    if (start.kind === "file") await view.withFile(start.place, (file) => searchFile(file, query, view, report));
    else if (query.isInOrder) await searchInOrder(view, start, query, report);
    else await searchBelow(view, start, query, report);
  },
};

/** As the walk meets them. */
async function searchBelow(view: View, start: SearchStart, query: Query, report: ReportHits): Promise<void> {
  const search = createSearchRun(view, start, query, report);
  const walked = await walkFiles(view, start, query, async ({ place }, files) => {
    for (const { name } of files) if (!(await search.file(childOf(place, name)))) return false;
    return true;
  });
  search.finish(walked);
}

/** By their paths: all of these are gathered first, which is why nobody asks for it unless they have to. */
async function searchInOrder(view: View, start: SearchStart, query: Query, report: ReportHits): Promise<void> {
  const search = createSearchRun(view, start, query, report);
  const files: { readonly place: SafePath; readonly key: Buffer }[] = [];
  const walked = await walkFiles(view, start, query, ({ place: directory }, entries) => {
    for (const { name } of entries) {
      const place = childOf(directory, name);
      files.push({ place, key: pathKey(place) });
    }
  });
  files.sort((a, b) => Buffer.compare(a.key, b.key));
  for (const { place } of files) if (!(await search.file(place))) return;
  search.finish(walked);
}

type VisitFiles = (directory: VisitedDirectory, files: readonly Entry[]) => ReturnType<Visit>;

function walkFiles(view: View, start: SearchStart, query: Query, take: VisitFiles): Promise<WalkResult> {
  const { exclude, includeIgnored, ms } = query;
  const { entryMatcher: within, enters, includeHidden } = scopeMatcher(query);
  const options = { exclude, includeIgnored, includeHidden, order: "deep", enters, budget: { ms } } as const;
  return walk(view, start.place, options, (directory) => {
    const fits = within(directory.relativePath);
    return take(
      directory,
      directory.entries.filter((entry) => entry.kind === "file" && !entry.raw && fits(entry)),
    );
  });
}

/** What is the same for all files of one search: how long it may go on, and what it could not do. */
function createSearchRun(view: View, start: SearchStart, query: Query, report: ReportHits) {
  const endsAt = performance.now() + query.ms;
  let unreadable = 0;
  const stop = (place: SafePath): false => {
    report({ place, unsearched: timeoutReason(query) });
    return false;
  };
  return {
    /** Whether to go on. */
    async file(place: SafePath): Promise<boolean> {
      if (performance.now() >= endsAt) return stop(place);
      const goesOn = await searchIfReadable(view, place, query, report);
      if (goesOn === "unreadable") unreadable++;
      return goesOn !== false;
    },
    finish(walked: WalkResult): void {
      if (walked.stopped) stop(childOf(start.place, walked.stopped.at));
      if (unreadable + walked.unreadable > 0) report({ place: start.place, unsearched: PARTLY_UNREADABLE });
    },
  };
}

/** Said of where a search that took too long would have gone on. */
export const timeoutReason = ({ ms }: Query): string =>
  `the search ended here after ${ms / 1000} s; search path by path, or name a glob`;

/** Said of where a search began. */
export const PARTLY_UNREADABLE = "some of what is in it cannot be opened";

/** Searches a file that was come across: one that vanished or may not be read spoils nothing. Whether to go on. */
export async function searchIfReadable(
  view: View,
  path: string,
  query: Query,
  report: ReportHits,
): Promise<boolean | "unreadable"> {
  try {
    return await view.withFile(path, (file) => searchFile(file, query, view, report));
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return "unreadable";
  }
}
