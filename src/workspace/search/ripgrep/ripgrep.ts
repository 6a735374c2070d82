import { Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { ProgramExit, Program, ProgramCommand, Spawn } from "../../../base/program.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { createSemaphore } from "../../../base/semaphore.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { type Confirm, createConfirm } from "./confirm.ts";
import { countMatchingLines, isOnlyCounted } from "./count.ts";
import { ripgrepInputFor } from "./ripgrep-input.ts";
import { type Claims, createClaimReader, createNameReader } from "./output.ts";
import { type IsBlockedOnPipe, watchForBlocked } from "./pipe-watchdog.ts";
import { createReportedHits } from "./reported-hits.ts";
import { ripgrepArguments } from "./arguments.ts";
import { ripgrepScope } from "./ripgrep-scope.ts";
import { searchFile } from "../search-file.ts";
import { createScopeCheck, type ScopeCheck } from "../search-scope.ts";
import { PARTLY_UNREADABLE, searchIfReadable, timeoutReason } from "../builtin-searcher.ts";
import type { Query, SearchStart, ReportHits } from "../search.ts";
import type { Searcher, View } from "../../view.ts";

export interface RipgrepDependencies {
  readonly spawn: Spawn;
  /** Where the program is; null where it is not installed. */
  readonly find: () => Promise<string | null>;
  readonly isBlockedOnPipe: IsBlockedOnPipe;
  /** Who searches where there is no ripgrep, or what it cannot. */
  readonly fallback: Searcher;
}

/**
 * Asks ripgrep where to look, and believes nothing: each file it names is opened through the view, and each line it
 * shows must be there. So a link that takes a file's place meanwhile leads nobody outside, not even by a count.
 */
export function createRipgrepSearcher({ spawn, find, isBlockedOnPipe, fallback }: RipgrepDependencies): Searcher {
  const running = createSemaphore(LIMITS.searchesAtOnce);
  let known: Promise<string | null> | undefined;
  return {
    async search(view, start, query, report) {
      const release = await running.acquire(view.checkpoint);
      try {
        const file = query.isConfidential ? null : await (known ??= find());
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
  };
}

interface SearchRun extends Omit<RipgrepDependencies, "find"> {
  readonly file: string;
  readonly view: View;
  readonly start: SearchStart;
  readonly query: Query;
  readonly report: ReportHits;
  /** The file alone that is searched. */
  readonly openFile?: OpenFile;
}

/** Searches one file that we hold open. Where ripgrep fails, as at a file that is cut while it is mapped, we go on. */
function searchOneFile(search: SearchRun): Promise<boolean> {
  const { view, start, query } = search;
  const tally = createReportedHits(search.report);
  return view.withFile(start.place, async (held) => {
    const { input, path } = ripgrepInputFor(held, view);
    const program = startRipgrep(search, { args: ripgrepArguments(query, start, [], path), input });
    const run = { isInScope: null, clock: NO_DEADLINE, hasFallback: () => true };
    try {
      const isDone = await runSearch({ ...search, openFile: held, report: tally.report }, program, run);
      if (!isDone) await searchFile(held, query, view, tally.reportRest);
      return true;
    } finally {
      program.kill();
      // What it was given to read is our hold of the file, which ends after this.
      await program.exited;
    }
  });
}

/** Searches all below a directory. Where ripgrep waits at a FIFO, somebody else goes on. Whether it was done. */
async function searchBelow(search: SearchRun): Promise<boolean> {
  const { view, start, query, fallback } = search;
  const { args, needsRuleCheck } = ripgrepScope(query, start.place, view.deniedBelow(start.place));
  const tally = createReportedHits(search.report);
  const program = startRipgrep(search, { args: ripgrepArguments(query, start, args, HERE) });
  const watchdog = watchForBlocked(program, search.isBlockedOnPipe);
  const clock = createDeadline(query.ms, program.kill);
  try {
    const isInScope = await createScopeCheck(view, start.place, query, needsRuleCheck);
    const run = { isInScope, clock, hasFallback: watchdog.wasBlocked };
    if (await runSearch({ ...search, report: tally.report }, program, run)) return true;
    if (!watchdog.wasBlocked()) return false;
    await fallback.search(view, start, query, tally.reportRest);
    return true;
  } finally {
    clock.stop();
    watchdog.stop();
    program.kill();
  }
}

const startRipgrep = ({ spawn, file, start }: SearchRun, how: Pick<ProgramCommand, "args" | "input">): Program =>
  spawn({ ...how, file, directory: directoryOf(start) });

/** Whether ripgrep did it. When it fails before anything was told, somebody else can begin anew. */
async function runSearch(search: SearchRun, program: Program, run: OutputContext): Promise<boolean> {
  const { view, start, query, report } = search;
  const watch = watchCancellation(view.checkpoint, program.kill);
  try {
    const { isEnough, reportedFiles } = await readOutput(program, search, run);
    if (isEnough) return true;
    const ending = await program.exited;
    await watch.check();
    if (run.clock.isUp()) report({ place: start.place, unsearched: timeoutReason(query) });
    else if (hasFailed(ending, start)) {
      if (reportedFiles === 0 || run.hasFallback()) return false;
      throw new Fault("io", "Cannot finish the search: ripgrep ended before it had searched everything");
    } else if (ending.code === SOME_UNREADABLE) report({ place: start.place, unsearched: PARTLY_UNREADABLE });
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

/** Ends what takes longer than it may. */
function createDeadline(ms: number, end: () => void): Deadline {
  const endsAt = performance.now() + ms;
  const timer = ms === Infinity ? undefined : setTimeout(end, ms);
  return { isUp: () => performance.now() >= endsAt, stop: () => clearTimeout(timer) };
}

/** Of a file alone. */
const NO_DEADLINE: Deadline = { isUp: () => false, stop: () => {} };

/** It says nothing then. */
const SOME_UNREADABLE = 2;

/** A file alone was readable when we opened it. */
const hasFailed = ({ code, stderr }: ProgramExit, { kind }: SearchStart): boolean =>
  code === null || code > SOME_UNREADABLE || (code === SOME_UNREADABLE && (stderr !== "" || kind === "file"));

interface OutputResult {
  readonly isEnough: boolean;
  /** How many files were told of. */
  readonly reportedFiles: number;
}

interface OutputContext {
  readonly isInScope: ScopeCheck | null;
  readonly clock: Deadline;
  /** Whether somebody else goes on where it failed, after some was told. */
  readonly hasFallback: () => boolean;
}

async function readOutput(
  program: Program,
  search: SearchRun,
  { isInScope, clock }: OutputContext,
): Promise<OutputResult> {
  const { query, view } = search;
  const read = query.isMultiline ? createNameReader() : createClaimReader();
  const listener = createClaimHandler(search);
  for await (const chunk of program.output) {
    for (const claims of read(chunk)) {
      if (clock.isUp()) return { isEnough: false, reportedFiles: listener.told() };
      const pause = view.checkpoint();
      if (pause) await pause;
      const inScope = isInScope === null || isInScope(claims.path.slice(HERE.length));
      if (!(inScope instanceof Promise ? await inScope : inScope)) continue;
      if (!(await listener.handle(claims))) return { isEnough: true, reportedFiles: listener.told() };
    }
  }
  return { isEnough: false, reportedFiles: listener.told() };
}

const HERE = "./";

/** Turns claims into what is told. A file whose claims do not hold is searched by ourselves, once. */
function createClaimHandler({ view, start, query, report, openFile }: SearchRun) {
  const directory = directoryOf(start);
  // What it is given to read has no name for it.
  const onlyPath = start.kind === "file" ? HERE + nameIn(start.place) : undefined;
  const confirm = createConfirm(query);
  let reported = 0;
  let last = { relativePath: "", isOurs: false };
  const searchOurselves = async (way: string): Promise<boolean> => {
    const isRepeated = last.relativePath === way;
    last = { relativePath: way, isOurs: true };
    // Part of it was told already: the file changes under our hands, and what is left of it is left out.
    if (isRepeated) return true;
    reported++;
    if (openFile) return searchFile(openFile, query, view, report);
    const goesOn = await searchIfReadable(view, childOf(directory, way.slice(HERE.length)), query, report);
    return goesOn !== false;
  };
  return {
    told: () => reported,
    /** Whether to go on. */
    async handle(claims: Claims): Promise<boolean> {
      const way = onlyPath ?? claims.path;
      if (last.relativePath === way && last.isOurs) return true;
      if (query.isMultiline) return searchOurselves(way);
      const found = openFile
        ? await confirm(openFile, claims)
        : await confirmed(view, childOf(directory, way.slice(HERE.length)), claims, confirm);
      // Not told: that it matches is known only from ripgrep, and it may lie outside.
      if (found === "unreadable") return true;
      if (found === null) return searchOurselves(way);
      last = { relativePath: way, isOurs: false };
      reported++;
      return found.count === 0 || report(found);
    },
  };
}

async function confirmed(view: View, path: string, claims: Claims, confirm: Confirm) {
  try {
    return await view.withFile(path, (file) => confirm(file, claims));
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return "unreadable";
  }
}
