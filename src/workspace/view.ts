import { type Code, hasCode, isFault } from "../base/errors.ts";
import { type Version, versionOfFacts } from "../base/version.ts";
import { type Checkpoint, type Cancellation, createCheckpoint, stopIfCancelled } from "../base/time-slicing.ts";
import { childOf, parentOf, relativePath } from "../base/paths.ts";
import type {
  Entry,
  Facts,
  DirectoryHandle,
  LastLink,
  OpenDirectory,
  OpenFile,
  SafePath,
  Storage,
} from "../storage/storage.ts";
import type { StorageWriter, ObjectName, Place, Snapshot, TreeEntries } from "../storage/writer.ts";
import { isPath } from "../storage/place.ts";
import type { History } from "./changes/history.ts";
import { confine, type RootName } from "./confine.ts";
import type { UncuttableRanges } from "../text/cut-points.ts";
import type { KnownLines } from "./read/line-index.ts";
import type { ReadAheadWorker } from "./walk/worker/job.ts";
import type { Query, SearchStart, ReportHits } from "./search/search.ts";
import { createSeenFiles, type SeenFiles } from "./read/seen-files.ts";
import { plainTarget } from "./plain-target.ts";
import type { TrashItem } from "./changes/trash/notes.ts";

/** What a tool sees: it can look at what the rules admit, and can change nothing. Lives as long as one call. */
export interface View {
  readonly roots: readonly RootName[];
  /** Awaited inside long loops; throws once the call is cancelled. */
  readonly checkpoint: Checkpoint;
  progress(done: number, total?: number): void;
  look(path: string, last: LastLink): Promise<Facts | null>;
  withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T>;
  withDirectory<T>(path: string, use: (directory: OpenDirectory) => T | Promise<T>): Promise<T>;
  /** The entries of a directory that may be shown. */
  entriesOf(directory: OpenDirectory): Promise<readonly Entry[]>;
  /** Those of its entries that may be shown. */
  visibleEntries(directory: SafePath, entries: readonly Entry[]): readonly Entry[];
  /** Whether something below a directory might not be shown. */
  mayHideBelow(directory: SafePath): boolean;
  /** Whether a place may be named. */
  isVisible(place: SafePath): boolean;
  /** Whether a directory that was come across may be opened without asking anybody. */
  mayOpen(place: SafePath): boolean;
  /** A directory for a walk, which lets go of it. What is entered from it must be one that `opens`. */
  openDirectory(path: string): Promise<DirectoryHandle>;
  /** Where a link leads. What may not be shown counts as outside. */
  linkTargetOf(place: SafePath): Promise<LinkTarget>;
  /** How a place is called in answers: relative while there is one root, so that it can be used as it is. */
  nameOf(place: SafePath): string;
  linesOf(facts: Facts): KnownLines;
  /** Where something is or would be, links on the way resolved; the last one too unless it is meant itself. */
  target(path: string, last: LastLink): Promise<Target>;
  /** What is at a real place now, with its version. */
  see(place: SafePath): Snapshot | null;
  /** Changes when anything in a tree does; null for nothing, and for more than `most` entries. */
  fingerprint(place: SafePath, most: number): string | null;
  /** Lists a tree in the workspace or in the store; null for nothing, and for more than `most` entries. */
  entriesIn(place: Place, most: number, isLeftOut: (way: string) => boolean): TreeEntries | null;
  /** The bytes that had this version, if they are still kept and may be seen: at this place, if this session saw them there. */
  recall(version: Version, place?: SafePath): Promise<Uint8Array | null>;
  /** What this session has seen of files. */
  readonly seen: SeenFiles;
  /** What the workspace remembers. */
  readonly past: HistoryReader;
  /** Tells what is found in a file, or in the files below a directory. */
  search(start: SearchStart, query: Query, tell: ReportHits): Promise<void>;
  /** Places below a directory that the rules close. */
  deniedBelow(directory: SafePath): readonly SafePath[];
  /** Reads directories beside a walk; what it read is nothing that was shown. */
  readonly worker: ReadAheadWorker | undefined;
  /** The text of a file, to look for something in that a caller has named. */
  redactable(place: SafePath, text: string): Redactable;
  /** Finds what an excerpt of a text must not cut apart: half of it would not be known again, and be shown. */
  readonly uncut: UncuttableRanges;
}

/** Where a link leads: to a place inside, to a name inside that nothing has, or outside. */
export type LinkTarget =
  | { readonly kind: "inside"; readonly place: SafePath }
  | { readonly kind: "dangling" | "outside" };

