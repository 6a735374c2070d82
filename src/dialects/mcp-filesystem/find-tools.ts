import { isAbsolute } from "node:path";
import * as z from "zod";
import { LIMITS } from "../../base/limits.ts";
import { childOf } from "../../base/paths.ts";
import { quoted } from "../../text/quote.ts";
import { dialectTool } from "../dialect.ts";
import type { Native, NativeCalls } from "../native.ts";
import { withNotes } from "../../runtime/pipeline/outcome.ts";
import { READ_ANNOTATIONS, TEXT_OUTPUT, messageAnswer } from "./message-answer.ts";
import { expandHome, pathInput } from "./paths.ts";

const patterns = z.array(z.string()).default([]).describe("Globs of what to leave out");

export const searchFiles = dialectTool({
  name: "search_files",
  title: "Search Files",
  description: "Files and directories below a path by glob: *.ext in the path itself, **/*.ext at any depth.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput, pattern: z.string(), excludePatterns: patterns }),
  output: TEXT_OUTPUT,
  uses: ["find", "stat"],
  async run({ path: given, pattern, excludePatterns }, native) {
    // A leading slash anchors a glob at the search path, where all globs of the reference server start.
    const exclude = excludePatterns.map((each) => `/${each}`);
    const { matches, notes } = await findAll(native, { path: expandHome(given), pattern: `/${pattern}`, exclude });
    const names: string[] = [];
    for (const match of matches) if (await isInside(match, native)) names.push(quoted(fullName(match, native)));
    return withNotes(messageAnswer(names.length === 0 ? "No matches found" : names.join("\n")), notes);
  },
});

type Match = NonNullable<NativeCalls["find"]["answer"]["matches"]>[number];

/** Returns false for links that lead outside or to nothing. */
async function isInside({ path: file, type }: Match, native: Native<"stat">): Promise<boolean> {
  if (type !== "symlink") return true;
  const { outside } = await native.call("stat", { path: file });
  return outside !== true;
}

/** Makes a path absolute. Native paths are relative while there is one root. */
const fullName = ({ path: name }: Match, { roots: [root = "/"] }: Pick<Native, "roots">): string =>
  isAbsolute(name) ? name : childOf(root, name);

export const directoryTree = dialectTool({
  name: "directory_tree",
  title: "Directory Tree",
  description: "All that is below a directory, as a JSON tree.",
  annotations: READ_ANNOTATIONS,
  input: z.object({ path: pathInput, excludePatterns: patterns }),
  output: TEXT_OUTPUT,
  uses: ["find"],
  async run({ path: given, excludePatterns }, native) {
    // A pattern without a star matches at any depth; one with a star is anchored at the top of the tree.
    const exclude = excludePatterns.map((each) => (each.includes("*") ? `/${each}` : `**/${each}`));
    const { matches, notes } = await findAll(native, { path: expandHome(given), pattern: "/**", exclude });
    return withNotes(messageAnswer(JSON.stringify(treeOf(matches), null, 2)), notes);
  },
});

interface Node {
  readonly name: string;
  readonly type: "file" | "directory";
  readonly children?: Node[];
}

/** Builds the tree. Entries whose parent is not among the matches are at the top. */
function treeOf(matches: readonly Match[]): readonly Node[] {
  const top: Node[] = [];
  const directories = new Map<string, Node[]>();
  for (const { path: full, type } of matches) {
    const slash = full.lastIndexOf("/");
    const name = full.slice(slash + 1);
    const siblings = directories.get(full.slice(0, Math.max(0, slash))) ?? top;
    if (type !== "directory") siblings.push({ name, type: "file" });
    else {
      const children: Node[] = [];
      siblings.push({ name, type, children });
      directories.set(full, children);
    }
  }
  return top;
}

interface FindResult {
  readonly matches: readonly Match[];
  /** Notes about a walk that did not see everything. */
  readonly notes: readonly string[];
}

/** Collects all matches page by page, including hidden and ignored files. */
async function findAll(native: Native<"find">, query: NativeCalls["find"]["input"]): Promise<FindResult> {
  const matches: Match[] = [];
  const notes: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await native.call("find", {
      ...query,
      ...(cursor !== undefined && { cursor }),
      limit: LIMITS.findMatchesMost,
      include_hidden: true,
      include_ignored: true,
    });
    for (const match of answer.matches ?? []) matches.push(match);
    if (answer.stopped) notes.push(`Not complete: it stopped before ${quoted(answer.stopped.before)}`);
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return { matches, notes };
}
