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

/** Returns true if only the number of matches in one file is requested, and a match on bytes is exact. */
export const isOnlyCounted = ({ isMultiline, lineChars, patternOptions }: Query, { kind }: SearchStart): boolean =>
  kind === "file" && lineChars === 0 && !isMultiline && !isWidened(patternOptions.pattern);

/**
 * Counts the matching lines of a file. ripgrep reads the file through our descriptor, so its count needs no check line
 * by line. Returns false if there is no count, and another searcher has to do it.
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

/** Returns the number that ripgrep prints, or null if it failed. */
async function numberFrom({ output, exited, kill }: Program, { checkpoint }: View): Promise<number | null> {
  const watch = watchCancellation(checkpoint, kill);
  try {
    let printed = "";
    for await (const chunk of output) printed += chunk.toString("latin1");
    const { code } = await exited;
    await watch.check();
    if (code === NOTHING_FOUND) return 0;
    return code === 0 && /^\d+\r?\n$/.test(printed) ? Number(printed) : null;
  } finally {
    watch.stop();
    kill();
    // ripgrep reads through our descriptor, which is closed after this.
    await exited;
  }
}

const NOTHING_FOUND = 1;
