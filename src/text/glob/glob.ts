import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { alternativesOf } from "./braces.ts";
import type { Problem } from "./character-class.ts";
import { type NameTest, nameTestOf, type Token } from "./match-name.ts";
import { partsOfPattern } from "./parse-pattern.ts";
import { quotedInput } from "../did-you-mean.ts";

/** A compiled path pattern. It is matched name by name in polynomial time. */
export interface Glob {
  /** The pattern as it was written, after the expansion of braces. */
  readonly source: string;
  /** One test per path component. Null is "**", any number of components. */
  readonly steps: readonly (NameTest | null)[];
  /** Is true if the pattern is a single name that matches at any depth. Other patterns are anchored at the start. */
  readonly isName: boolean;
  readonly directoriesOnly: boolean;
  /** Is true if a component begins with a dot, which means that hidden files are wanted. */
  readonly namesHidden: boolean;
  /** The single name, if it has no wildcard; or its extension, if it is "*" and an extension such as ".ts". */
  readonly exact?: string;
  readonly ending?: string;
}

/**
 * Compiles a caller's pattern, including its brace alternatives. Throws a fault that names the position of an error.
 */
export function globsOf(
  pattern: string,
  argument: string,
  { negation = "", prefix = "" }: GlobAffixes = {},
): readonly Glob[] {
  const problem =
    pattern.length > LIMITS.patternChars ? TOO_LONG : (semanticProblemIn(pattern) ?? syntaxProblemIn(pattern));
  const alternatives = problem ?? alternativesOf(pattern);
  if (!("reason" in alternatives))
    return alternatives.flatMap((each) => globOf(`${prefix}${each}`.replaceAll(NEEDLESS, "/")) ?? []);
  const { at, reason } = alternatives;
  throw patternFault(`${negation}${pattern}`, argument, { at: at + negation.length, reason });
}

/** A `negation` such as "!" that was stripped from the pattern, and a `prefix` such as "/" that anchors it. */
interface GlobAffixes {
  readonly negation?: string;
  readonly prefix?: string;
}

/** Matches "./" and repeated slashes, which mean nothing in a path and never match in a gitignore pattern. */
const NEEDLESS = /^(?:\.?\/)+|\/(?:\.?\/)+/g;

const TOO_LONG: Problem = { at: LIMITS.patternChars, reason: `it is longer than ${LIMITS.patternChars} characters` };

function syntaxProblemIn(pattern: string): Problem | undefined {
  const names = partsOfPattern(pattern);
  return "reason" in names ? names : undefined;
}

/** Finds patterns that are valid but can never match. */
function semanticProblemIn(pattern: string): Problem | undefined {
  if (/^(?:\.?\/)*$/.test(pattern)) return { at: 0, reason: 'it names nothing; for everything write "**"' };
  const up = /(?:^|[/{,])\.\.(?:[/},]|$)/.exec(pattern);
  if (up) return { at: up.index, reason: '".." leads nowhere in a pattern; say where to look with "path"' };
  return undefined;
}

function patternFault(pattern: string, argument: string, { at, reason }: Problem): Fault {
  const message = `Cannot use the pattern ${quotedInput(pattern)}: ${reason} (character ${at + 1})`;
  return new Fault("invalid_input", message, { argument, position: at + 1 });
}

/** Compiles one pattern without alternatives. Returns undefined if it is malformed or empty. */
export function globOf(pattern: string): Glob | undefined {
  const names = partsOfPattern(pattern);
  if ("reason" in names) return undefined;
  const directoriesOnly = names.at(-1)?.length === 0;
  const isAnchored = names.length > (directoriesOnly ? 2 : 1);
  const nameParts = names.slice(isAnchored && names[0]?.length === 0 ? 1 : 0, directoriesOnly ? -1 : undefined);
  if (nameParts.length === 0 || nameParts.some((tokens) => tokens.length === 0)) return undefined;
  const steps = nameParts.map((tokens) => (isAnchored && isTwoStars(tokens) ? null : nameTestOf(tokens)));
  return {
    source: pattern,
    ...simplifySegments(nameParts, steps, isAnchored),
    directoriesOnly,
    namesHidden: nameParts.some(([first]) => first?.kind === "text" && first.text.startsWith(".")),
  };
}