/** A text in which no secret can be found, with everything where it really is. */
export interface Redactable {
  readonly text: string;
  /** What was made of it, as it really is. */
  real(text: string): string;
}

/** A text as it is: nothing in it is hidden. */
export const notRedacted = (text: string): Redactable => ({ text, real: (made) => made });

export interface Target {
  readonly place: SafePath;
  /** What is there. */
  readonly now: Snapshot | null;
  /** Directories above it that do not exist, outermost first. */
  readonly missing: readonly SafePath[];
}

/** What the workspace remembers of changes. */
export interface HistoryReader extends Omit<History, "recall"> {
  see(object: ObjectName): Snapshot | null;
  contentOf(object: ObjectName, from?: number, most?: number): Uint8Array | null;
  /** Newest first; with a path, what was deleted from there. */
  trash(path?: SafePath): readonly TrashItem[];
  trashItem(id: string, path?: SafePath): TrashItem | null;
}

/** What the rules let a caller see. */
export interface PathPolicy {
  /**
   * Throws when the rules refuse this place. Asked for everything that is opened or shown, by its real place: to be named
   * in a listing, or to be changed, is to be shown. A refusal names it as the caller did: not where a link leads.
   */
  checkAccess(place: SafePath, how: "open" | "show", spelled?: SafePath): void;
  /** Whether a place could be opened without asking. Quick: walks ask it of every directory. */
  mayOpen(place: SafePath): boolean;
  /** Whether something below this directory might not be shown; where all may, no entry need be judged. */
  mayHideBelow(directory: SafePath): boolean;
  /** Places below this directory that nothing may be read from. */
  deniedBelow(directory: SafePath): readonly SafePath[];
}

/** What the call around a view decides and hears. */
export interface AccessCallbacks extends PathPolicy {
  /** What is shown of a file that was opened by this spelling. Quick where that is the file itself. */
  redactedFile?(file: OpenFile, spelled: SafePath): OpenFile | Promise<OpenFile>;
  /** Told of the bytes of an earlier version, at this place if it is known, before a tool gets them. */
  onRecall?(bytes: Uint8Array, place?: SafePath): void;
  /** The text of a file, as somebody may look for something in it. */
  redactable?(place: SafePath, text: string): Redactable;
  /** Finds what an excerpt of a text must not cut apart; nothing when absent. */
  readonly uncut?: UncuttableRanges;
  /** What to look for, so that it is found where this viewer would see it. */
  rewriteQuery?(query: Query): Query | Promise<Query>;
  /** What the session around the call has seen so far; nothing when absent. */
  readonly seen?: SeenFiles | undefined;
  readonly signal: Cancellation;
  readonly progress: (done: number, total?: number) => void;
}

/**
 * Finds what is in files. Everything it tells was read through the view: nothing outside, and nothing that the rules
 * hide, is told or counted, whatever happens on the disk meanwhile. `test/contracts/searcher.ts` is the definition.
 */
export interface Searcher {
  /** Resolves once all is told, or enough was. */
  search(view: View, start: SearchStart, query: Query, tell: ReportHits): Promise<void>;
}

/** What every view of one workspace shares. */
export interface ViewDependencies {
  readonly storage: Storage;
  readonly roots: readonly RootName[];
  readonly linesOf: View["linesOf"];
  readonly past: FullHistory;
  readonly prober: Prober;
  readonly searcher: Searcher;
  readonly worker?: ReadAheadWorker | undefined;
}

/** What is remembered, whoever may see it. */
export interface FullHistory extends HistoryReader, Pick<History, "recall"> {}

/** How places are looked at, whoever may see them. */
export type Prober = Pick<StorageWriter, "snapshot" | "hasParent" | "fingerprint" | "entriesIn" | "contentOf">;

