import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import { quoted } from "../../text/quote.ts";
import { orSuggestion } from "../../workspace/did-you-mean.ts";
import { type PackedEntry, unpackEntries } from "../../workspace/walk/packed-entries.ts";
import { type TreeDirectory, countIn, buildTree, type Tree } from "../../workspace/walk/tree.ts";
import { MARKS } from "../entry-types.ts";
import { pathInput } from "../paths.ts";
import { answer, bracketed, defineTool, READ_ONLY } from "../tool.ts";

export const tree = defineTool({
  name: "tree",
  title: "Show a directory tree",
  description: "Files and directories below a path; folds what does not fit.",
  annotations: READ_ONLY,
  catalogue: { group: "fs", order: 80, profiles: ["readonly"] },
  input: z.strictObject({
    path: pathInput.default("."),
    depth: z.int().min(1).max(LIMITS.treeDepth).default(LIMITS.treeDepth),
    limit: z.int().min(1).max(LIMITS.treeEntriesMost).default(LIMITS.treeEntries).describe("Entries at most"),
    exclude: z
      .array(z.string().min(1).max(LIMITS.argumentChars))
      .max(LIMITS.excludePatterns)
      .default([])
      .describe("Patterns as in .gitignore"),
    include_ignored: z.boolean().default(false),
    include_hidden: z.boolean().default(false),
  }),
  output: z.object({ path: z.string(), tree: z.string(), total: z.int(), shown: z.int(), truncated: z.boolean() }),
  reads: ({ path }) => [path],

  async plan({ path, depth, limit, exclude, include_ignored: includeIgnored, include_hidden: includeHidden }, view) {
    const found = await orSuggestion(view, path, () =>
      buildTree(view, path, { depth, limit, exclude, includeIgnored, includeHidden }),
    );
    const lines = createLines();
    lines.add(`${quoted(path.replace(/\/+$/, ""))}/`);
    drawDirectory(found.top, "  ", lines);
    cutNotice(found).forEach(lines.add);
    const text = lines.text();
    const { shown, total, complete } = found;
    return answer(text, { path, tree: text, total, shown, truncated: shown < total || !complete });
  },
});

function cutNotice({ shown, total, complete }: Tree): readonly string[] {
  const hidden = plural(total - shown, "entry", "entries");
  const left = `${complete ? "" : "at least "}${hidden} left out, ${shown} shown`;
  if (shown < total) return [bracketed(`Cut: ${left}; name a directory, or raise limit`)];
  return complete ? [] : [bracketed("Cut: not every directory was opened; name one, or raise depth or limit")];
}

const NOTES = { depth: " …", room: " …", denied: " (cannot be opened)" } as const;

/** Collects lines. A tree may have a million of them, so every thousand lines are joined into one string. */
interface Lines {
  add(line: string): void;
  text(): string;
}

function createLines(): Lines {
  const chunks: string[] = [];
  let chunk: string[] = [];
  return {
    add(line) {
      if (chunk.push(line) < LINES_PER_CHUNK) return;
      chunks.push(chunk.join("\n"));
      chunk = [];
    },
    text: () => [...chunks, ...chunk].join("\n"),
  };
}

const LINES_PER_CHUNK = 1000;

function drawDirectory(directory: TreeDirectory, indent: string, lines: Lines): void {
  const { directories = [], packedEntries, shown } = directory;
  for (const child of directories.slice(0, shown)) {
    lines.add(`${indent}${quoted(child.name)}/${child.unopenedReason ? NOTES[child.unopenedReason] : foldNote(child)}`);
    if (child.shown > 0) drawDirectory(child, `${indent}  `, lines);
  }
  if (shown > directories.length)
    lines.add(drawEntries(unpackEntries(packedEntries).slice(0, shown - directories.length), indent));
  if (shown > 0 && shown < countIn(directory)) lines.add(`${indent}… ${countIn(directory) - shown} more`);
}

const drawEntries = (entries: readonly PackedEntry[], indent: string): string =>
  entries.map(({ name, kind }) => indent + quoted(name) + MARKS[kind]).join("\n");

const foldNote = ({ shown, totalEntries }: TreeDirectory): string =>
  shown === 0 && totalEntries > 0 ? ` … ${totalEntries} entries` : "";
