import * as z from "zod";
import { LIMITS } from "../base/limits.ts";
import { createIgnoreRules } from "../text/ignore.ts";
import { quoted } from "../text/quote.ts";
import { type Branch, growTree, type Tree } from "../workspace/tree.ts";
import { pathInput } from "./paths.ts";
import { answer, defineTool, READ_ONLY } from "./tool.ts";

export const tree = defineTool({
  name: "tree",
  title: "Show a directory tree",
  description: "Files and directories below a path; folds what does not fit.",
  annotations: READ_ONLY,
  input: z.strictObject({
    path: pathInput.default("."),
    depth: z.int().min(1).max(LIMITS.treeDepth).default(LIMITS.treeDepth),
    limit: z.int().min(1).max(LIMITS.treeEntriesMost).default(LIMITS.treeEntries).describe("Entries at most"),
    exclude: z
      .array(z.string().min(1).max(LIMITS.argumentChars))
      .max(100)
      .default([])
      .describe("Patterns as in .gitignore"),
    include_ignored: z.boolean().default(false),
    include_hidden: z.boolean().default(false),
  }),
  output: z.object({ path: z.string(), tree: z.string(), total: z.int(), shown: z.int(), truncated: z.boolean() }),
  reads: ({ path }) => [path],

  async plan({ path, depth, limit, exclude, include_ignored: all, include_hidden: includeHidden }, view) {
    const rules = createIgnoreRules(exclude, !all);
    const grown = await growTree(view, path, { depth, limit, rules, readsIgnoreFiles: !all, includeHidden });
    const drawn = draw(grown);
    const { shown, total } = grown;
    return answer(drawn, { path, tree: drawn, total, shown, truncated: shown < total || !grown.complete });
  },
});

function draw({ top, shown, total, complete }: Tree): string {
  const lines = [`${quoted(top.name.replace(/\/+$/, ""))}/`, ...linesOf(top, "  ")];
  if (shown < total)
    lines.push(
      `[Folded: ${total - shown} of ${complete ? "" : "at least "}${total} entries; name a directory, or raise limit]`,
    );
  return lines.join("\n");
}

const NOTES = { depth: " …", room: " …", denied: " (cannot be opened)" } as const;
const MARKS = { directory: "/", symlink: "@", other: "?", file: "" } as const;

function linesOf({ children, folded }: Branch, indent: string): string[] {
  const lines = children.flatMap((child) => [
    `${indent}${quoted(child.name)}${MARKS[child.kind]}${child.closed ? NOTES[child.closed] : ""}`,
    ...linesOf(child, `${indent}  `),
  ]);
  return folded > 0 ? [...lines, `${indent}… ${folded} more`] : lines;
}
