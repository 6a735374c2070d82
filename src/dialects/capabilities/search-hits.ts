import type { Native, NativeCalls } from "../native.ts";
import { inFirstRoot } from "../in-first-root.ts";

/** A matching line with its context. */
export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly enclosing_snippet: string;
  readonly repeated?: number;
}

type Found = NativeCalls["grep"]["answer"];
type Match = NonNullable<NonNullable<Found["files"]>[number]["matches"]>[number];

/**
 * Removes duplicates: of equal lines in one file below the same heading, keeps the first with a count of the others.
 */
export function distinctHits({ files = [] }: Found, native: Pick<Native, "roots">): readonly Hit[] {
  const kept = new Map<string, Hit>();
  for (const { path, matches = [] } of files) {
    for (const match of matches) {
      const key = JSON.stringify([path, match.text.trim(), match.enclosing?.line]);
      const first = kept.get(key);
      kept.set(
        key,
        first ? { ...first, repeated: (first.repeated ?? 0) + 1 } : hitOf(inFirstRoot(path, native), match),
      );
    }
  }
  return [...kept.values()];
}

const hitOf = (path: string, match: Match): Hit => {
  const { line, column, text } = match;
  return { path, line, column, text, enclosing_snippet: snippetOf(match) };
};

/** Puts the heading first and leaves out the lines between it and the context of the match. */
function snippetOf({ line, text, before = [], after = [], enclosing }: Match): string {
  const around = [...before, text, ...after];
  const first = line - before.length;
  if (!enclosing || enclosing.line >= first) return around.join("\n");
  return [enclosing.text, ...(enclosing.line === first - 1 ? [] : ["…"]), ...around].join("\n");
}
