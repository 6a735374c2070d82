import * as z from "zod";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { quoted } from "../../text/quote.ts";
import { allEntries, type ListedEntry } from "../all-entries.ts";
import { dialectTool } from "../dialect.ts";
import type { Native, NativeCalls } from "../native.ts";
import { READ_ANNOTATIONS, TEXT_OUTPUT, messageAnswer } from "./message-answer.ts";
import { expandHome, pathInput } from "./paths.ts";

export const listDirectory = dialectTool({
  name: "list_directory",
  title: "List Directory",
  description: "The entries of a directory, each marked [FILE] or [DIR].",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput }),
  output: TEXT_OUTPUT,
  uses: ["ls"],
  async run({ path: given }, native) {
    const entries = await allEntries(native, expandHome(given));
    return messageAnswer(entries.map(({ type, name }) => `${labelOf(type)} ${quoted(name)}`).join("\n"));
  },
});

/** Marks links as files, whatever their target. */
const labelOf = (type: ListedEntry["type"]): string => (type === "directory" ? "[DIR]" : "[FILE]");

export const listDirectoryWithSizes = dialectTool({
  name: "list_directory_with_sizes",
  title: "List Directory with Sizes",
  description: "The entries of a directory with their sizes, and totals.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput, sortBy: z.enum(["name", "size"]).default("name").describe("What to sort by") }),
  output: TEXT_OUTPUT,
  uses: ["ls", "stat"],
  async run({ path: given, sortBy }, native) {
    const directory = expandHome(given);
    const entries = await allEntries(native, directory, { limit: LIMITS.listDetailed });
    const sized: SizedEntry[] = [];
    for (const { name, type, ...entry } of entries)
      sized.push({ name, type, size: await sizeOf({ name, type, ...entry }, directory, native) });
    const inOrder = sortBy === "size" ? sized.toSorted((a, b) => b.size - a.size) : sized;
    return messageAnswer([...inOrder.map(lineOf), "", ...totalsOf(sized)].join("\n"));
  },
});

type SizedEntry = Pick<ListedEntry, "name" | "type"> & { readonly size: number };

/** Returns the size of a file or of a link's target. Is 0 for targets that are outside or no files. */
async function sizeOf(entry: ListedEntry, directory: string, native: Native<"stat">): Promise<number> {
  if (entry.type === "file") return entry.size ?? 0;
  if (entry.type !== "symlink" || entry.outside) return 0;
  const { type, size } = await targetFacts(childOf(directory, entry.name), native);
  return type === "file" ? (size ?? 0) : 0;
}

function lineOf({ name, type, size }: SizedEntry): string {
  const shown = type === "directory" ? "" : sizeText(size).padStart(10);
  return `${labelOf(type)} ${quoted(name).padEnd(30)} ${shown}`;
}

function totalsOf(entries: readonly SizedEntry[]): readonly string[] {
  const files = entries.filter(({ type }) => type !== "directory");
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return [
    `Total: ${files.length} files, ${entries.length - files.length} directories`,
    `Combined size: ${sizeText(bytes)}`,
  ];
}

function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? `${bytes} B` : `${(bytes / 1024 ** power).toFixed(2)} ${UNITS[power]}`;
}

const UNITS = ["B", "KB", "MB", "GB", "TB"];

export const getFileInfo = dialectTool({
  name: "get_file_info",
  title: "Get File Info",
  description: "Size, times, type and permissions of a file or directory.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput }),
  output: TEXT_OUTPUT,
  uses: ["stat"],
  async run({ path: given }, native) {
    const facts = await targetFacts(expandHome(given), native);
    if (facts.outside) throw new Fault("outside_workspace", "Cannot look at it: it leads outside");
    if (!facts.exists) throw new Fault("not_found", "Cannot look at it: it does not exist");
    const lines = {
      size: facts.size,
      created: timeText(facts.created),
      modified: timeText(facts.modified),
      accessed: timeText(facts.accessed),
      isDirectory: facts.type === "directory",
      isFile: facts.type === "file",
      permissions: facts.permissions?.slice(-3),
    };
    const text = Object.entries(lines).map(([key, value]) => `${key}: ${String(value)}`);
    return messageAnswer(text.join("\n"));
  },
});

/** Returns the metadata of a path, or of the target of a link. */
async function targetFacts(file: string, native: Native<"stat">): Promise<NativeCalls["stat"]["answer"]> {
  const facts = await native.call("stat", { path: file });
  return facts.target === undefined ? facts : native.call("stat", { path: facts.target });
}

const timeText = (iso: string | undefined): string => String(new Date(iso ?? 0));

export const listAllowedDirectories = dialectTool({
  name: "list_allowed_directories",
  title: "List Allowed Directories",
  description: "The directories that can be used.",
  annotations: READ_ANNOTATIONS,
  input: z.object({}),
  output: TEXT_OUTPUT,
  uses: ["session"],
  async run(_, native) {
    const { roots } = await native.call("session", {});
    return messageAnswer(["Allowed directories:", ...roots.map((root) => quoted(root.path))].join("\n"));
  },
});
