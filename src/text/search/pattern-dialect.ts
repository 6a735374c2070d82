import { encode } from "../encoding/encode.ts";
import { PLACEHOLDERS } from "../secrets/placeholder.ts";

/** The characters of words, as members of a class. */
export const WORD = "\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}";
const SPACE = "\\t\\n\\v\\f\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["\\w", WORD],
  ["\\d", "\\p{Nd}"],
  ["\\s", SPACE],
]);

/** A token of a pattern: a placeholder, an escape, a quoted section, a bracket, or any character. */
const TOKENS = new RegExp(
  `${PLACEHOLDERS.source}|${/\\Q([^]*?)(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[^]|\[:\^?\w+:\]|\[\^?\]?|[^]/.source}`,
  "gu",
);

type Rewrite = (token: string, isInClass: boolean, quoted: string | undefined) => string;

function rewriteTokens(pattern: string, rewrite: Rewrite): string {
  let isInClass = false;
  return pattern.replace(TOKENS, (token: string, quoted?: string) => {
    if (!isInClass && token.startsWith("[")) {
      // Outside of a class, "[:name:]" is an ordinary class of these letters.
      isInClass = !token.startsWith("[:");
      return token;
    }
    const closes = isInClass && token.endsWith("]") && !token.startsWith("[:") && !token.startsWith("\\");
    const piece = closes ? token.slice(0, -1) : token;
    const replacement = piece === "" ? "" : rewrite(piece, isInClass, quoted);
    if (closes) isInClass = false;
    return closes ? `${replacement}]` : replacement;
  });
}

/** Widens \w, \d and \s to Unicode, as in ripgrep, because RE2 matches only ASCII there. */
export const withUnicodeClasses = (pattern: string): string =>
  rewriteTokens(pattern, (token, isInClass) => {
    const members = MEMBERS.get(token);
    if (members !== undefined) return isInClass ? members : `[${members}]`;
    const denied = isInClass ? undefined : MEMBERS.get(token.toLowerCase());
    return denied === undefined ? token : `[^${denied}]`;
  });

/** Translates the pattern for ripgrep, where its syntax differs from RE2. */
export const forRipgrep = (pattern: string): string =>
  rewriteTokens(pattern, (token, isInClass, quoted) => {
    if (quoted !== undefined) return quoted.replaceAll(/[\\^$.|?*+()[\]{}&~#-]/g, "\\$&");
    if (token === "\\<" || token === "\\>") return token.slice(1);
    if (isInClass && !token.startsWith("[:") && /^[[&~]/.test(token)) return token.replaceAll(/./g, "\\$&");
    return !isInClass && token.length <= 2 && FOREIGN.test(token) ? inEveryEncoding(token) : token;
  });

/** Lets a line feed in the pattern also match CRLF. */
export const withEitherBreak = (pattern: string): string =>
  rewriteTokens(pattern, (token, isInClass) => (!isInClass && (token === "\\n" || token === "\n") ? "\\r?\\n" : token));

/**
 * Replaces the placeholders in a pattern by other patterns. In a class they mean single characters and stay as they
 * are.
 */
export const withPlaceholdersAs = (pattern: string, patternFor: (placeholder: string) => string): string =>
  rewriteTokens(pattern, (token, isInClass, quoted) =>
    isInClass || quoted !== undefined ? token : token.replace(PLACEHOLDERS, patternFor),
  );

const FOREIGN = /^\P{ASCII}$/u;

/**
 * Returns true if ripgrep finds more with a translated pattern than was asked for, so that its matches have to be
 * checked.
 */
export const isWidened = (pattern: string): boolean => /\P{ASCII}/u.test(pattern);

/** Legacy encodings that are searched beside UTF-8, in which a character has other bytes. */
const LEGACY = [
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "koi8-r",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "big5",
  "euc-kr",
] as const;

function inEveryEncoding(character: string): string {
  const forms = [character.toLowerCase(), character.toUpperCase()].flatMap((form) =>
    LEGACY.map((label) => bytesOf(form, label)),
  );
  const distinct = [...new Set(forms)].filter((form) => form !== "");
  return `(?:${[character, ...distinct.map((form) => `(?-u:${form})`)].join("|")})`;
}

const bytesOf = (character: string, label: string): string =>
  [...(encode(character, label) ?? [])].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
