import { relative } from "node:path";
import * as z from "zod";
import { Fault, isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { matchesGlob, type Glob, globsOf, mayContainMatch } from "../../text/glob/glob.ts";
import { READ_ONLY } from "../../tools/tool.ts";
import { allEntries, type ListedEntry } from "../all-entries.ts";
import { dialectTool } from "../dialect.ts";
import { envelopeSchema, successEnvelope, filePath, source as named } from "./envelope.ts";
import { type Storage, storageOf } from "./storage.ts";

const listedFile = z.object({
  path: z.string(),
  name: z.string(),
  size: z.int().optional(),
  isDirectory: z.boolean(),
  modifiedAt: z.string().optional(),
  unreadable: z.literal(true).optional(),
});

type ListedFile = z.output<typeof listedFile>;

export const list = dialectTool({
  name: "fractary_file_list",
  title: "List files",
  description: "List files in a directory. A pattern is matched with the path below it: *.md, or **/*.md at any depth.",
  annotations: READ_ONLY,
  input: z.strictObject({
    path: filePath.optional().describe("Directory path to list"),
    pattern: z.string().min(1).max(LIMITS.argumentChars).optional().describe("Glob pattern to filter files"),
    recursive: z.boolean().default(false).describe("Whether to list recursively"),
    source: named,
  }),
  output: envelopeSchema({ files: z.array(listedFile) }),
  uses: ["ls", "stat"],
  async run({ path: given, pattern, recursive, source }, native) {
    const storage = storageOf(source, native);
    const top = given || ".";
    const globs = pattern === undefined ? undefined : globsOf(pattern, "pattern", { prefix: "/" });
    const files: ListedFile[] = [];
    const path = relative(storage.fullPath("."), storage.fullPath(top));
    await collectFolder({ storage, globs, recursive, files }, { place: top, path, segments: [] });
    return successEnvelope({ files });
  },
});

interface Listing {
  readonly storage: Storage<"ls" | "stat">;
  /** One of them must match the path relative to the listed directory. */
  readonly globs: readonly Glob[] | undefined;
  readonly recursive: boolean;
  readonly files: ListedFile[];
}

interface Folder {
  readonly place: string;
  readonly path: string;
  /** The names from the listed directory to here. */
  readonly segments: readonly string[];
}

async function collectFolder(listing: Listing, folder: Folder): Promise<void> {
  const { storage, globs, recursive, files } = listing;
  for (const entry of await allEntries(storage, folder.place, { times: true, limit: LIMITS.listDetailed })) {
    const inner = childFolder(folder, entry.name);
    const facts = await listedFileOf(entry, inner, storage);
    const isMatch = globs?.some((glob) => matchesFile(glob, folder, facts)) ?? true;
    if (isMatch) files.push(facts);
    if (files.length > LIMITS.findMatchesMost) throw tooManyFilesFault();
    if (!recursive || entry.type !== "directory" || globs?.every((glob) => !mayContainMatch(glob, inner.segments)))
      continue;
    const isReadable = await collectBelow(listing, inner);
    if (isMatch && !isReadable) files[files.indexOf(facts)] = { ...facts, unreadable: true };
  }
}

const tooManyFilesFault = (): Fault =>
  new Fault("too_large", `Cannot list more than ${LIMITS.findMatchesMost} files at once: list a directory below`);

const childFolder = ({ place, path: above, segments }: Folder, name: string): Folder => ({
  place: childOf(place, name),
  path: above === "" ? name : `${above}/${name}`,
  segments: [...segments, name],
});

const matchesFile = (glob: Glob, { segments }: Folder, { name, isDirectory }: ListedFile): boolean =>
  (isDirectory || !glob.directoriesOnly) && matchesGlob(glob, () => segments, "", name);

/** Returns false for a directory that vanishes or cannot be read, so that the listing continues. */
async function collectBelow(listing: Listing, folder: Folder): Promise<boolean> {
  try {
    await collectFolder(listing, folder);
    return true;
  } catch (error) {
    if (isFault(error) && SKIPPED_CODES.includes(error.code)) return false;
    throw error;
  }
}

const SKIPPED_CODES: readonly string[] = ["not_found", "not_a_directory", "swapped", "no_permission", "denied"];

/** Describes a link by its target, unless that is outside. Links are never entered. */
async function listedFileOf(
  entry: ListedEntry,
  { place, path: shown }: Folder,
  storage: Storage<"stat">,
): Promise<ListedFile> {
  const { name } = entry;
  const { type, size, modified } = entry.type === "symlink" ? await targetFacts(entry, place, storage) : entry;
  if (type === "directory") return { path: `${shown}/`, name, isDirectory: true };
  return { path: shown, name, ...(size !== undefined && { size }), isDirectory: false, ...timeOf(modified) };
}

/** Rounds down to seconds, as in the documentation. */
const timeOf = (modified: string | undefined): Pick<ListedFile, "modifiedAt"> =>
  modified === undefined ? {} : { modifiedAt: modified.replace(/\.\d+Z$/, "Z") };

type Facts = Pick<ListedEntry, "size" | "modified"> & { readonly type?: ListedEntry["type"] | undefined };

async function targetFacts({ outside }: ListedEntry, place: string, storage: Storage<"stat">): Promise<Facts> {
  if (outside) return {};
  const { target } = await storage.call("stat", { path: place });
  return target === undefined ? {} : storage.call("stat", { path: target });
}
