import { LIMITS } from "../../../base/limits.ts";
import { escaped } from "../../../text/search/pattern.ts";
import { forRipgrep } from "../../../text/search/pattern-dialect.ts";
import type { Query, SearchStart } from "../search.ts";

/** What ripgrep is told. Its own settings, and ignore files above the start or of the user, are left out: they lie outside. */
export function ripgrepArguments(
  query: Query,
  { kind }: SearchStart,
  scope: readonly string[],
  at: string,
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
    at,
  ];
}

/** The same for a single file: how many lines match. */
export const countArguments = (query: Query, at: string): readonly string[] => [
  ...ALWAYS,
  ...textFormatOf(query),
  "--crlf",
  "--count",
  "--no-filename",
  ...patternOf(query),
  "--",
  at,
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
  // Whether a file is text we judge ourselves, by what we read.
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
  return [`--regexp=${forRipgrep(isLiteral ? escaped(pattern) : pattern)}`];
}