const isTwoStars = (tokens: readonly Token[]): boolean =>
  tokens.length === 2 && tokens.every(({ kind }) => kind === "star");

/** Drops "**" before a single name, because it means the same as the name alone. */
function simplifySegments(
  names: readonly (readonly Token[])[],
  steps: Glob["steps"],
  isAnchored: boolean,
): Pick<Glob, "steps" | "isName" | "exact" | "ending"> {
  const isName = !isAnchored || (steps.length === 2 && steps[0] === null && steps[1] !== null);
  if (!isName) return { steps, isName };
  const [first, second, ...more] = names.at(-1) as readonly Token[];
  const only = { steps: steps.slice(-1), isName };
  if (first?.kind === "text" && !second) return { ...only, exact: first.text };
  if (first?.kind !== "star" || second?.kind !== "text" || more.length > 0) return only;
  return /^\.[^.]+$/.test(second.text) ? { ...only, ending: second.text } : only;
}

/** Returns the path components of a directory, relative to the base of the patterns. */
export type NamesOf = (relativePath: string) => readonly string[];

/** Matches a name in the directory at `relativePath`. Most candidates fail by their last name already. */
export function matchesGlob({ steps, isName }: Glob, namesOf: NamesOf, relativePath: string, name: string): boolean {
  const last = steps[steps.length - 1];
  if (last && !last(name)) return false;
  return isName || matchesSteps(steps, namesOf(relativePath), name);
}

/**
 * Matches components with backtracking to the last "**" only, like a star within a name. A "**" at the end needs at
 * least one name.
 */
function matchesSteps(steps: Glob["steps"], directory: readonly string[], name: string): boolean {
  const count = directory.length + 1;
  let [step, at] = [0, 0];
  let [afterStars, starsAt] = [-1, 0];
  while (at < count) {
    const test = steps[step];
    if (test === null) {
      if (step === steps.length - 1) return true;
      afterStars = ++step;
      starsAt = at;
    } else if (test?.(at < directory.length ? (directory[at] as string) : name)) {
      step++;
      at++;
    } else {
      if (afterStars < 0) return false;
      step = afterStars;
      at = ++starsAt;
    }
  }
  return step === steps.length;
}

/** Returns a pattern for everything below the matches of another pattern. */
export const belowGlob = ({ source, steps, isName, namesHidden }: Glob): Glob => ({
  source: `${source}/**`,
  steps: isName ? [null, ...steps, null] : [...steps, null],
  isName: false,
  directoriesOnly: false,
  namesHidden,
});

/**
 * Returns true if an entry below the directory might match; with `inner`, if only these names are there. A walk skips
 * the other directories.
 */
export function mayContainMatch(glob: Glob, directory: readonly string[], inner?: readonly string[]): boolean {
  return mayContainPath(glob, directory) && (inner === undefined || mayMatchNames(glob, directory, inner));
}

function mayContainPath({ steps, isName }: Glob, directory: readonly string[]): boolean {
  if (isName) return true;
  for (const [depth, name] of directory.entries()) {
    const test = steps[depth];
    if (test === null) return true;
    if (!test?.(name)) return false;
  }
  return steps.length > directory.length;
}

/** Looks for a name that fits the last one of the pattern. Before a "**" that one may be in the path of the directory. */
function mayMatchNames({ steps }: Glob, directory: readonly string[], inner: readonly string[]): boolean {
  const last = steps.findLast((test) => test !== null);
  if (!last) return true;
  return inner.some(last) || (steps.at(-1) === null && directory.some(last));
}

/**
 * Returns true if entries below the directory might match because of its own path, so that they might not match
 * elsewhere.
 */
export function dependsOnNames(glob: Glob, directory: readonly string[]): boolean {
  const { steps, isName } = glob;
  if (isName || directory.length === 0) return false;
  if (steps[0] !== null) return mayContainMatch(glob, directory);
  const rest = { ...glob, steps: steps.slice(1) };
  return directory.some((_, start) => mayContainMatch(rest, directory.slice(start)));
}
