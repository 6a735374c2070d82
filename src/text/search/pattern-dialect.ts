import { encode } from "../encoding/encode.ts";
import { PLACEHOLDERS } from "../secrets/placeholder.ts";

/** What may be part of a word, as members of a class. */
export const WORD = "\\p{L}\\p{Nl}\\p{M}\\p{Nd}\\p{Pc}\\x{200c}\\x{200d}";
const SPACE = "\\t\\n\\v\\f\\r \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";

const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["\\w", WORD],
  ["\\d", "\\p{Nd}"],
  ["\\s", SPACE],
]);

/** One piece of a pattern: a handle, an escape, a quoted stretch, a bracket, or any character. */
const TOKENS = new RegExp(
  `${PLACEHOLDERS.source}|${/\\Q([^]*?)(?:\\E|$)|\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\[^]|\[:\^?\w+:\]|\[\^?\]?|[^]/.source}`,
  "gu",
);

type Rewrite = (token: string, isInClass: boolean, quoted: string | undefined) => string;

function rewritten(pattern: string, rewrite: Rewrite): string {
  let isInClass = false;
  return pattern.replace(TOKENS, (token: string, quoted?: string) => {
    if (!isInClass && token.startsWith("[")) {
      // Only in a class is this the name of one; here it is a whole class, of these letters.
      isInClass = !token.startsWith("[:");
      return token;
    }
    const closes = isInClass && token.endsWith("]") && !token.startsWith("[:") && !token.startsWith("\\");
    const piece = closes ? token.slice(0, -1) : token;
    const now = piece === "" ? "" : rewrite(piece, isInClass, quoted);
    if (closes) isInClass = false;
    return closes ? `${now}]` : now;
  });
}

/** RE2 knows only ASCII behind \w, \d and \s; ripgrep, and everybody who writes é, means more. */
export const withUnicodeClasses = (pattern: string): string =>
  rewritten(pattern, (token, isInClass) => {
    const members = MEMBERS.get(token);
    if (members !== undefined) return isInClass ? members : `[${members}]`;
    const denied = isInClass ? undefined : MEMBERS.get(token.toLowerCase());
    return denied === undefined ? token : `[^${denied}]`;
  });

/** The same pattern for ripgrep, where RE2 and its syntax mean different things by the same characters. */
export const forRipgrep = (pattern: string): string =>
  rewritten(pattern, (token, isInClass, quoted) => {
    if (quoted !== undefined) return quoted.replaceAll(/[\\^$.|?*+()[\]{}&~#-]/g, "\\$&");
    if (token === "\\<" || token === "\\>") return token.slice(1);
    if (isInClass && !token.startsWith("[:") && /^[[&~]/.test(token)) return token.replaceAll(/./g, "\\$&");
    return !isInClass && token.length <= 2 && FOREIGN.test(token) ? inEveryEncoding(token) : token;
  });

/** A line feed that a pattern names may come after a carriage return, as in files from Windows. */
export const withEitherBreak = (pattern: string): string =>
  rewritten(pattern, (token, isInClass) => (!isInClass && (token === "\\n" || token === "\n") ? "\\r?\\n" : token));

/** The same pattern with other patterns for its handles. Those in a class mean single characters, and stay as they are. */
export const withPlaceholdersAs = (pattern: string, patternFor: (handle: string) => string): string =>
  rewritten(pattern, (token, isInClass, quoted) =>
    isInClass || quoted !== undefined ? token : token.replace(PLACEHOLDERS, patternFor),
  );

const FOREIGN = /^\P{ASCII}$/u;

/** Whether a pattern for ripgrep looks for more than was asked: what it finds has to be looked at once more. */
export const isWidened = (pattern: string): boolean => /\P{ASCII}/u.test(pattern);

/** Encodings that are looked for beside UTF-8, where a character is other bytes. */
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
