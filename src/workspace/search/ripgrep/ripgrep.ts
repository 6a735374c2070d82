import { Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { ProgramExit, Program, ProgramCommand, Spawn } from "../../../base/program.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { createSemaphore } from "../../../base/semaphore.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { candidateTexts } from "./candidate-texts.ts";
import { type Confirm, createConfirm } from "./confirm.ts";
import { countMatchingLines, isOnlyCounted } from "./count.ts";
import { ripgrepInputFor } from "./ripgrep-input.ts";
import { type Claims, createClaimReader, createNameReader } from "./output.ts";
import { type IsBlockedOnPipe, watchForBlocked } from "./pipe-watchdog.ts";
import { createReportedHits } from "./reported-hits.ts";
import { ripgrepArguments } from "./arguments.ts";
import { ripgrepScope } from "./ripgrep-scope.ts";
import { searchFile, timeoutReason } from "../search-file.ts";
import { createScopeCheck, type ScopeCheck } from "../search-scope.ts";
import { PARTLY_UNREADABLE, searchIfReadable } from "../builtin-searcher.ts";
import type { Query, SearchStart, ReportHits } from "../search.ts";
import type { Searcher, View } from "../../view.ts";

export interface RipgrepDependencies {
  readonly spawn: Spawn;
  /** Returns the path of the program, or null if it is not installed. */
  readonly find: () => Promise<string | null>;
  readonly isBlockedOnPipe: IsBlockedOnPipe;
  /** The size up to which a single file is searched in this process, because starting ripgrep takes longer. */
  readonly smallBytes: number;
  /** Searches if ripgrep is missing, fails, or cannot run the query. */
  readonly fallback: Searcher;
}

/**
 * Uses ripgrep to find candidates and trusts none of them: each file it names is opened through the view, and each line
 * it prints must be in that file. So a link that replaces a file meanwhile reveals nothing outside, not even a count.
 */
export function createRipgrepSearcher(dependencies: RipgrepDependencies): Searcher {
  const { spawn, find, isBlockedOnPipe, smallBytes, fallback } = dependencies;
  const running = createSemaphore(LIMITS.searchesAtOnce);
  let cachedProgram: Promise<string | null> | undefined;
  return {
    async search(view, start, query, report) {
      if (await isSearchedHere({ view, start, query, report }, smallBytes)) return;
      const release = await running.acquire(view.checkpoint);
      try {
        const file = query.isConfidential ? null : await (cachedProgram ??= find());
        const search = isOnlyCounted(query, start)
          ? countMatchingLines
          : start.kind === "file"
            ? searchOneFile
            : searchBelow;
        const isDone =
          file !== null && (await search({ spawn, file, view, start, query, report, isBlockedOnPipe, fallback }));
        if (!isDone) await fallback.search(view, start, query, report);
      } finally {
        release();
      }
    },
    async *candidateTexts(view, texts, query) {
      const file = query.isConfidential || query.isMultiline ? null : await (cachedProgram ??= find());
      if (file === null || texts.length === 0) return yield* fallback.candidateTexts(view, texts, query);
      const release = await running.acquire(view.checkpoint);
      try {
        yield* candidateTexts({ spawn, file, view, query, fallback }, texts);
      } finally {
        release();
      }
    },
  };
}

/** Searches a small file in this process, without waiting for a turn. Returns false for any other start. */
const isSearchedHere = async (
  { view, start, query, report }: Pick<SearchRun, "view" | "start" | "query" | "report">,
  smallBytes: number,
): Promise<boolean> =>
  start.kind === "file" &&
  view.withFile(start.place, async (file) => {
    if (file.facts.size > smallBytes) return false;
    await searchFile(file, query, view, report);
    return true;
  });

interface SearchRun extends Omit<RipgrepDependencies, "find" | "smallBytes"> {
  readonly file: string;
  readonly view: View;
  readonly start: SearchStart;
  readonly query: Query;
  readonly report: ReportHits;
  /** Is set if the search is of this single file. */
  readonly openFile?: OpenFile;
}

/**
 * Searches one file through our handle. If ripgrep fails, as it does when the file is truncated while mapped, the
 * built-in search reports the rest.
 */
function searchOneFile(search: SearchRun): Promise<boolean> {
  const { view, start, query } = search;
  const reportedHits = createReportedHits(search.report);
  return view.withFile(start.place, async (file) => {
    const { input, path } = ripgrepInputFor(file, view);
    const program = startRipgrep(search, { args: ripgrepArguments(query, start, [], path), input });
    const run = { isInScope: null, clock: NO_DEADLINE, hasFallback: () => true };
    try {
      const isDone = await runSearch({ ...search, openFile: file, report: reportedHits.report }, program, run);
      if (!isDone) await searchFile(file, query, view, reportedHits.reportRest);
      return true;
    } finally {
      program.kill();
      // ripgrep reads through our descriptor, which is closed after this.
      await program.exited;
    }
  });
}

/** Searches below a directory; the fallback takes over if ripgrep blocks on a FIFO. Returns false if ripgrep failed. */
async function searchBelow(search: SearchRun): Promise<boolean> {
  const { view, start, query, fallback } = search;
  const { args, needsRuleCheck } = ripgrepScope(query, start.place, view.deniedBelow(start.place));
  const reportedHits = createReportedHits(search.report);
  const program = startRipgrep(search, { args: ripgrepArguments(query, start, args, HERE) });
  const watchdog = watchForBlocked(program, search.isBlockedOnPipe);
  const clock = createDeadline(query.ms, program.kill);
  try {
    const isInScope = await createScopeCheck(view, start.place, query, needsRuleCheck);
    const run = { isInScope, clock, hasFallback: watchdog.wasBlocked };
    if (await runSearch({ ...search, report: reportedHits.report }, program, run)) return true;
    if (!watchdog.wasBlocked()) return false;
    await fallback.search(view, start, query, reportedHits.reportRest);
    return true;
  } finally {
    clock.stop();
    watchdog.stop();
    program.kill();
  }
}

const startRipgrep = ({ spawn, file, start }: SearchRun, command: Pick<ProgramCommand, "args" | "input">): Program =>
  spawn({ ...command, file, directory: directoryOf(start) });

/** Returns false if ripgrep failed and a fallback can start over: nothing was reported yet, or `run` has a fallback. */
async function runSearch(search: SearchRun, program: Program, run: OutputContext): Promise<boolean> {
  const { view, start, query, report } = search;
  const watch = watchCancellation(view.checkpoint, program.kill);
  try {
    const { isEnough, reportedFiles } = await readOutput(program, search, run);
    if (isEnough) return true;
    const exit = await program.exited;
    await watch.check();
    if (run.clock.isUp()) report({ place: start.place, unsearched: timeoutReason(query) });
    else if (hasFailed(exit, start)) {
      if (reportedFiles === 0 || run.hasFallback()) return false;
      throw new Fault("io", "Cannot finish the search: ripgrep ended before it had searched everything");
    } else if (exit.code === SOME_UNREADABLE) report({ place: start.place, unsearched: PARTLY_UNREADABLE });
    return true;
  } finally {
    watch.stop();
  }
}

const directoryOf = ({ kind, place }: SearchStart): string => (kind === "file" ? parentOf(place) : place);

interface Deadline {
  isUp(): boolean;
  stop(): void;
}

/** Calls `end` when the time is up. */
function createDeadline(ms: number, end: () => void): Deadline {
  const endsAt = performance.now() + ms;
  const timer = ms === Infinity ? undefined : setTimeout(end, ms);
  return { isUp: () => performance.now() >= endsAt, stop: () => clearTimeout(timer) };
}

/** Is used for a single file, which has no time limit. */
const NO_DEADLINE: Deadline = { isUp: () => false, stop: () => {} };

/** The exit code when some files could not be opened; with --no-messages nothing is printed then. */
const SOME_UNREADABLE = 2;

/** Returns true unless ripgrep searched what it could. A single file is open already, so it cannot be unreadable. */
const hasFailed = ({ code, stderr }: ProgramExit, { kind }: SearchStart): boolean =>
  code === null || code > SOME_UNREADABLE || (code === SOME_UNREADABLE && (stderr !== "" || kind === "file"));

interface OutputResult {
  readonly isEnough: boolean;
  /** Counts the files for which results were reported. */
  readonly reportedFiles: number;
}

interface OutputContext {
  readonly isInScope: ScopeCheck | null;
  readonly clock: Deadline;
  /** Returns true if a fallback continues a failed search even after some hits were reported. */
  readonly hasFallback: () => boolean;
}

async function readOutput(
  program: Program,
  search: SearchRun,
  { isInScope, clock }: OutputContext,
): Promise<OutputResult> {
  const { query, view } = search;
  const read = query.isMultiline ? createNameReader() : createClaimReader();
  const handler = createClaimHandler(search);
  for await (const chunk of program.output) {
    for (const claims of read(chunk)) {
      if (clock.isUp()) return { isEnough: false, reportedFiles: handler.reportedFiles() };
      const pause = view.checkpoint();
      if (pause) await pause;
      if (isInScope && !(await isInScope(claims.path.slice(HERE.length)))) continue;
      if (!(await handler.handle(claims))) return { isEnough: true, reportedFiles: handler.reportedFiles() };
    }
  }
  return { isEnough: false, reportedFiles: handler.reportedFiles() };
}

const HERE = "./";

/** Checks claims and reports the hits. A file with a wrong claim is searched by the built-in search, once. */
function createClaimHandler({ view, start, query, report, openFile }: SearchRun) {
  const directory = directoryOf(start);
  // ripgrep reads a single file from its standard input, so its output has no path.
  const onlyPath = start.kind === "file" ? HERE + nameIn(start.place) : undefined;
  const confirm = createConfirm(query);
  let reported = 0;
  let last = { path: "", isSearchedHere: false };
  const searchHere = async (path: string): Promise<boolean> => {
    const isPartlyReported = last.path === path;
    last = { path, isSearchedHere: true };
    // Part of the file was reported already, and the file changed since: its remaining matches are left out.
    if (isPartlyReported) return true;
    reported++;
    if (openFile) return searchFile(openFile, query, view, report);
    const goesOn = await searchIfReadable(view, childOf(directory, path.slice(HERE.length)), query, report);
    return goesOn !== false;
  };
  return {
    reportedFiles: () => reported,
    /** Handles the claims of one chunk about one file. Returns false when the caller has enough. */
    async handle(claims: Claims): Promise<boolean> {
      const path = onlyPath ?? claims.path;
      if (last.path === path && last.isSearchedHere) return true;
      if (query.isMultiline) return searchHere(path);
      const found = openFile
        ? await confirm(openFile, claims)
        : await confirmFile(view, childOf(directory, path.slice(HERE.length)), claims, confirm);
      // This must not be reported: only ripgrep knows that the file matches, and it may lie outside the workspace.
      if (found === "unreadable") return true;
      if (found === null) return searchHere(path);
      last = { path, isSearchedHere: false };
      reported++;
      return found.count === 0 || report(found);
    },
  };
}

async function confirmFile(view: View, path: string, claims: Claims, confirm: Confirm) {
  try {
    return await view.withFile(path, (file) => confirm(file, claims));
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return "unreadable";
  }
}
