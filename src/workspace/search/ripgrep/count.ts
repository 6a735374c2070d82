import { LIMITS } from "../../../base/limits.ts";
import { parentOf } from "../../../base/paths.ts";
import type { Program, Spawn } from "../../../base/program.ts";
import { watchCancellation } from "../../../base/time-slicing.ts";
import { isWidened } from "../../../text/search/pattern-dialect.ts";
import { ripgrepInputFor } from "./ripgrep-input.ts";
import { sourceOfFile } from "../../read/scan.ts";
import { fileKindOf } from "../search-file.ts";
import { countArguments } from "./arguments.ts";
import type { Query, SearchStart, ReportHits } from "../search.ts";
import type { View } from "../../view.ts";

interface CountRun {
  readonly spawn: Spawn;
  readonly file: string;
  readonly view: View;
  readonly start: SearchStart;
  readonly query: Query;
  readonly report: ReportHits;
}

/** Whether only a number is wanted, of one file, and bytes are enough to tell it. */
export const isOnlyCounted = ({ isMultiline, lineChars, patternOptions }: Query, { kind }: SearchStart): boolean =>
  kind === "file" && lineChars === 0 && !isMultiline && !isWidened(patternOptions.pattern);

/**
 * Counts the lines of a file that match. What ripgrep reads is the very file that we hold open: so its number is right,
 * and need not be gone through line by line. False where it cannot be had.
 */
export function countMatchingLines({ spawn, file: program, view, start, query, report }: CountRun): Promise<boolean> {
  return view.withFile(start.place, async (file) => {
    const source = sourceOfFile(file);
    const head = await source.part(0, LIMITS.sniffBytes);
    const { label, isBinary } = await fileKindOf(head, head.length >= source.size);
    if (label.startsWith("utf-16")) return false;
    const directory = parentOf(start.place);
    const { input, path } = ripgrepInputFor(file, view);
    const count = await numberFrom(spawn({ file: program, args: countArguments(query, path), directory, input }), view);
    if (count === null) return false;
    const { path: place, modifiedMs } = file.facts;
    if (count > 0) report({ place, modifiedMs, isBinary, count, hits: [] });
    return true;
  });
}

/** Null when it failed. */
async function numberFrom({ output, exited, kill }: Program, { checkpoint }: View): Promise<number | null> {
  const watch = watchCancellation(checkpoint, kill);
  try {
    let said = "";
    for await (const chunk of output) said += chunk.toString("latin1");
    const { code } = await exited;
    await watch.check();
    if (code === NOTHING_FOUND) return 0;
    return code === 0 && /^\d+\r?\n$/.test(said) ? Number(said) : null;
  } finally {
    watch.stop();
    kill();
    // What it was given to read is our hold of the file, which ends after this.
    await exited;
  }
}

const NOTHING_FOUND = 1;
