import { mayBeInArchive } from "../base/archive-path.ts";
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
  StorageReader,
} from "../storage/storage.ts";
import type { ObjectName, Place, Snapshot, TreeEntries } from "../storage/writer.ts";
import { isPath } from "../storage/place.ts";
import type { ArchiveCache } from "./archives/archive-cache.ts";
import { type MountedArchives, mountArchives } from "./archives/mounted-archives.ts";
import type { History } from "./changes/history.ts";
import type { ShownChange } from "./changes/shown-change.ts";
import type { RootName } from "./confine.ts";
import { locatePath } from "./locate.ts";
import type { UncuttableRanges } from "../text/cut-points.ts";
import type { KnownLines } from "./read/line-index.ts";
import type { Query, SearchStart, ReportHits } from "./search/search.ts";
import { createSeenFiles, type SeenFiles } from "./read/seen-files.ts";
import { plainTarget, unfollowedLink } from "./plain-target.ts";
import type { Prober } from "./prober.ts";
import type { TrashItem } from "./changes/trash/notes.ts";

/** Gives a tool read access to what the rules allow. It cannot change anything, and lives as long as one call. */
export interface View {
  readonly roots: readonly RootName[];
  /** Must be awaited inside long loops; throws once the call is cancelled. */
  readonly checkpoint: Checkpoint;
  progress(done: number, total?: number): void;
  /** Returns the facts of what a path leads to; null when nothing is there. */
  stat(path: string, last: LastLink): Promise<Facts | null>;
  withFile<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T>;
  withDirectory<T>(path: string, use: (directory: OpenDirectory) => T | Promise<T>): Promise<T>;
  /** Returns the entries of a directory that may be shown. */
  entriesOf(directory: OpenDirectory): Promise<readonly Entry[]>;
  /** Filters the entries of a directory to those that may be shown. */
  visibleEntries(directory: SafePath, entries: readonly Entry[]): readonly Entry[];
  /** Checks whether something below a directory might be hidden. */
  mayHideBelow(directory: SafePath): boolean;
  /** Checks whether a path may be named. */
  isVisible(place: SafePath): boolean;
  /** Checks whether contents of a path are shown without secrets: earlier versions of it are not shown at all. */
  isSensitive(place: SafePath): boolean;
  /** Checks whether a walk may open a directory without an approval. */
  mayOpen(place: SafePath): boolean;
  /** Opens a directory for a walk, which must close it. The walk may enter only directories that `mayOpen` accepts. */
  openDirectory(path: string): Promise<DirectoryHandle>;
  /** Resolves a link. A target that may not be shown counts as outside. */
  linkTargetOf(place: SafePath): Promise<LinkTarget>;
  /** Returns a path for answers: relative while there is one root, so that it can be used as it is. */
  nameOf(place: SafePath): string;
  /** Returns what earlier reads know about the lines of a large file. */
  linesOf(facts: Facts): KnownLines;
  /** Resolves the links of a path, whether or not something is there. Follows the last link unless `last` is "keep". */
  resolveTarget(path: string, last: LastLink): Promise<Target>;
  /** Returns what is at a real path now, with its version. */
  snapshot(place: SafePath): Promise<Snapshot | null>;
  /**
   * Returns a text that differs when anything in a tree changes; null for nothing, and for more than `most` entries.
   */
  fingerprint(place: SafePath, most: number): Promise<string | null>;
  /** Lists a tree in the workspace or in the store; returns null for nothing, and for more than `most` entries. */
  entriesIn(place: Place, most: number, isLeftOut: (relativePath: string) => boolean): Promise<TreeEntries | null>;
  /**
   * Returns the bytes of a version, if a backup still has them and they may be shown. With a path, also finds bytes
   * that this session saw there.
   */
  contentOfVersion(version: Version, place?: SafePath): Promise<Uint8Array | null>;
  /** Remembers what this session has read and written of files. */
  readonly seenFiles: SeenFiles;
  /** Reads the history and the trash of the workspace. */
  readonly history: HistoryReader;
  /** Reports the matches in a file, or in the files below a directory. */
  search(start: SearchStart, query: Query, report: ReportHits): Promise<void>;
  /** Yields which texts may have a match, in order, and leaves out none that has. Their lines end in LF. */
  candidateTexts(texts: readonly Buffer[], query: Query): AsyncIterable<number>;
  /** Returns paths below a directory that the rules deny. */
  deniedBelow(directory: SafePath): readonly SafePath[];
  /** Returns the text in which text of the caller is searched: secrets are replaced by tokens of equal length. */
  searchableText(place: SafePath, text: string): SearchableText;
  /** Finds ranges that an excerpt must not cut apart: half a secret would not be recognised, and would be shown. */
  readonly uncuttableRanges: UncuttableRanges;
  /** Notes the text that was taken from a document, so that secrets in it are hidden. Comes before any use of it. */
  noteDocumentText(place: SafePath, text: string): void;
}

