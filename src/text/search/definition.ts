/**
 * Rates whether a match is the definition of the thing and not a use: 3 is certain, 0 is not, -1 is an import or a
 * comment.
 */
export function likelihoodOfDefinition(line: string, start: number, end: number): number {
  const before = line.slice(0, start);
  const after = line.slice(start);
  if (/^\s*(?:import|from|use|#include|require|export\s*[{*])(?![\w(])/.test(line)) return -1;
  if (/^\s*(?:\/\/|\/\*|\*|--|;;|#(?!\w))/.test(line)) return -1;
  const isWhole = end <= start || !/^[\w$]/.test(line.slice(end));
  if (DEFINES.test(before) || GO_METHOD.test(before) || IS_DEFINITION.test(after)) return isWhole ? 3 : 2;
  if (BINDS.test(before)) return isWhole ? 2.5 : 1.5;
  if (ONLY_MODIFIERS.test(before) && METHOD.test(after)) return 2;
  return ONLY_MODIFIERS.test(before) && /^[\w$.]+\s*[:=](?!=)/.test(after) ? 1 : 0;
}

const KEYWORDS =
  "function\\*?|class|def|fn|func|fun|interface|type|struct|enum|trait|object|module|namespace|package|protocol|impl|record|macro_rules!|#define|typedef|union|sub|defmodule|defn?";
const DEFINES = new RegExp(`(?:^|[\\s(;{}])(?:${KEYWORDS})\\s+[*&]?$`);
const IS_DEFINITION = new RegExp(`^(?:${KEYWORDS})\\s+[\\w$]`);
const GO_METHOD = /^func \([^)]*\) $/;
const BINDS = /(?:^|[\s(;{}])(?:const|let|var|val|static|mut)\s+$/;
const ONLY_MODIFIERS =
  /^\s*(?:(?:export|default|public|private|protected|static|async|override|get|set|abstract|final|readonly|inline|virtual|pub)\s+)*$/;
const METHOD = /^[\w$]+\s*(?:<[^>]*>)?\([^;]*[{:]\s*$/;

/** Returns true if a line opens a named block to which the deeper indented lines below belong. */
export const isHeading = (line: string): boolean =>
  isFlatHeading(line) || OPENS.test(line) || (/[{:]\s*$/.test(line) && !FLOW.test(line));

const OPENS = new RegExp(`(?:^|\\s)(?:${KEYWORDS})\\s`);
const FLOW =
  /^[\s})]*(?:if|else|elif|for|while|switch|case|default|try|catch|except|finally|do|with|return|unless|loop|match)\b/;

/** Returns true for a heading whose content is not indented, as in Markdown and INI files. */
export const isFlatHeading = (line: string): boolean => /^#{1,6}\s|^\[[^\]]+\]\s*$/.test(line);
