import type { RE2JS as Compiled } from "re2js";
import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { WORD, withUnicodeClasses } from "./pattern-dialect.ts";

/** What to look for. */
export interface PatternOptions {
  readonly pattern: string;
  readonly isLiteral: boolean;
  readonly ignoresCase: boolean;
  /** Only where no letter, digit or underscore touches the match. */
  readonly isWord: boolean;
}

/** Where a match is, in characters as JavaScript counts them, with what its groups hold. */
export interface Match {
  readonly start: number;
  readonly end: number;
  /** By number from 1; undefined where a group took no part. */
  readonly groups: readonly (string | undefined)[];
}

/** A pattern that is found in time proportional to the text, whatever it is and whatever the text is. */
export interface Pattern {
  /** Whether a line of the text may hold a match; never false when one does. */
  mayBeIn(text: string): boolean;
  firstIn(text: string, from?: number): Match | null;
  readonly groupNames: Readonly<Record<string, number>>;
  readonly groupCount: number;
}

/** Compiles a pattern in the syntax of RE2, or throws a Fault that names the place of the mistake. */
export async function createPattern(sought: PatternOptions): Promise<Pattern> {
  const { RE2JS } = await import("re2js");
  const { pattern, isLiteral, ignoresCase, isWord } = sought;
  const source = isLiteral ? escaped(pattern) : pattern;
  const flags = RE2JS.MULTILINE | (ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
  const compile = (text: string): Compiled => compiled(() => RE2JS.compile(text, flags), pattern);
  if (!isLiteral) compile(source);
  const wide = withUnicodeClasses(source);
  return isWord ? wordPattern(compile(`(?:^|[^${WORD}])(${wide})(?:[^${WORD}]|$)`)) : plainPattern(compile(wide));
}

/** Text as a pattern that means just this text. */
export const escaped = (text: string): string => text.replaceAll(/[\\^$.|?*+()[\]{}]/g, "\\$&");

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

/** The word itself is the first group: there is no looking ahead in linear time, so what is around it is matched too. */
function wordPattern(regex: Compiled): Pattern {
  const names = Object.entries(regex.namedGroups()).map(([name, number]) => [name, number - 1] as const);
  return {
    mayBeIn: (text) => regex.test(text),
    firstIn(text, from = 0) {
      const matcher = regex.matcher(text);
      // What is before the word may be the end of the match before.
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

function compiled(compile: () => Compiled, pattern: string): Compiled {
  try {
    return compile();
  } catch (error) {
    throw mistakeIn(pattern, error);
  }
}

/** Look-around and back-references cannot be found in linear time: they are mistakes too. */
function mistakeIn(pattern: string, error: unknown): Fault {
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
  if (reason.includes("closing )")) return unclosed(pattern);
  return Math.max(0, reason.includes("unexpected )") ? pattern.lastIndexOf(")") : pattern.indexOf(input));
}

/** Where the parenthesis stands that nothing closes. */
function unclosed(pattern: string): number {
  const open: number[] = [];
  for (const { index, 0: token } of pattern.matchAll(/\\[^]|\[\^?\]?(?:\\[^]|[^\]\\])*\]?|[()]/g)) {
    if (token === "(") open.push(index);
    if (token === ")") open.pop();
  }
  return open.at(-1) ?? 0;
}