/** Describes the end of a link: a path inside, a path inside that does not exist, or something outside. */
export type LinkTarget =
  | { readonly kind: "inside"; readonly place: SafePath }
  | { readonly kind: "dangling" | "outside" };

/** Holds a text without secrets, with everything at its real offset. */
export interface SearchableText {
  readonly text: string;
  /** Maps a result made from `text` back to the real content. */
  restored(text: string): string;
}

/** Wraps a text in which nothing is hidden. */
export const notRedacted = (text: string): SearchableText => ({ text, restored: (made) => made });

export interface Target {
  readonly place: SafePath;
  readonly now: Snapshot | null;
  /** Lists the directories above it that do not exist, outermost first. */
  readonly missing: readonly SafePath[];
}

/** Reads the changes below the roots of a workspace, newest first. */
export interface HistoryReader {
  /** Yields all changes. With a path or a version, it may leave out changes that neither name it nor are undos. */
  records(checkpoint: Checkpoint, naming?: string): AsyncIterable<ShownChange>;
  read(id: string): ShownChange | null;
  snapshot(object: ObjectName): Snapshot | null | Promise<Snapshot | null>;
  contentOf(object: ObjectName, from?: number, most?: number): Uint8Array | null | Promise<Uint8Array | null>;
  /**
   * Returns items newest first; with a path, only what was deleted from there. Looks only at items from places that
   * `isInside` accepts.
   */
  trash(path?: SafePath, isInside?: (place: SafePath) => boolean): readonly TrashItem[];
  trashItem(id: string, path?: SafePath): TrashItem | null;
}

/** Decides what a caller may see. */
export interface PathPolicy {
  /**
   * Throws when the rules refuse a path. Is called with the real path of everything that is opened or shown; naming it
   * in a listing, or changing it, counts as showing. The message names the path as the caller spelled it, not where a
   * link leads.
   */
  checkAccess(place: SafePath, how: "open" | "show", spelled?: SafePath): void;
  /** Checks whether a path could be opened without an approval. Must be quick: walks call it for every directory. */
  mayOpen(place: SafePath): boolean;
  /** Checks whether something below a directory might be hidden; if not, its entries need no check. */
  mayHideBelow(directory: SafePath): boolean;
  /** Returns paths below a directory from which nothing may be read. */
  deniedBelow(directory: SafePath): readonly SafePath[];
}

/** Lets the call around a view decide on access, and receive its progress. */
export interface AccessCallbacks extends PathPolicy, Partial<Pick<View, "noteDocumentText">> {
  /** Returns the redacted form of a file that was opened by this spelling. */
  redactedFile?(file: OpenFile, spelled: SafePath): Promise<OpenFile>;
  /** Checks whether secrets are hidden in a path; nowhere when absent. */
  isSensitive?(place: SafePath): boolean;
  /** Receives the bytes of an earlier version before a tool gets them, with their path if it is known. */
  onVersionRead?(bytes: Uint8Array, place?: SafePath): void;
  /** Returns the text of a file in the form that a caller may search. */
  searchableText?(place: SafePath, text: string): SearchableText;
  /** Finds ranges that an excerpt must not cut apart; there are none when absent. */
  readonly uncuttableRanges?: UncuttableRanges;
  /** Rewrites a query so that it matches the redacted text. */
  rewriteQuery?(query: Query): Promise<Query>;
  /** Holds what the session around the call has seen so far; nothing when absent. */
  readonly seenFiles?: SeenFiles | undefined;
  readonly signal: Cancellation;
  readonly progress: (done: number, total?: number) => void;
}

/**
 * Searches files. Everything it reports was read through the view: nothing outside, and nothing that the rules hide, is
 * reported or counted, whatever happens on the disk meanwhile. `test/contracts/searcher.ts` is the definition.
 */
export interface Searcher {
  /** Resolves once everything is reported, or enough was. */
  search(view: View, start: SearchStart, query: Query, report: ReportHits): Promise<void>;
  /** Yields the numbers of texts, as a view promises. */
  candidateTexts(view: View, texts: readonly Buffer[], query: Query): AsyncIterable<number>;
}

