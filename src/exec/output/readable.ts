import type { Buffer } from "node:buffer";
import { decodeOutput } from "./decode.ts";
import { foldedLines } from "./fold.ts";
import { unfinishedSequence } from "./neutralise.ts";

/** Text of an output, and the number of bytes that it stands for: fewer than given where the last were unfinished. */
export interface ReadableOutput {
  readonly text: string;
  readonly used: number;
}

/** Makes output readable. `isLast` says that no more bytes follow, so that nothing is held back. */
export function readableOutput(bytes: Buffer, isLast: boolean): ReadableOutput {
  const unfinished = isLast ? 0 : unfinishedSequence(bytes);
  const { text, used } = decodeOutput(bytes.subarray(0, bytes.length - unfinished), isLast);
  return { text: foldedLines(text), used };
}
