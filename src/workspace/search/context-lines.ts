import { LIMITS } from "../../base/limits.ts";
import { isFault } from "../../base/errors.ts";
import type { OpenFile, SafePath } from "../../storage/storage.ts";
import { isFlatHeading, isHeading } from "../../text/search/definition.ts";
import { shortenedOutside, type UncuttableRanges } from "../../text/cut-points.ts";
import { fileKindOf, decodeForSearch } from "./search-file.ts";
import { sourceOfFile, type ByteSource } from "../read/scan.ts";
import type { Hit } from "./search.ts";
import type { View } from "../view.ts";

/** Holds the lines around a match. */
export interface ContextLines {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The heading line of the function or section around the match, with its line number. */
  readonly enclosing?: { readonly line: number; readonly text: string } | undefined;
}

export interface ContextRequest {
  readonly context: number;
  readonly enclosing: boolean;
}

/** Reads the context of matches in one file. Returns an empty list if the file can no longer be read. */
export async function contextLinesOf(
  view: View,
  place: SafePath,
  hits: readonly Hit[],
  request: ContextRequest,
): Promise<readonly (ContextLines | undefined)[]> {
  try {
    return await view.withFile(place, (file) =>
      contextInFile(file, hits, { ...request, uncut: view.uncuttableRanges }),
    );
  } catch (error) {
    if (!isFault(error) || error.code === "cancelled") throw error;
    return [];
  }
}

interface ContextOptions extends ContextRequest {
  readonly uncut: UncuttableRanges;
}

async function contextInFile(
  file: OpenFile,
  hits: readonly Hit[],
  request: ContextOptions,
): Promise<readonly ContextLines[]> {
  const source = sourceOfFile(file);
  const head = await source.part(0, LIMITS.sniffBytes);
  const { label, isBinary } = await fileKindOf(head, head.length >= source.size);
  const found: ContextLines[] = [];
  for (const hit of isBinary ? [] : hits) found.push(await contextOfHit(source, label, hit, request));
  return found;
}

async function contextOfHit(
  source: ByteSource,
  label: string,
  { byte, line, text }: Hit,
  request: ContextOptions,
): Promise<ContextLines> {
  const lookBehind = request.enclosing ? LIMITS.enclosingBytes : LIMITS.stepBytes;
  const from = Math.max(0, byte - lookBehind);
  const above = linesOf(decodeForSearch(await source.part(from, byte - from), label), from > 0);
  const below = linesOf(decodeForSearch(await source.part(byte, LIMITS.stepBytes), label), false);
  const enclosing = request.enclosing ? enclosingIn(above, line, below[0] ?? text) : undefined;
  const shown = (each: string): string => shortenedOutside(each, request.uncut, LIMITS.grepLineChars);
  return {
    before: request.context === 0 ? [] : above.slice(-request.context).map(shown),
    after: below.slice(1, 1 + request.context).map(shown),
    ...(enclosing && { enclosing: { line: enclosing.line, text: shown(enclosing.text).trim() } }),
  };
}

/** Splits text into whole lines; drops the first one if the text starts inside it. */
function linesOf(text: string, startsInside: boolean): readonly string[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return startsInside ? lines.slice(1) : lines;
}

/** Scans upwards for the nearest line that is indented less and starts a definition or section. */
function enclosingIn(above: readonly string[], line: number, own: string): { line: number; text: string } | undefined {
  let depth = indentOf(own);
  for (let back = 1; back <= above.length; back++) {
    const text = above.at(-back) ?? "";
    if (text.trim() === "") continue;
    const isOut = indentOf(text) < depth;
    if ((isOut && isHeading(text)) || isFlatHeading(text)) return { line: line - back, text };
    if (isOut) depth = indentOf(text);
  }
  return undefined;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