export function createView(dependencies: ViewDependencies, access: AccessCallbacks): View {
  const { storage, roots, linesOf, past, prober, searcher, worker } = dependencies;
  const checkpoint = createCheckpoint(access.signal);
  const view: View = {
    roots,
    checkpoint,
    progress: access.progress,
    ...createPathAccess(dependencies, access),
    entriesOf: async (directory) => visibleTo(access, directory.facts().path, await directory.entries()),
    visibleEntries: (directory, entries) => visibleTo(access, directory, entries),
    mayHideBelow: access.mayHideBelow,
    isVisible: (place) => isAllowed(access, place, "show"),
    mayOpen: access.mayOpen,
    linkTargetOf: (place) => linkTargetFrom(storage, access, place),
    nameOf: (place) => nameOf(roots, place),
    linesOf,
    see(place) {
      access.checkAccess(place, "show");
      return prober.snapshot(place);
    },
    fingerprint(place, most) {
      access.checkAccess(place, "show");
      return prober.fingerprint(place, most);
    },
    entriesIn(place, most, isLeftOut) {
      if (isPath(place)) access.checkAccess(place, "show");
      return prober.entriesIn(place, most, isLeftOut);
    },
    async recall(version, place) {
      const seen =
        place !== undefined && isAllowed(access, place, "open") ? view.seen.bytesAt(place, version) : undefined;
      const bytes = seen ?? (await past.recall(version, checkpoint, (each) => isAllowed(access, each, "open")));
      if (bytes) access.onRecall?.(bytes, place);
      return bytes;
    },
    seen: access.seen ?? createSeenFiles(),
    past,
    async search(start, query, report) {
      const rewritten = access.rewriteQuery ? await access.rewriteQuery(query) : query;
      return searcher.search(view, start, { ...rewritten, uncut: view.uncut }, report);
    },
    deniedBelow: access.deniedBelow,
    redactable: access.redactable ?? ((_, text) => notRedacted(text)),
    uncut: access.uncut ?? (() => []),
    worker,
  };
  return view;
}

/** All that begins with a path of the caller's. */
type PathAccess = Pick<View, "look" | "withFile" | "withDirectory" | "openDirectory" | "target">;

function createPathAccess({ storage, roots, prober }: ViewDependencies, access: AccessCallbacks): PathAccess {
  const { located, checkOpened } = createAccessCheck(storage, roots, access);
  const hidden = (place: SafePath) => async (error: unknown) => {
    if (hasCode(error, ...MISSING)) await checkAccessAbove(storage, access, place);
    throw error;
  };
  const held = async (place: SafePath) =>
    closedUnlessAllowed(await storage.openDirectory(place), (facts) => checkOpened(facts, place));
  return {
    async look(path, last) {
      const at = located(path);
      const place = typeof at === "string" ? at : await at;
      const facts = await storage.stat(place, last);
      if (facts && facts.path !== place) access.checkAccess(facts.path, "show", place);
      if (!facts) await checkAccessAbove(storage, access, place);
      return facts;
    },
    async withFile(path, use) {
      const at = located(path);
      const place = typeof at === "string" ? at : await at;
      const opened = storage.withFile(place, (file) => {
        checkOpened(file.facts, place);
        const seen = access.redactedFile?.(file, place) ?? file;
        return seen instanceof Promise ? seen.then(use) : use(seen);
      });
      return opened.catch(hidden(place));
    },
    async withDirectory(path, use) {
      const at = located(path);
      const place = typeof at === "string" ? at : await at;
      const opened = storage.withDirectory(place, (directory) => {
        checkOpened(directory.facts(), place);
        return use(directory);
      });
      return opened.catch(hidden(place));
    },
    async openDirectory(path) {
      const place = await located(path);
      return held(place).catch(hidden(place));
    },
    async target(path, last) {
      const spelled = await located(path);
      const place = last === "keep" ? await unfollowedLink(storage, spelled) : spelled;
      if (place !== spelled) access.checkAccess(place, "show");
      return targetOf(storage, prober, access, place, last).catch(hidden(place));
    },
  };
}

/** How what comes in as a path is judged: by its spelling, and by its real place once it is open. */
function createAccessCheck(storage: Storage, roots: readonly RootName[], access: AccessCallbacks) {
  const shown = (place: SafePath): SafePath => {
    access.checkAccess(place, "show");
    return place;
  };
  return {
    located(path: string): SafePath | Promise<SafePath> {
      stopIfCancelled(access.signal);
      const place = locatePath(storage, roots, path);
      return typeof place === "string" ? shown(place) : place.then(shown);
    },
    /** Whether it may be opened is asked only of what is there. A link must not get around a rule. */
    checkOpened(facts: Facts, spelled: SafePath): void {
      access.checkAccess(facts.path, "open", spelled);
      if (facts.path !== spelled) access.checkAccess(spelled, "open");
    },
  };
}

/** Let go again when it may not be seen. */
function closedUnlessAllowed(directory: DirectoryHandle, judge: (facts: Facts) => void): DirectoryHandle {
  try {
    judge(directory.facts());
    return directory;
  } catch (error) {
    directory.close();
    throw error;
  }
}

