import { Buffer, isUtf8 } from "node:buffer";
import { LIMITS } from "../../base/limits.ts";
import { badPatch, type PatchLine } from "./patch-lines.ts";

/** The old and the new name of a file in a diff. Null is /dev/null. */
export interface DiffNames {
  readonly from: string | null;
  readonly to: string | null;
}

/** Returns the names after "--- " and "+++ ", without the "a/" and "b/" prefixes of git. */
export function headerNames(minus: PatchLine, plus: PatchLine): DiffNames {
  return withoutPrefixes({ from: headerName(minus), to: headerName(plus) }, minus);
}

/** Returns the name after "diff --git" if both sides have the same; null if they differ or cannot be separated. */
export function gitName(line: PatchLine): string | null {
  const rest = line.text.slice("diff --git ".length);
  const [from, to] = rest.includes('"') ? quotedPair(rest, line) : splitInHalf(rest);
  if (from === to) return from;
  const isPrefixed = PREFIX.test(from) && PREFIX.test(to) && from.slice(2) === to.slice(2);
  return isPrefixed ? from.slice(2) : null;
}

/** Parses a single name, quoted by git or not, as after "rename from". */
export const nameInHeader = (text: string, line: PatchLine): string =>
  text.startsWith('"') ? unquoteName(text, line) : text;

/** Matches "a/" and "b/", and the mnemonic prefixes "i/", "w/", "c/" and "o/". */
const PREFIX = /^[abciow]\//;

function headerName(line: PatchLine): string | null {
  const rest = line.text.slice("--- ".length);
  const name = rest.startsWith('"') ? unquoteName(rest, line) : rest.replace(/\t.*$/s, "").trimEnd();
  if (name === "") throw badPatch({ line: line.number }, "the path is missing");
  return name === "/dev/null" ? null : name;
}

/** Removes the prefixes only if both sides have theirs, because a directory may be called "a" too. */
function withoutPrefixes({ from, to }: DiffNames, { number }: PatchLine): DiffNames {
  const isPrefixed = (from === null || from.startsWith("a/")) && (to === null || to.startsWith("b/"));
  if (isPrefixed) return { from: from?.slice(2) ?? null, to: to?.slice(2) ?? null };
  if (from === null || to === null || from === to) return { from, to };
  const isMnemonic = PREFIX.test(from) && PREFIX.test(to) && from.slice(2) === to.slice(2);
  if (isMnemonic) return { from: from.slice(2), to: to.slice(2) };
  throw badPatch({ line: number }, 'the names differ; use one name, or "rename from" and "rename to"');
}

/** Splits in the middle: names may contain spaces, and then only their equal length shows where the first one ends. */
function splitInHalf(rest: string): [string, string] {
  const middle = (rest.length - 1) / 2;
  return [rest.slice(0, middle), rest.slice(middle + 1)];
}

function quotedPair(rest: string, line: PatchLine): [string, string] {
  const [first, second] = rest.matchAll(/"(?:[^"\\]|\\.)*"|[^"\s][^"]*/g);
  return [nameInHeader(first?.[0].trimEnd() ?? "", line), nameInHeader(second?.[0].trimEnd() ?? "", line)];
}

const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Decodes git's quoting: C escapes, and UTF-8 bytes in octal. */
function unquoteName(text: string, line: PatchLine): string {
  if (text.length > QUOTED_CHARS) throw badPatch({ line: line.number }, "the name is longer than a path can be");
  const body = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  const pieces = body?.match(/\\[0-7]{3}|\\.|[^\\]+/gs) ?? [];
  const bytes = Buffer.concat(pieces.map(bytesOf));
  if (body === undefined || !isUtf8(bytes)) throw badPatch({ line: line.number }, `the name ${text} cannot be read`);
  return bytes.toString("utf8");
}

/** Bounds a quoted name: every byte of a path may take four characters, and a timestamp may follow. */
const QUOTED_CHARS = 4 * LIMITS.pathBytes + LIMITS.argumentChars;

function bytesOf(piece: string): Buffer {
  if (!piece.startsWith("\\")) return Buffer.from(piece, "utf8");
  const escape = piece.slice(1);
  const code = /^\d/.test(escape) ? Number.parseInt(escape, 8) & 0xff : (ESCAPES[escape] ?? escape.charCodeAt(0));
  return Buffer.of(code);
}
