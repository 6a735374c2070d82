import { Fault } from "../../base/errors.ts";
import { partitionPoint } from "../../base/binary-search.ts";
import { LIMITS } from "../../base/limits.ts";
import type { SlicedWork } from "../../base/time-slicing.ts";
import { foldedLook, foldLooks, isAscii, LOOKS, ODD_SPACES } from "../encoding/look-alikes.ts";

/** A normalized text that maps each offset back to the original. */
export interface FoldedText {
  readonly text: string;
  /** Returns the original offset, or -1 inside a piece that was folded as a whole. */
  originOf(offset: number): number;
}

/**
 * The differences that a fold ignores: only line breaks, also white space at line ends, or also look-alike characters.
 */
export type Fold = "line_endings" | "trailing_space" | "look_alikes";

/** Replaces every line break by "\n" and normalizes the rest as the fold says. Linear in the text. */
export function* foldText(text: string, fold: Fold, breaks: RegExp): SlicedWork<FoldedText> {
  const pieces: string[] = [];
  const changes: Change[] = [];
  let from = 0;
  let length = 0;
  let looked = 0;
  const pattern = piecesOf(fold === "look_alikes" && isAscii(text) ? "trailing_space" : fold, breaks);
  for (const { index, 0: piece } of text.matchAll(pattern)) {
    if (looked++ % PIECES_PER_STEP === 0) yield;
    const folded = foldPiece(piece, text[index + piece.length]);
    if (folded === piece) continue;
    if (pieces.length > 2 * LIMITS.foldedPieces) throw tooManyPieces();
    pieces.push(text.slice(from, index), folded);
    length += index - from;
    from = index + piece.length;
    if (folded.length !== piece.length) changes.push({ at: length, size: folded.length, origin: index, end: from });
    length += folded.length;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(""), originOf: (offset) => originOf(changes, offset) };
}

const PIECES_PER_STEP = 4096;

const tooManyPieces = (): Fault =>
  new Fault("too_large", "Cannot compare it loosely: too much of the file would have to be rewritten", {
    hint: "Copy oldText exactly as the file has it: its line breaks, white space and accents",
  });

/** A folded piece whose length changed: its offset and size in the folded text, and its range in the original. */
interface Change {
  readonly at: number;
  readonly size: number;
  readonly origin: number;
  readonly end: number;
}

const BLANKS = " \\t\\f\\v";

function piecesOf(fold: Fold, breaks: RegExp): RegExp {
  if (fold === "line_endings") return breaks;
  if (fold === "trailing_space") return new RegExp(`${breaks.source}|[${BLANKS}]+`, "g");
  return new RegExp(`${breaks.source}|[${BLANKS}${ODD_SPACES}]+|${LOOKS.source}`, "gu");
}

/**
 * Folds a piece. A run of blanks is matched as a whole and judged by the next character, because a pattern with
 * look-ahead would be quadratic.
 */
function foldPiece(piece: string, next: string | undefined): string {
  if (piece.endsWith("\n") || piece === "\r") return "\n";
  if (piece.trim() !== "") return foldedLook(piece);
  return next === undefined || next === "\n" || next === "\r" ? "" : foldLooks(piece);
}

function originOf(changes: readonly Change[], offset: number): number {
  const change = changes[partitionPoint(changes, ({ at }) => at <= offset) - 1];
  if (change === undefined) return offset;
  const beyond = offset - change.at - change.size;
  if (beyond >= 0) return change.end + beyond;
  return offset === change.at ? change.origin : -1;
}
