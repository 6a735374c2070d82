import type { RE2JS as Compiled } from "re2js";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { WORD, withUnicodeClasses } from "./pattern-dialect.ts";

/** The pattern of a search and its options. */
export interface PatternOptions {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
  /** Is true if no letter, digit or underscore may touch the match. */
  readonly isWord: boolean;
}

/** A match in UTF-16 code units, with the text of its groups. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** Group 1 is first. An element is undefined if the group did not participate. */
  readonly groups: readonly (string | undefined)[];
}

/** A compiled pattern. Matching takes time linear in the text, whatever the pattern is. */
export interface Pattern {
  /** Returns true if the text may contain a match. It has no false negatives. */
  mayBeIn(text: string): boolean;
  firstIn(text: string, from?: number): Match | null;
  readonly groupNames: Readonly<Record<string, number>>;
  readonly groupCount: number;
}

/** Compiles a pattern in RE2 syntax, or throws a fault that names the position of the error. */
export async function createPattern(options: PatternOptions): Promise<Pattern> {
  const { RE2JS } = await import("re2js");
  const { pattern, isLiteral, ignoresCase, isWord } = options;
  const source = isLiteral ? escapeRegex(pattern) : pattern;
  const flags = RE2JS.MULTILINE | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  const compile = (text: string): Compiled => compileOrExplain(() => RE2JS.compile(text, flags), pattern);
  if (!isLiteral) compile(source);
  const wide = withUnicodeClasses(source);
  return isWord ? wordPattern(compile(`(?:^|[^${WORD}])(${wide})(?:[^${WORD}]|$)`)) : plainPattern(compile(wide));
}

/** Escapes a text so that it matches literally. */
export const escapeRegex = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");

function plainPattern(regex: Compiled): Pattern {
  const groupNames = regex.namedGroups();
  return {
    mayBeIn: (text) => regex.test(text),
    firstIn(text, from = 0) {
      const matcher = regex.matcher(text);
      if (!matcher.find(from)) return null;
      return { start: matcher.start(), end: matcher.end(), groups: groupsOf(matcher, 1) };
    },
    groupNames,
    groupCount: regex.groupCount(),
  };
}

/**
 * Matches whole words. RE2 has no look-around, so the characters around the word are matched too and the word is group
 * 1.
 */
function wordPattern(regex: Compiled): Pattern {
  const names = Object.entries(regex.namedGroups()).map(([name, number]) => [name, number - 1] as const);
  return {
    mayBeIn: (text) => regex.test(text),
    firstIn(text, from = 0) {
      const matcher = regex.matcher(text);
      // The character before the word may be the end of the previous match.
      if (!matcher.find(Math.max(0, from - 1))) return null;
      return { start: matcher.start(1), end: matcher.end(1), groups: groupsOf(matcher, 2) };
    },
    groupNames: Object.fromEntries(names),
    groupCount: regex.groupCount() - 1,
  };
}

function groupsOf(matcher: ReturnType<Compiled["matcher"]>, first: number): (string | undefined)[] {
  const groups: (string | undefined)[] = [];
  for (let number = first; number <= matcher.groupCount(); number++) groups.push(matcher.group(number) ?? undefined);
  return groups;
}

function compileOrExplain(compile: () => Compiled, pattern: string): Compiled {
  try {
    return compile();
  } catch (error) {
    throw syntaxFault(pattern, error);
  }
}

/**
 * Describes a syntax error. Look-around and back-references are errors too, because they cannot be matched in linear
 * time.
 */
function syntaxFault(pattern: string, error: unknown): Fault {
  const { error: reason = "it is not a regular expression", input = "" } = error as { error?: string; input?: string };
  const position = placeOf(pattern, reason, input);
  const shown = JSON.stringify(pattern.slice(position, position + LIMITS.quotedNameChars));
  const problem = NEEDS_BACKTRACKING.test(input)
    ? "look-around and back-references are not supported"
    : reason.replace(" or unsupported Perl", "");
  const message = `Cannot use the pattern: ${problem}, at character ${position + 1}: ${shown}`;
  return new Fault("invalid_input", message, { argument: "pattern", position: position + 1 }, error);
}

const NEEDS_BACKTRACKING = /^(?:\(\?<?[=!]|\\[1-9k])/;

function placeOf(pattern: string, reason: string, input: string): number {
  if (reason.includes("closing )")) return unclosedParenthesis(pattern);
  return Math.max(0, reason.includes("unexpected )") ? pattern.lastIndexOf(")") : pattern.indexOf(input));
}

/** Returns the index of the unclosed parenthesis. */
function unclosedParenthesis(pattern: string): number {
  const open: number[] = [];
  for (const { index, 0: token } of pattern.matchAll(/\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]?|[()]/g)) {
    if (token === "(") open.push(index);
    if (token === ")") open.pop();
  }
  return open.at(-1) ?? 0;
}
