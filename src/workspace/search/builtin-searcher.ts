import { type Code, isFault } from "../../base/errors.ts";
import { childOf, pathKey } from "../../base/paths.ts";
import type { Entry, SafePath } from "../../storage/storage.ts";
import { searchFile, timeoutReason } from "./search-file.ts";
import { scopeMatcher } from "./search-scope.ts";
import type { Query, SearchStart, ReportHits } from "./search.ts";
import type { Searcher, View } from "../view.ts";
import { type Visit, type VisitedDirectory, walk, type WalkResult } from "../walk/walk.ts";

/** Searches in this process. It is slower than ripgrep but works on every storage. */
export const builtinSearcher: Searcher = {
  async search(view, start, query, report) {
    if (start.kind === "file") await view.withFile(start.place, (file) => searchFile(file, query, view, report));
    else if (query.isInOrder) await searchInOrder(view, start, query, report);
    else await searchBelow(view, start, query, report);
  },
  async *candidateTexts(view, texts, query) {
    for (const [number, text] of texts.entries()) {
      const pause = view.checkpoint();
      if (pause) await pause;
      if (query.pattern.mayBeIn(text.toString("utf8"))) yield number;
    }
  },
};

/** Searches files in the order in which the walk visits them. */
async function searchBelow(view: View, start: SearchStart, query: Query, report: ReportHits): Promise<void> {
  const search = createSearchRun(view, start, query, report);
  const walked = await walkFiles(view, start, query, async ({ place }, files) => {
    for (const { name } of files) if (!(await search.file(childOf(place, name)))) return false;
    return true;
  });
  search.finish(walked);
}

/** Searches files in the order of their paths. Collects all paths first, so it takes longer and more memory. */
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

function walkFiles(view: View, start: SearchStart, query: Query, visitFiles: VisitFiles): Promise<WalkResult> {
  const { exclude, includeIgnored, ms } = query;
  const { entryMatcher, enters, includeHidden } = scopeMatcher(query);
  const options = { exclude, includeIgnored, includeHidden, order: "deep", enters, budget: { ms } } as const;
  return walk(view, start.place, options, (directory) => {
    const fits = entryMatcher(directory.relativePath);
    return visitFiles(
      directory,
      directory.entries.filter((entry) => entry.kind === "file" && !entry.raw && fits(entry)),
    );
  });
}

/** Holds the state shared by all files of one search: the deadline and the number of unreadable files. */
function createSearchRun(view: View, start: SearchStart, query: Query, report: ReportHits) {
  const endsAt = performance.now() + query.ms;
  let unreadable = 0;
  const stop = (place: SafePath): false => {
    report({ place, unsearched: timeoutReason(query) });
    return false;
  };
  return {
    /** Searches one file. Returns false when the search must stop. */
    async file(place: SafePath): Promise<boolean> {
      if (performance.now() >= endsAt) return stop(place);
      const goesOn = await searchIfReadable(view, place, query, report, endsAt);
      if (goesOn === "unreadable") unreadable++;
      return goesOn !== false;
    },
    finish(walked: WalkResult): void {
      if (walked.stopped) stop(childOf(start.place, walked.stopped.at));
      if (unreadable + walked.unreadable > 0) report({ place: start.place, unsearched: PARTLY_UNREADABLE });
    },
  };
}

/** Is reported for the start of a search that could not open everything below it. */
export const PARTLY_UNREADABLE = "some of its files or directories cannot be opened";

/** Says why a file that could be opened was not read. Others are only counted. */
const FAILED: Partial<Record<Code, string>> = {
  stale: "it changed while it was read",
  io: "it cannot be read",
  timeout: "its storage does not answer",
};

/**
 * Searches a file found by a walk or by ripgrep. Returns false when the caller has enough, and "unreadable" for a file
 * that vanished or cannot be read, because one such file must not fail the whole search.
 */
export async function searchIfReadable(
  view: View,
  path: string,
  query: Query,
  report: ReportHits,
  endsAt = Infinity,
): Promise<boolean | "unreadable"> {
  try {
    return await view.withFile(path, (file) => searchFile(file, query, view, report, endsAt));
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    const unsearched = FAILED[error.code];
    return unsearched === undefined ? "unreadable" : report({ place: path as SafePath, unsearched });
  }
}
