import { type Tone, colored } from "./terminal.ts";

/** Colours a line of a patch or of the text around it by its prefix. */
export function coloredPatchLine(line: string, shown: string = line): string {
  const tone = TONE_OF.find(([start]) => line.startsWith(start))?.[1];
  return tone === undefined ? shown : colored(tone, shown);
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