/** Holds what all views of one workspace share. */
export interface ViewDependencies {
  readonly storage: StorageReader;
  readonly roots: readonly RootName[];
  readonly linesOf: View["linesOf"];
  readonly history: FullHistory;
  readonly prober: Prober;
  readonly searcher: Searcher;
  readonly archives: ArchiveCache;
}

/** Reads the history without access checks: `createHistory` that of the machine, `historyWithin` that of some roots. */
export interface FullHistory extends Omit<HistoryReader, "records" | "read">, History {}

export function createView(dependencies: ViewDependencies, access: AccessCallbacks): View {
  const { storage, roots, linesOf, history, prober, searcher, archives: cache } = dependencies;
  const secrets = secretCallbacks(access);
  const checkpoint = createCheckpoint(access.signal);
  const check = createAccessCheck(storage, roots, access);
  let mounted: MountedArchives | undefined;
  const archivesOf = () => (mounted ??= mountArchives(storage, { cache, checkpoint, checkOpened: check.checkOpened }));
  const storageFor = (place: SafePath): StorageReader => (mayBeInArchive(place) ? archivesOf() : storage);
  const rewrite = async (query: Query): Promise<Query> => access.rewriteQuery?.(query) ?? query;
  const view: View = {
    roots,
    checkpoint,
    progress: access.progress,
    ...createPathAccess({ prober, storageFor, archivesOf, check }, access),
    entriesOf: async (directory) => visibleTo(access, directory.facts().path, await directory.entries()),
    visibleEntries: (directory, entries) => visibleTo(access, directory, entries),
    mayHideBelow: access.mayHideBelow,
    isVisible: (place) => isAllowed(access, place, "show"),
    isSensitive: access.isSensitive ?? (() => false),
    mayOpen: access.mayOpen,
    linkTargetOf: (place) => linkTargetFrom(storageFor(place), access, place),
    nameOf(place) {
      const [root] = roots;
      if (!root || roots.some(({ real }) => real !== root.real)) return place;
      return relativePath(root.real, place) || ".";
    },
    linesOf,
    async snapshot(place) {
      access.checkAccess(place, "show");
      return prober.snapshot(place);
    },
    async fingerprint(place, most) {
      access.checkAccess(place, "show");
      return prober.fingerprint(place, most);
    },
    async entriesIn(place, most, isLeftOut) {
      if (isPath(place)) access.checkAccess(place, "show");
      return prober.entriesIn(place, most, isLeftOut);
    },
    async contentOfVersion(version, place) {
      const seen =
        place !== undefined && isAllowed(access, place, "open") ? view.seenFiles.bytesAt(place, version) : undefined;
      const bytes =
        seen ?? (await history.contentOfVersion(version, checkpoint, (each) => isAllowed(access, each, "open")));
      if (bytes) access.onVersionRead?.(bytes, place);
      return bytes;
    },
    seenFiles: access.seenFiles ?? createSeenFiles(),
    history,
    search: async (start, query, report) =>
      searcher.search(view, start, { ...(await rewrite(query)), uncuttableRanges: secrets.uncuttableRanges }, report),
    async *candidateTexts(texts, query) {
      yield* searcher.candidateTexts(view, texts, await rewrite(query));
    },
    deniedBelow: access.deniedBelow,
    ...secrets,
  };
  return view;
}

/** Returns how a view treats texts that may hold secrets; where the call does not say, nothing is hidden. */
const secretCallbacks = (access: AccessCallbacks) => ({
  searchableText: access.searchableText ?? ((_: SafePath, text: string) => notRedacted(text)),
  uncuttableRanges: access.uncuttableRanges ?? (() => []),
  noteDocumentText: access.noteDocumentText ?? (() => {}),
});

/** Holds the methods that begin with a path of the caller. */
type PathAccess = Pick<View, "stat" | "withFile" | "withDirectory" | "openDirectory" | "resolveTarget">;

interface PathAccessDependencies {
  readonly prober: Prober;
  /** Chooses what reads a path. One that cannot lead into an archive costs a look at its spelling. */
  readonly storageFor: (place: SafePath) => StorageReader;
  readonly archivesOf: () => MountedArchives;
  readonly check: AccessCheck;
}

