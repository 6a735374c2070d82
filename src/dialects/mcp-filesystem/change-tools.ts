import * as z from "zod";
import { isFault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { plural } from "../../text/plural.ts";
import { dialectTool } from "../dialect.ts";
import type { Native, NativeCalls } from "../native.ts";
import { TEXT_OUTPUT, messageAnswer } from "./message-answer.ts";
import { toAbsolute, expandHome, pathInput } from "./paths.ts";

const text = z.string().max(LIMITS.messageBytes);

export const writeFile = dialectTool({
  name: "write_file",
  title: "Write File",
  description: "Create a file, or replace what is in it. Its directory must exist.",
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: true, openWorldHint: false },
  input: z.object({ path: pathInput, content: text }),
  output: TEXT_OUTPUT,
  uses: ["write"],
  async run({ path: given, content }, native) {
    // Without an encoding, the native tool would keep the file's own encoding and line ends.
    const exactly = { encoding: "utf-8", overwrite: true, create_parents: false };
    await native.call("write", { path: expandHome(given), content, ...exactly });
    return messageAnswer(`Successfully wrote to ${given}`);
  },
});

export const editFile = dialectTool({
  name: "edit_file",
  title: "Edit File",
  description:
    "Replace text in a file: each oldText must fit one place, and all edits are made or none. Answers with a diff.",
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: true, openWorldHint: false },
  input: z.object({
    path: pathInput,
    edits: z.array(z.object({ oldText: text.describe("What to replace"), newText: text.describe("By what") })),
    dryRun: z.boolean().default(false).describe("Only show the diff"),
  }),
  output: TEXT_OUTPUT,
  uses: ["edit", "read"],
  async run({ path: given, edits, dryRun }, native) {
    const input = { path: expandHome(given), edits: edits.filter(({ oldText, newText }) => oldText !== newText) };
    const done = await runEdit({ ...input, dry_run: dryRun }, native);
    const patch = fencedPatch(patchOf(toAbsolute(given, native), done.diff ?? ""));
    return messageAnswer(patch + (dryRun ? matchesOf(done) : ""));
  },
});

type EditResult = Partial<Pick<NativeCalls["edit"]["answer"], "diff" | "replacements" | "tier">>;

/** Describes the places that the edits of a dry run match, and how exactly. */
function matchesOf({ replacements = 0, tier = "exact", diff = "" }: EditResult): string {
  const how = tier === "exact" ? "exactly" : `by ${tier.replaceAll("_", " ")}`;
  const lines = changedLines(hunksOf(diff));
  const where = lines.length === 0 ? "" : `; first changed lines: ${lines.join(", ")}`;
  return `Dry run, nothing was changed: ${plural(replacements, "place")} matched ${how}${where}\n`;
}

/** Returns the first line of each run of changes in a diff. */
function changedLines(hunks: string): readonly number[] {
  const found: number[] = [];
  let [line, isInRun] = [0, false];
  for (const each of hunks.split("\n")) {
    const [, start] = /^@@ -(\d+)/.exec(each) ?? [];
    const isChange = start === undefined && /^[-+]/.test(each);
    if (start !== undefined) line = Number(start);
    else if (isChange && !isInRun) found.push(line);
    if (start === undefined && /^[- ]/.test(each)) line++;
    isInRun = isChange;
  }
  return found;
}

/** Runs the edits. Edits that change nothing are not an error here, unlike natively. */
async function runEdit(input: NativeCalls["edit"]["input"], native: Native<"edit" | "read">): Promise<EditResult> {
  try {
    if (input.edits?.length !== 0) return await native.call("edit", input);
  } catch (error) {
    if (!isFault(error) || error.code !== "no_change") throw error;
  }
  await native.call("read", { path: input.path, as: "source", limit: 1 });
  return {};
}

/** Puts the hunks of a native diff below the header of the reference server. */
const patchOf = (name: string, diff: string): string =>
  [`Index: ${name}`, "=".repeat(67), `--- ${name}\toriginal`, `+++ ${name}\tmodified`, hunksOf(diff)].join("\n");

const hunksOf = (diff: string): string => diff.slice(diff.search(/^@@/m));

/** Wraps a patch in a code fence that is longer than any inside. */
function fencedPatch(patch: string): string {
  const longest = Math.max(2, ...(patch.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${patch}${fence}\n\n`;
}

export const createDirectory = dialectTool({
  name: "create_directory",
  title: "Create Directory",
  description: "Make a directory and those above it; one that exists is fine.",
  annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
  input: z.object({ path: pathInput }),
  output: TEXT_OUTPUT,
  uses: ["mkdir"],
  async run({ path: given }, native) {
    await native.call("mkdir", { path: expandHome(given) });
    return messageAnswer(`Successfully created directory ${given}`);
  },
});

export const moveFile = dialectTool({
  name: "move_file",
  title: "Move File",
  description: "Move or rename a file or directory. Fails when something is at the destination.",
  annotations: { readOnlyHint: false, idempotentHint: false, destructiveHint: false, openWorldHint: false },
  input: z.object({ source: pathInput, destination: pathInput }),
  output: TEXT_OUTPUT,
  uses: ["move"],
  async run({ source, destination }, native) {
    await native.call("move", {
      source: expandHome(source),
      destination: expandHome(destination),
      create_parents: false,
    });
    return messageAnswer(`Successfully moved ${source} to ${destination}`);
  },
});
