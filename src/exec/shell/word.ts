import { shellWord } from "../../text/shell-word.ts";

/** A word whose value is known before the command runs, but for what a pattern matches. */
export interface StaticWord {
  readonly value: string;
  /** The word as the script spells it: quoted, with patterns left open. */
  readonly script: string;
  /** Holds `*`, `?` or `[…]` without quotes. */
  readonly isPattern: boolean;
  /** Can match a name that begins with a dash. */
  readonly mayMatchFlags: boolean;
  /** Holds `$?`, a number that is known only when the command runs. */
  readonly hasStatus: boolean;
}

/** Says which part of a word is known only when the command runs, or is written in a form that is not covered. */
export interface DynamicWord {
  readonly dynamic: string;
}

/** A part of a word: read as it stands outside of quotes, quoted or escaped, a pattern, or with `$?` in it. */
interface Piece {
  readonly kind: "plain" | "quoted" | "pattern" | "status";
  readonly text: string;
}

/** A piece and where it ends, or the part that stops the reading. */
type Reading = { readonly piece: Piece; readonly end: number } | DynamicWord;

/**
 * Reads a word from its source text. This is a second reading beside the parser's: a word is static only if it is
 * written with characters that every bash reads alike.
 */
export function readWord(source: string, home: string): StaticWord | DynamicWord {
  if (source === "[" || source === "]") return plainWord(source);
  const pieces: Piece[] = [];
  for (let at = 0; at < source.length;) {
    const read = readPiece(source, at, home);
    if ("dynamic" in read) return read;
    pieces.push(read.piece);
    at = read.end;
  }
  return hasBraceExpansion(pieces) ? { dynamic: source } : wordOf(pieces);
}

/** Returns a word that stands for this text. */
export const plainWord = (value: string): StaticWord => wordOf([{ kind: "quoted", text: value }]);

function wordOf(pieces: readonly Piece[]): StaticWord {
  const isPattern = pieces.some(({ kind }) => kind === "pattern");
  const hasStatus = pieces.some(({ kind }) => kind === "status");
  const value = pieces.map(({ text }) => text).join("");
  const script = isPattern || hasStatus ? pieces.map(scriptOf).join("") : shellWord(value);
  const first = pieces.find(({ text }) => text !== "");
  const mayMatchFlags = isPattern && (first?.kind === "pattern" || value.startsWith("-"));
  return { value, script, isPattern, mayMatchFlags, hasStatus };
}

function scriptOf({ kind, text: value }: Piece): string {
  if (kind === "pattern") return value;
  return kind === "status" ? `"${value}"` : shellWord(value);
}

/** Sees an opening brace outside of quotes with a comma or two dots behind it: bash may make several words of that. */
const hasBraceExpansion = (pieces: readonly Piece[]): boolean =>
  /\{.*(?:,|\.\.).*\}/s.test(pieces.map(({ kind, text: value }) => (kind === "plain" ? value : "")).join(""));

function readPiece(source: string, at: number, home: string): Reading {
  const rest = source.slice(at);
  const character = rest.charAt(0);
  if (character === "'") return singleQuoted(source, at);
  if (character === '"') return doubleQuoted(source, at, home);
  if (character === "\\") return escaped(source, at);
  if (character === "$") return dollar(source, at, home);
  if (character === "~") return tilde(source, at, home);
  const pattern = PATTERN.exec(rest);
  if (pattern) return { piece: { kind: "pattern", text: pattern[0] }, end: at + pattern[0].length };
  const plain = PLAIN.exec(rest);
  if (plain === null || (at === 0 && character === "#")) return { dynamic: source };
  return { piece: { kind: "plain", text: plain[0] }, end: at + plain[0].length };
}

const text = (value: string, end: number): Reading => ({ piece: { kind: "quoted", text: value }, end });