function createPathAccess(dependencies: PathAccessDependencies, access: AccessCallbacks): PathAccess {
  const { prober, storageFor, archivesOf } = dependencies;
  const { located, checkOpened } = dependencies.check;
  const checkFailed = async (error: unknown, place: SafePath): Promise<never> => {
    if (hasCode(error, ...MISSING)) await checkAccessAbove(storageFor(place), access, place);
    throw error;
  };
  const openAllowed = async (place: SafePath) =>
    closedUnlessAllowed(await storageFor(place).openDirectory(place), (facts) => checkOpened(facts, place));
  return {
    async stat(path, last) {
      const place = await located(path);
      const facts = await storageFor(place).stat(place, last);
      if (facts && facts.path !== place) access.checkAccess(facts.path, "show", place);
      if (!facts) await checkAccessAbove(storageFor(place), access, place);
      return facts;
    },
    async withFile(path, use) {
      const place = await located(path);
      const opened = storageFor(place).withFile(place, async (file) => {
        checkOpened(file.facts, place);
        return use((await access.redactedFile?.(file, place)) ?? file);
      });
      return opened.catch((error) => checkFailed(error, place));
    },
    async withDirectory(path, use) {
      const place = await located(path);
      const opened = storageFor(place).withDirectory(place, (directory) => {
        checkOpened(directory.facts(), place);
        return use(directory);
      });
      return opened.catch((error) => checkFailed(error, place));
    },
    async openDirectory(path) {
      const place = await located(path);
      return openAllowed(place).catch((error) => checkFailed(error, place));
    },
    async resolveTarget(path, last) {
      const spelled = await located(path);
      const place = last === "keep" ? await unfollowedLink(storageFor(spelled), spelled) : spelled;
      if (place !== spelled) access.checkAccess(place, "show");
      if (mayBeInArchive(place)) await archivesOf().requireOutside(place);
      return targetOf(storageFor(place), prober, access, place, last).catch((error) => checkFailed(error, place));
    },
  };
}

type AccessCheck = ReturnType<typeof createAccessCheck>;

/** Checks a path of the caller: by its spelling, and by its real path once it is open. */
function createAccessCheck(storage: StorageReader, roots: readonly RootName[], access: AccessCallbacks) {
  return {
    async located(path: string): Promise<SafePath> {
      stopIfCancelled(access.signal);
      const place = await locatePath(storage, roots, path);
      access.checkAccess(place, "show");
      return place;
    },
    /** Checks only what exists. Checks both paths: a link must not get around a rule. */
    checkOpened(facts: Facts, spelled: SafePath): void {
      access.checkAccess(facts.path, "open", spelled);
      if (facts.path !== spelled) access.checkAccess(spelled, "open");
    },
  };
}

/** Closes the directory again when the check fails. */
function closedUnlessAllowed(directory: DirectoryHandle, check: (facts: Facts) => void): DirectoryHandle {
  try {
    check(directory.facts());
    return directory;
  } catch (error) {
    directory.close();
    throw error;
  }
}

async function targetOf(
  storage: StorageReader,
  prober: Prober,
  access: AccessCallbacks,
  spelled: SafePath,
  last: LastLink,
): Promise<Target> {
  const plain = await plainTarget(prober, spelled, last);
  if (plain) return { place: spelled, now: plain.now, missing: [] };
  const { place, facts, missing } = await storage.destination(spelled, last);
  access.checkAccess(place, "show", spelled);
  const now =
    facts?.kind === "directory" ? { facts, version: versionOfFacts(facts) } : facts && (await prober.snapshot(place));
  return { place, now, missing };
}

/** Throws when the path above is hidden: that something is missing must not be reported there. */
async function checkAccessAbove(storage: StorageReader, access: AccessCallbacks, place: SafePath): Promise<void> {
  const end = await storage.destination(place, "follow").catch(() => null);
  if (end) access.checkAccess(end.place, "show", place);
  for (let above = parentOf(place) as SafePath; above !== "/"; above = parentOf(above) as SafePath) {
    const facts = await storage.stat(above, "follow").catch(() => null);
    if (facts) return access.checkAccess(facts.path, "show", place);
  }
}

const MISSING: readonly Code[] = ["not_found", "not_a_directory", "not_a_file"];

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

async function linkTargetFrom(storage: StorageReader, access: AccessCallbacks, place: SafePath): Promise<LinkTarget> {
  try {
    const end = await storage.destination(place, "follow");
    if (!isAllowed(access, end.place, "show")) return { kind: "outside" };
    return end.facts ? { kind: "inside", place: end.place } : { kind: "dangling" };
  } catch (error) {
    if (isFault(error)) return { kind: hasCode(error, "not_found") ? "dangling" : "outside" };
    throw error;
  }
}
