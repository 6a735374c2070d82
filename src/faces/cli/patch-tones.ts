import { type Tone, toned } from "./terminal.ts";

/** A line of a patch, or of what surrounds it, in the colour of what it means. */
export function coloredPatchLine(line: string, shown: string = line): string {
  const tone = TONE_OF.find(([start]) => line.startsWith(start))?.[1];
  return tone === undefined ? shown : toned(tone, shown);
}

const TONE_OF: readonly (readonly [string, Tone])[] = [
  ["--- ", "strong"],
  ["+++ ", "strong"],
  ["diff --git ", "strong"],
  ["@@ ", "place"],
  ["+", "good"],
  ["-", "bad"],
  ["  - ", "bad"],
  ["delete ", "bad"],
  ["CANNOT ", "bad"],
];