/** Matches characters that mean themselves outside of quotes. Others, such as `(` and spaces, end the reading. */
const PLAIN = /^[\p{L}\p{N}_@%+=:,./^!#{}\]-]+/u;

/** Matches a pattern of simple form; classes and other locale-dependent forms are not covered. */
const PATTERN = /^(?:\*+|\?|\[[!^]?[A-Za-z0-9_.]+(?:-[A-Za-z0-9])?[A-Za-z0-9_.]*\])/;

function singleQuoted(source: string, at: number): Reading {
  const end = source.indexOf("'", at + 1);
  return end === -1 ? { dynamic: source } : text(source.slice(at + 1, end), end + 1);
}

function escaped(source: string, at: number): Reading {
  const next = source.charAt(at + 1);
  return /^[ -~]$/.test(next) ? text(next, at + 2) : { dynamic: source };
}

function dollar(source: string, at: number, home: string): Reading {
  const rest = source.slice(at);
  if (rest === "$") return text("$", at + 1);
  if (rest.startsWith("$'")) return ansiQuoted(source, at);
  // Without quotes, a home with a space or a star would be split and matched.
  return (PLAIN_HOME.test(home) ? variable(rest, at, home) : undefined) ?? { dynamic: source };
}

const PLAIN_HOME = /^\/[\w./-]*$/;

/** Reads `$?`, `$HOME` and `${HOME}`, the variables whose values are known to be harmless. */
function variable(rest: string, at: number, home: string): Reading | undefined {
  if (rest.startsWith("$?")) return { piece: { kind: "status", text: "$?" }, end: at + 2 };
  const [name] = /^\$(?:HOME(?![A-Za-z0-9_[])|\{HOME\})/.exec(rest) ?? [];
  return name === undefined ? undefined : text(home, at + name.length);
}

/** Reads `$'…'` with the escapes that every bash knows. */
function ansiQuoted(source: string, at: number): Reading {
  const [quoted] = /^\$'(?:[^'\\]|\\[nt\\'"])*'/.exec(source.slice(at)) ?? [];
  if (quoted === undefined) return { dynamic: source };
  const value = quoted.slice(2, -1).replaceAll(/\\(.)/g, (_, name: string) => ANSI_ESCAPES.get(name) ?? name);
  return text(value, at + quoted.length);
}

const ANSI_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
]);

/** Reads a tilde: the home at the beginning, itself behind a name (`HEAD~1`). `~user` and `a=~` are not covered. */
function tilde(source: string, at: number, home: string): Reading {
  if (at === 0) return /^~(?:\/|$)/.test(source) ? text(home, 1) : { dynamic: source };
  return /[A-Za-z0-9_./)^}~-]/.test(source.charAt(at - 1)) ? text("~", at + 1) : { dynamic: source };
}

/** Reads what is between double quotes as one piece. Beside a status, nothing in it may need an escape. */
function doubleQuoted(source: string, at: number, home: string): Reading {
  let value = "";
  let hasStatus = false;
  for (let next = at + 1; next < source.length;) {
    if (source.charAt(next) === '"') {
      if (hasStatus && /["$`\\]/.test(value.replaceAll("$?", ""))) return { dynamic: source };
      return { piece: { kind: hasStatus ? "status" : "quoted", text: value }, end: next + 1 };
    }
    const read = quotedCharacter(source, next, home);
    if (read === undefined) return { dynamic: source };
    hasStatus ||= read.isStatus;
    value += read.value;
    next += read.length;
  }
  return { dynamic: source };
}

function quotedCharacter(source: string, at: number, home: string): QuotedCharacter | undefined {
  const rest = source.slice(at);
  const character = rest.charAt(0);
  if (character === "`") return undefined;
  if (character === "\\") return quotedEscape(rest);
  if (character !== "$") return { value: character, length: 1, isStatus: false };
  if (/^\$["' \t\n|)/\\.,:;%=\]}<>&+~^]/.test(rest)) return { value: "$", length: 1, isStatus: false };
  const read = variable(rest, at, home);
  if (read === undefined || "dynamic" in read) return undefined;
  return { value: read.piece.text, length: read.end - at, isStatus: read.piece.kind === "status" };
}

interface QuotedCharacter {
  readonly value: string;
  readonly length: number;
  readonly isStatus: boolean;
}

function quotedEscape(rest: string): QuotedCharacter | undefined {
  const next = rest.charAt(1);
  if (next === "\n" || next === "") return undefined;
  return /["$`\\]/.test(next)
    ? { value: next, length: 2, isStatus: false }
    : { value: `\\${next}`, length: 2, isStatus: false };
}
