import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import { childOf, nameIn, relativeWithSlash } from "../../../base/paths.ts";
import type { PackedEntry } from "../../../content/archives/archive-entry.ts";
import { parseEntryName } from "../../../content/archives/entry-name.ts";
import type { Facts, OpenFile, SafePath } from "../../../storage/storage.ts";
import { orSuggestion } from "../../../workspace/did-you-mean.ts";
import type { View } from "../../../workspace/view.ts";
import { walk } from "../../../workspace/walk/walk.ts";
import type { SkippedEntry } from "./selection.ts";
import { stampOf } from "./unpackable-tree.ts";

/** A file or directory that is packed. A file is read when it is packed, and must be the same then. */
export interface CollectedEntry extends PackedEntry {
  readonly place: SafePath;
  readonly stamp: string;
}

interface CollectedEntries {
  readonly entries: readonly CollectedEntry[];
  readonly skipped: readonly SkippedEntry[];
}

/** Finds everything that is packed, sorted by name. Links and special files are left out, as is the archive itself. */
export async function collectEntries(
  view: View,
  paths: readonly string[],
  archive: SafePath,
): Promise<CollectedEntries> {
  const collector = createCollector(view, archive);
  for (const path of paths) await collector.add(path);
  return collector.finish();
}

function createCollector(view: View, archive: SafePath) {
  const found = new Map<string, CollectedEntry>();
  const skipped: SkippedEntry[] = [];
  let bytes = 0;
  const put = (entry: CollectedEntry): void => {
    if (found.has(entry.path)) throw sameNameFault(entry.path);
    found.set(entry.path, entry);
    bytes += entry.size;
    requireRoom(found.size, bytes);
  };
  const addFile = async (place: SafePath, path: string): Promise<void> => {
    if (place === archive) return;
    const parsed = parseEntryName(Buffer.from(path));
    if ("problem" in parsed) return void skipped.push({ name: path, reason: parsed.problem });
    await view.withFile(place, async (file) => {
      requireRoom(found.size, bytes + file.facts.size);
      if (await hasSecrets(view, place, file)) return void skipped.push({ name: path, reason: "it holds secrets" });
      put({ path, kind: "file", ...attributesOf(file.facts), size: file.facts.size });
    });
  };
  const addTree = async (start: SafePath, prefix: string): Promise<void> => {
    const walked = await walk(view, start, EVERYTHING, async (directory) => {
      const here = joined(prefix, directory.relativePath);
      const facts = await view.stat(directory.place, "keep");
      if (here !== "" && facts) put({ path: here, kind: "directory", ...attributesOf(facts), size: 0 });
      for (const { name, kind, raw } of directory.entries) {
        if (kind === "directory") continue;
        if (kind === "file" && !raw && view.mayOpen(childOf(directory.place, name)))
          await addFile(childOf(directory.place, name), relativeWithSlash(here, name));
        else skipped.push({ name: relativeWithSlash(here, name), reason: reasonFor(kind, raw) });
      }
    });
    if (walked.stopped) throw tooMuchFault();
    const left = walked.blocked + walked.unreadable;
    if (left > 0) skipped.push({ name: String(left), reason: "entries that may not be read" });
  };
  return {
    async add(path: string): Promise<void> {
      const facts = await orSuggestion(view, path, () => view.stat(path, "follow"));
      if (!facts) throw new Fault("not_found", `Cannot pack ${JSON.stringify(path)}: it does not exist`, { path });
      const isRoot = view.roots.some(({ real }) => real === facts.path);
      if (facts.kind === "directory") await addTree(facts.path, isRoot ? "" : nameIn(facts.path));
      else await addFile(facts.path, nameIn(facts.path));
    },
    finish: (): CollectedEntries => ({
      entries: [...found.values()].toSorted((one, other) =>
        Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)),
      ),
      skipped,
    }),
  };
}

/**
 * Checks for what a read would redact: nothing could redact it in the packed bytes. Looks at a file piece by piece; the
 * pieces overlap, so that no secret is cut.
 */
async function hasSecrets(view: View, place: SafePath, file: OpenFile): Promise<boolean> {
  const { size } = file.facts;
  const piece = Buffer.allocUnsafe(Math.min(size, PIECE));
  for (let at = 0; at < size; at += PIECE - OVERLAP) {
    await view.checkpoint();
    const text = piece.toString("utf8", 0, await file.read(piece, at));
    if (view.searchableText(place, text).text !== text) return true;
  }
  return false;
}

const PIECE = 1024 ** 2;
const OVERLAP = 32 * 1024;

const EVERYTHING = { exclude: [], includeIgnored: true, includeHidden: true, order: "deep" } as const;

const joined = (prefix: string, path: string): string => (path === "" ? prefix : relativeWithSlash(prefix, path));

const attributesOf = (facts: Facts): Omit<CollectedEntry, "path" | "kind" | "size"> => ({
  mode: facts.mode & 0o777,
  modifiedMs: facts.modifiedMs,
  place: facts.path,
  stamp: stampOf(facts),
});

function reasonFor(kind: string, raw: Buffer | undefined): string {
  if (raw) return "its name is not UTF-8";
  if (kind === "symlink") return "it is a link";
  return kind === "file" ? "it may not be read" : "it is a device or a FIFO";
}

const sameNameFault = (path: string): Fault =>
  new Fault("invalid_input", `Cannot pack: two of the paths would be ${JSON.stringify(path)} in the archive`, {
    argument: "paths",
    hint: "Pack a directory that holds both, or make two archives",
  });

function requireRoom(entries: number, bytes: number): void {
  if (entries > LIMITS.archiveExtractedEntries || bytes > LIMITS.archiveUnpackedBytes) throw tooMuchFault();
}

const tooMuchFault = (): Fault =>
  new Fault("too_large", "Cannot pack so much at once", {
    hint: `At most ${LIMITS.archiveUnpackedBytes} bytes and ${LIMITS.archiveExtractedEntries} entries in one archive; pack less, or use a command`,
  });
