import { LIMITS } from "../../base/limits.ts";
import { classAt, type Problem } from "./character-class.ts";

/**
 * Expands `{a,b}` to all patterns that it stands for, nested or side by side. Braces without a comma are literal, as in
 * shells.
 */
export function alternativesOf(pattern: string): readonly string[] | Problem {
  const problem = unclosedIn(pattern);
  if (problem) return problem;
  const all = expandFirstBrace(pattern);
  return all.length <= LIMITS.globAlternatives ? all : { at: 0, reason: TOO_MANY };
}

const TOO_MANY = `it stands for more than ${LIMITS.globAlternatives} patterns`;

/** Stops once there are too many alternatives; the caller checks the length. */
function expandFirstBrace(pattern: string): readonly string[] {
  const group = firstGroup(pattern);
  if (!group) return [pattern];
  const before = pattern.slice(0, group.start);
  const after = expandFirstBrace(pattern.slice(group.end));
  const all = new Set<string>();
  for (const inner of group.parts.flatMap(expandFirstBrace)) {
    for (const rest of after) {
      all.add(before + inner + rest);
      if (all.size > LIMITS.globAlternatives) return [...all];
    }
  }
  return [...all];
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly parts: readonly string[];
}

/** Returns the first braces that directly contain a comma. */
function firstGroup(pattern: string): Group | undefined {
  for (let at = 0; at < pattern.length; at = nextAfter(pattern, at)) {
    const group = pattern[at] === "{" ? groupAt(pattern, at) : undefined;
    if (group && group.parts.length > 1) return group;
  }
  return undefined;
}

function groupAt(pattern: string, start: number): Group | undefined {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at = nextAfter(pattern, at)) {
    const character = pattern[at];
    if (character === "{") depth++;
    if (character === "}") depth--;
    if ((character === "," && depth === 1) || depth === 0) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { start, end: at + 1, parts };
  }
  return undefined;
}

/** Skips an escaped character or a whole class at once, because neither contains braces. */
function nextAfter(pattern: string, at: number): number {
  if (pattern[at] === "\\") return at + 2;
  const set = pattern[at] === "[" ? classAt(pattern, at) : undefined;
  return set && "end" in set ? set.end : at + 1;
}

function unclosedIn(pattern: string): Problem | undefined {
  const open: number[] = [];
  for (let at = 0; at < pattern.length; at = nextAfter(pattern, at)) {
    if (pattern[at] === "{") open.push(at);
    if (pattern[at] === "}") open.pop();
  }
  const at = open.pop();
  return at === undefined
    ? undefined
    : { at, reason: 'this "{" is never closed; for the character itself write "[{]"' };
}
