import { Fault, isFault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { Ending, Program, ProgramStart, Spawn } from "../../../base/program.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { createSemaphore } from "../../../base/semaphore.ts";
import type { OpenFile } from "../../../storage/storage.ts";
import { type Confirm, createConfirm } from "./confirm.ts";
import { countMatchingLines, isOnlyCounted } from "./count.ts";
import { givenAlone } from "./given-file.ts";
import { type Claims, createClaimReader, createNameReader } from "./output.ts";
import { createReportedHits, type WaitsAtPipe, watchForBlocked } from "./blocked.ts";
import { ripgrepArguments } from "./arguments.ts";
import { ripgrepScope } from "./scope.ts";
import { searchFile } from "../search-file.ts";
import { createScopeCheck, type ScopeCheck } from "../scope.ts";
import { NOT_ALL_READABLE, searchMet, tookTooLong } from "../own-searcher.ts";
import type { Query, Start, ReportHits } from "../search.ts";
import type { Searcher, View } from "../../view.ts";

export interface RipgrepParts {
  readonly spawn: Spawn;
  /** Where the program is; null where it is not installed. */
  readonly find: () => Promise<string | null>;
  readonly waitsAtPipe: WaitsAtPipe;
  /** Who searches where there is no ripgrep, or what it cannot. */
  readonly otherwise: Searcher;
}

/**
 * Asks ripgrep where to look, and believes nothing: each file it names is opened through the view, and each line it
 * shows must be there. So a link that takes a file's place meanwhile leads nobody outside, not even by a count.
 */
export function createRipgrepSearcher({ spawn, find, waitsAtPipe, otherwise }: RipgrepParts): Searcher {
  const running = createSemaphore(LIMITS.searchesAtOnce);
  let known: Promise<string | null> | undefined;
  return {
    async search(view, start, query, tell) {
      const release = await running.acquire(view.checkpoint);
      try {
        const file = query.isConfidential ? null : await (known ??= find());
        const search = isOnlyCounted(query, start)
          ? countMatchingLines
          : start.kind === "file"
            ? searchAlone
            : searchBelow;
        const isDone =
          file !== null && (await search({ spawn, file, view, start, query, tell, waitsAtPipe, otherwise }));
        if (!isDone) await otherwise.search(view, start, query, tell);
      } finally {
        release();
      }
    },
  };
}

interface Search extends Omit<RipgrepParts, "find"> {
  readonly file: string;
  readonly view: View;
  readonly start: Start;
  readonly query: Query;
  readonly tell: ReportHits;
  /** The file alone that is searched. */
  readonly held?: OpenFile;
}

/** Searches one file that we hold open. Where ripgrep fails, as at a file that is cut while it is mapped, we go on. */
function searchAlone(search: Search): Promise<boolean> {
  const { view, start, query } = search;
  const tally = createReportedHits(search.tell);
  return view.withFile(start.place, async (held) => {
    const { input, at } = givenAlone(held, view);
    const program = startRipgrep(search, { words: ripgrepArguments(query, start, [], at), input });
    const hearing = { isInScope: null, clock: ENDLESS, isTakenOver: () => true };
    try {
      const isDone = await searchBy({ ...search, held, tell: tally.tell }, program, hearing);
      if (!isDone) await searchFile(held, query, view, tally.tellRest);
      return true;
    } finally {
      program.kill();
      // What it was given to read is our hold of the file, which ends after this.
      await program.ended;
    }
  });
}

/** Searches all below a directory. Where ripgrep waits at a FIFO, somebody else goes on. Whether it was done. */
async function searchBelow(search: Search): Promise<boolean> {
  const { view, start, query, otherwise } = search;
  const { words, asksRules } = ripgrepScope(query, start.place, view.closedBelow(start.place));
  const tally = createReportedHits(search.tell);
  const program = startRipgrep(search, { words: ripgrepArguments(query, start, words, HERE) });
  const waiting = watchForBlocked(program, search.waitsAtPipe);
  const clock = createClock(query.ms, program.kill);
  try {
    const isInScope = await createScopeCheck(view, start.place, query, asksRules);
    const hearing = { isInScope, clock, isTakenOver: waiting.hasWaited };
    if (await searchBy({ ...search, tell: tally.tell }, program, hearing)) return true;
    if (!waiting.hasWaited()) return false;
    await otherwise.search(view, start, query, tally.tellRest);
    return true;
  } finally {
    clock.stop();
    waiting.stop();
    program.kill();
  }
}

const startRipgrep = ({ spawn, file, start }: Search, how: Pick<ProgramStart, "words" | "input">): Program =>
  spawn({ ...how, file, directory: directoryOf(start) });

/** Whether ripgrep did it. When it fails before anything was told, somebody else can begin anew. */
async function searchBy(search: Search, program: Program, hearing: Hearing): Promise<boolean> {
  const { view, start, query, tell } = search;
  const watch = watchCancellation(view.checkpoint, program.kill);
  try {
    const { isEnough, told } = await hear(program, search, hearing);
    if (isEnough) return true;
    const ending = await program.ended;
    await watch.check();
    if (hearing.clock.isUp()) tell({ place: start.place, unsearched: tookTooLong(query) });
    else if (hasFailed(ending, start)) {
      if (told === 0 || hearing.isTakenOver()) return false;
      throw new Fault("io", "Cannot finish the search: ripgrep ended before it had searched everything");
    } else if (ending.code === SOME_UNREADABLE) tell({ place: start.place, unsearched: NOT_ALL_READABLE });
    return true;
  } finally {
    watch.stop();
  }
}

const directoryOf = ({ kind, place }: Start): string => (kind === "file" ? parentOf(place) : place);

interface Clock {
  isUp(): boolean;
  stop(): void;
}

/** Ends what takes longer than it may. */
function createClock(ms: number, end: () => void): Clock {
  const endsAt = performance.now() + ms;
  const timer = ms === Infinity ? undefined : setTimeout(end, ms);
  return { isUp: () => performance.now() >= endsAt, stop: () => clearTimeout(timer) };
}

/** Of a file alone. */
const ENDLESS: Clock = { isUp: () => false, stop: () => {} };

/** It says nothing then. */
const SOME_UNREADABLE = 2;

/** A file alone was readable when we opened it. */
const hasFailed = ({ code, complaint }: Ending, { kind }: Start): boolean =>
  code === null || code > SOME_UNREADABLE || (code === SOME_UNREADABLE && (complaint !== "" || kind === "file"));

interface Heard {
  readonly isEnough: boolean;
  /** How many files were told of. */
  readonly told: number;
}

interface Hearing {
  readonly isInScope: ScopeCheck | null;
  readonly clock: Clock;
  /** Whether somebody else goes on where it failed, after some was told. */
  readonly isTakenOver: () => boolean;
}

async function hear(program: Program, search: Search, { isInScope, clock }: Hearing): Promise<Heard> {
  const { query, view } = search;
  const read = query.isMultiline ? createNameReader() : createClaimReader();
  const listener = createListener(search);
  for await (const chunk of program.output) {
    for (const claims of read(chunk)) {
      if (clock.isUp()) return { isEnough: false, told: listener.told() };
      const pause = view.checkpoint();
      if (pause) await pause;
      const met = isInScope === null || isInScope(claims.way.slice(HERE.length));
      if (!(met instanceof Promise ? await met : met)) continue;
      if (!(await listener.hear(claims))) return { isEnough: true, told: listener.told() };
    }
  }
  return { isEnough: false, told: listener.told() };
}

const HERE = "./";

/** Turns claims into what is told. A file whose claims do not hold is searched by ourselves, once. */
function createListener({ view, start, query, tell, held }: Search) {
  const directory = directoryOf(start);
  // What it is given to read has no name for it.
  const alone = start.kind === "file" ? HERE + nameIn(start.place) : undefined;
  const confirm = createConfirm(query);
  let told = 0;
  let last = { way: "", isOurs: false };
  const searchOurselves = async (way: string): Promise<boolean> => {
    const isRepeated = last.way === way;
    last = { way, isOurs: true };
    // Part of it was told already: the file changes under our hands, and what is left of it is left out.
    if (isRepeated) return true;
    told++;
    if (held) return searchFile(held, query, view, tell);
    const goesOn = await searchMet(view, childOf(directory, way.slice(HERE.length)), query, tell);
    return goesOn !== false;
  };
  return {
    told: () => told,
    /** Whether to go on. */
    async hear(claims: Claims): Promise<boolean> {
      const way = alone ?? claims.way;
      if (last.way === way && last.isOurs) return true;
      if (query.isMultiline) return searchOurselves(way);
      const found = held
        ? await confirm(held, claims)
        : await confirmed(view, childOf(directory, way.slice(HERE.length)), claims, confirm);
      // Not told: that it matches is known only from ripgrep, and it may lie outside.
      if (found === "unreadable") return true;
      if (found === null) return searchOurselves(way);
      last = { way, isOurs: false };
      told++;
      return found.count === 0 || tell(found);
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