/** A slash at the end does not lead through a link where the link itself is meant: it would go with all behind it. */
async function unfollowedLink(storage: Storage, spelled: SafePath): Promise<SafePath> {
  if (!spelled.endsWith("/.")) return spelled;
  const named = spelled.slice(0, -2) as SafePath;
  const facts = await storage.stat(named, "keep").catch(() => null);
  return facts?.kind === "symlink" ? named : spelled;
}

async function targetOf(
  storage: Storage,
  prober: Prober,
  access: AccessCallbacks,
  spelled: SafePath,
  last: LastLink,
): Promise<Target> {
  const plain = plainTarget(prober, spelled, last);
  if (plain) return { place: spelled, now: plain.now, missing: [] };
  const { place, facts, missing } = await storage.destination(spelled, last);
  access.checkAccess(place, "show", spelled);
  const now = facts?.kind === "directory" ? { facts, version: versionOfFacts(facts) } : facts && prober.snapshot(place);
  return { place, now, missing };
}

/** That something is missing, or is no directory, may only be told where what is there may be seen. */
async function checkAccessAbove(storage: Storage, access: AccessCallbacks, place: SafePath): Promise<void> {
  const end = await storage.destination(place, "follow").catch(() => null);
  if (end) access.checkAccess(end.place, "show", place);
  for (let above = parentOf(place) as SafePath; above !== "/"; above = parentOf(above) as SafePath) {
    const facts = await storage.stat(above, "follow").catch(() => null);
    if (facts) return access.checkAccess(facts.path, "show", place);
  }
}

const MISSING: readonly Code[] = ["not_found", "not_a_directory", "not_a_file"];

/** A relative path means the first root in which it exists, or the first root when it exists in none. */
export function locatePath(storage: Storage, roots: readonly RootName[], path: string): SafePath | Promise<SafePath> {
  if (MENTION.test(path)) return locateMention(storage, roots, path);
  const places = confine(roots, path);
  return places.length === 1 ? places[0] : firstExisting(storage, places);
}

/** Agents are pointed to files as "@src/main.ts" and name them so. "./@name" is never taken for that. */
const MENTION = /^@[^@]/;

/** A name that really begins with "@" wins, and so does a directory that does. */
async function locateMention(storage: Storage, roots: readonly RootName[], path: string): Promise<SafePath> {
  const literal = confine(roots, `./${path}`);
  const scopes = confine(roots, `./${path.split("/")[0]}`);
  for (const scope of scopes) if (await exists(storage, scope)) return firstExisting(storage, literal);
  return locatePath(storage, roots, path.slice(1));
}

async function firstExisting(storage: Storage, places: readonly [SafePath, ...SafePath[]]): Promise<SafePath> {
  for (const place of places) {
    if (await exists(storage, place)) return place;
  }
  return places[0];
}

/** What cannot even be looked at counts as there: a refusal must not turn into a search elsewhere. */
async function exists(storage: Storage, place: SafePath): Promise<boolean> {
  try {
    return (await storage.stat(place, "keep")) !== null;
  } catch (error) {
    return !hasCode(error, "not_found");
  }
}

function isAllowed(access: AccessCallbacks, place: SafePath, how: "open" | "show"): boolean {
  try {
    access.checkAccess(place, how);
    return true;
  } catch (error) {
    if (hasCode(error, "denied", "approval")) return false;
    throw error;
  }
}

const visibleTo = (access: AccessCallbacks, directory: SafePath, entries: readonly Entry[]): readonly Entry[] =>
  access.mayHideBelow(directory)
    ? entries.filter(({ name }) => isAllowed(access, childOf(directory, name), "show"))
    : entries;

async function linkTargetFrom(storage: Storage, access: AccessCallbacks, place: SafePath): Promise<LinkTarget> {
  try {
    const end = await storage.destination(place, "follow");
    if (!isAllowed(access, end.place, "show")) return { kind: "outside" };
    return end.facts ? { kind: "inside", place: end.place } : { kind: "dangling" };
  } catch (error) {
    if (isFault(error)) return { kind: hasCode(error, "not_found") ? "dangling" : "outside" };
    throw error;
  }
}

function nameOf(roots: readonly RootName[], place: SafePath): string {
  const [root] = roots;
  if (!root || roots.some(({ real }) => real !== root.real)) return place;
  return relativePath(root.real, place) || ".";
}
