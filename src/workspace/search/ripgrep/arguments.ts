import { LIMITS } from "../../../base/limits.ts";
import { escapeRegex } from "../../../text/search/pattern.ts";
import { forRipgrep } from "../../../text/search/pattern-dialect.ts";
import type { Query, SearchStart } from "../search.ts";

/**
 * Builds the command line of ripgrep. It ignores its configuration file and any ignore file of the user or above the
 * start, since these lie outside the workspace.
 */
export function ripgrepArguments(
  query: Query,
  { kind }: SearchStart,
  scope: readonly string[],
  target: string,
): readonly string[] {
  return [
    ...ALWAYS,
    ...(query.isInOrder ? ["--sort=path"] : []),
    ...textFormatOf(query),
    ...(query.isMultiline ? ["--multiline", "--files-with-matches"] : BY_LINE),
    ...(kind === "file" ? ["--no-filename"] : []),
    ...(query.onlyFirst && !query.isMultiline ? ["--max-count=1"] : []),
    ...scope,
    ...patternOf(query),
    "--",
    target,
  ];
}

/** Builds the command line that counts the matching lines of a single file. */
export const countArguments = (query: Query, target: string): readonly string[] => [
  ...ALWAYS,
  ...textFormatOf(query),
  "--crlf",
  "--count",
  "--no-filename",
  ...patternOf(query),
  "--",
  target,
];

/** Builds the command line that prints only the offsets of matching lines, of UTF-8 text on standard input. */
export const textArguments = (query: Query): readonly string[] => [
  ...ALWAYS,
  ...textFormatOf(query),
  "--crlf",
  "--encoding=none",
  "--no-filename",
  "--no-line-number",
  "--byte-offset",
  // A line that is longer is not printed.
  "--max-columns=1",
  ...patternOf(query),
  "--",
  "-",
];

const textFormatOf = ({ patternOptions: { ignoresCase, isWord } }: Query): readonly string[] => [
  ignoresCase ? "--ignore-case" : "--case-sensitive",
  ...(isWord ? ["--word-regexp"] : []),
];

const ALWAYS = [
  "--no-config",
  "--no-follow",
  "--no-ignore-global",
  "--no-ignore-exclude",
  "--no-ignore-parent",
  "--no-require-git",
  "--no-messages",
  "--color=never",
  "--null",
  // We detect binary files ourselves, from the bytes that we read.
  "--text",
];

const BY_LINE = [
  "--crlf",
  "--heading",
  "--with-filename",
  "--line-number",
  "--column",
  "--byte-offset",
  `--max-columns=${LIMITS.ripgrepLineBytes}`,
];

function patternOf({ patternOptions: { pattern, isLiteral } }: Query): readonly string[] {
  const isPlain = /^[\x20-\x7e\t]*$/.test(pattern);
  if (isLiteral && isPlain) return ["--fixed-strings", `--regexp=${pattern}`];
  return [`--regexp=${forRipgrep(isLiteral ? escapeRegex(pattern) : pattern)}`];
}
