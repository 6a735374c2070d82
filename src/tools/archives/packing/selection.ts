import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, parentOf } from "../../../base/paths.ts";
import type { Archive } from "../../../content/archives/archive.ts";
import type { ArchiveEntry } from "../../../content/archives/archive-entry.ts";
import { requireSaneSize } from "../../../content/archives/bounds.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { belowGlob, type Glob, globsOf } from "../../../text/glob/glob.ts";
import { createGlobSet } from "../../../text/glob/glob-set.ts";

/** The entries that are unpacked, and those that are left out. */
export interface Selection {
  readonly entries: readonly ArchiveEntry[];
  readonly skipped: readonly SkippedEntry[];
}

export interface SkippedEntry {
  readonly name: string;
  readonly reason: string;
}

interface SelectionOptions {
  readonly members: readonly string[] | undefined;
  /** The path of the top of the archive. */
  readonly top: string;
  /** Counts the bytes of the archive itself. */
  readonly packedSize: number;
  /** Checks whether the caller may read an entry. */
  readonly mayOpen: (place: SafePath) => boolean;
}

/** Chooses what is unpacked. Everything that could surprise on a disk is left out with a reason. */
export function selectEntries(archive: Archive, { members, top, packedSize, mayOpen }: SelectionOptions): Selection {
  const isWanted = wantedBy(members);
  const wanted = inForce(archive).filter(({ path }) => path !== "" && isWanted(path));
  if (members && wanted.length === 0)
    throw new Fault("no_match", "Cannot unpack: no entry of the archive matches members", {
      argument: "members",
      hint: "List the archive: ls with the path of the archive and !/",
    });
  const skipped: SkippedEntry[] = members
    ? []
    : archive.refused.map(({ shown, problem }) => ({ name: shown, reason: problem }));
  const reasonOf = reasonsAmong(archive, wanted);
  const entries: ArchiveEntry[] = [];
  let unreadable = 0;
  for (const entry of wanted) {
    const reason = reasonOf(entry);
    if (!mayOpen(childOf(top, entry.path) as SafePath)) unreadable++;
    else if (reason === undefined) entries.push(entry);
    else skipped.push({ name: entry.path, reason });
  }
  requireRoom(entries, packedSize);
  // Their names are not told.
  if (unreadable > 0) skipped.push({ name: String(unreadable), reason: "entries that may not be read" });
  return { entries, skipped };
}

/** Accepts a path that a pattern matches, and everything below it. */
function wantedBy(members: readonly string[] | undefined): (path: string) => boolean {
  if (!members) return () => true;
  const globs = members
    .flatMap((member) => globsOf(member, "members"))
    .flatMap((glob: Glob) => [glob, belowGlob(glob)]);
  const set = createGlobSet(globs);
  return (path) => set.last(path.includes("/") ? parentOf(path) : "", nameIn(path), false) >= 0;
}

/** Drops what a later entry of a tar replaces. A zip that names something twice is left to `reasonsAmong`. */
function inForce({ format, entries }: Archive): readonly ArchiveEntry[] {
  return format === "zip" ? entries : [...new Map(entries.map((entry) => [entry.path, entry])).values()];
}

/** Returns a function that says why an entry is left out; undefined where it can be unpacked. */
function reasonsAmong(
  { format }: Archive,
  wanted: readonly ArchiveEntry[],
): (entry: ArchiveEntry) => string | undefined {
  const files = wanted.filter(({ kind }) => kind !== "directory");
  const times = countBy(files.map(({ path }) => path));
  const looks = countBy([...new Set(wanted.flatMap(({ path }) => [...pathsAbove(path), path]))].map(foldName));
  const above = new Set(wanted.flatMap(({ path }) => pathsAbove(path)));
  return ({ path, kind, problem }) => {
    if (problem !== undefined) return problem;
    if (kind === "symlink") return "it is a link";
    if (kind === "other") return "it is a device or a FIFO";
    if (format === "zip" && (times.get(path) ?? 0) > 1) return "the archive has several entries of this name";
    if (kind === "file" && above.has(path)) return "other entries lie below its name";
    if ([...pathsAbove(path), path].some((each) => (looks.get(foldName(each)) ?? 0) > 1))
      return "another entry has the same name but for its case or accents";
    return undefined;
  };
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Returns what a disk that ignores case takes a name for. */
const foldName = (path: string): string => path.normalize("NFC").toLowerCase();

/** Lists the directories of an inner path, outermost first. */
export const pathsAbove = (path: string): readonly string[] =>
  path.split("/").flatMap((_, nth, names) => (nth === 0 ? [] : [names.slice(0, nth).join("/")]));

/** Throws before anything is unpacked where that would be too much. Each entry is counted again while it is unpacked. */
function requireRoom(entries: readonly ArchiveEntry[], packedSize: number): void {
  const bytes = entries.reduce((sum, { kind, size }) => sum + (kind === "file" ? size : 0), 0);
  requireSaneSize(bytes, packedSize);
  if (entries.length <= LIMITS.archiveExtractedEntries) return;
  throw new Fault("too_large", `Cannot unpack it at once: it has ${entries.length} entries`, {
    hint: `Name members: at most ${LIMITS.archiveExtractedEntries} entries in one call`,
  });
}
