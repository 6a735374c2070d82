import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import { alternativesOf } from "./braces.ts";
import type { Problem } from "./character-class.ts";
import { type NameTest, nameTestOf, type Token } from "./name.ts";
import { partsOfPattern } from "./parts.ts";
import { quotedInput } from "../did-you-mean.ts";

/** A pattern over paths, taken apart: it is matched name by name, in time that no pattern can blow up. */
export interface Glob {
  /** As it was written, without alternatives. */
  readonly source: string;
  /** One test per name of a path; null is "**", any number of names. */
  readonly steps: readonly (NameTest | null)[];
  /** Its only name may be anywhere; otherwise the path begins where the pattern does. */
  readonly isName: boolean;
  readonly directoriesOnly: boolean;
  /** A name in it begins with a dot: whoever writes that means hidden files too. */
  readonly namesHidden: boolean;
  /** Where the only name is given in full, or as "*" and an ending such as ".ts". */
  readonly exact?: string;
  readonly ending?: string;
}

/** All that a pattern from a caller stands for. What cannot be understood is a fault that names the position. */
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

/** What stood before a pattern and is no part of it, such as "!"; and what is put before it, such as "/" to anchor it. */
interface GlobAffixes {
  readonly negation?: string;
  readonly prefix?: string;
}

/** "./" and slashes in a row, which mean nothing in a path and cannot match in a pattern of git's. */
const NEEDLESS = /^(?:\.?\/)+|\/(?:\.?\/)+/g;

const TOO_LONG: Problem = { at: LIMITS.patternChars, reason: `it is longer than ${LIMITS.patternChars} characters` };

function syntaxProblemIn(pattern: string): Problem | undefined {
  const names = partsOfPattern(pattern);
  return "reason" in names ? names : undefined;
}

/** What would be understood, but could never match. */
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

/** One pattern without alternatives; undefined when it is not well formed or names nothing. */
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
    ...simplified(nameParts, steps, isAnchored),
    directoriesOnly,
    namesHidden: nameParts.some(([first]) => first?.kind === "text" && first.text.startsWith(".")),
  };
}

const isTwoStars = (tokens: readonly Token[]): boolean =>
  tokens.length === 2 && tokens.every(({ kind }) => kind === "star");

/** "**" before a single name says no more than the name. */
function simplified(
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

/** The names that lead to the directory at a way, from where patterns begin. */
export type NamesOf = (relativePath: string) => readonly string[];

/** Whether a name in the directory at a way fits. Most fail already by this name alone. */
export function matchesGlob({ steps, isName }: Glob, namesOf: NamesOf, relativePath: string, name: string): boolean {
  const last = steps[steps.length - 1];
  if (last && !last(name)) return false;
  return isName || matchesSteps(steps, namesOf(relativePath), name);
}

/** As with the star within a name: only the last "**" need take more. A "**" at the end stands for at least one name. */
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

/** A pattern for everything below what another pattern fits. */
export const belowGlob = ({ source, steps, isName, namesHidden }: Glob): Glob => ({
  source: `${source}/**`,
  steps: isName ? [null, ...steps, null] : [...steps, null],
  isName: false,
  directoriesOnly: false,
  namesHidden,
});

/** Whether something below a directory might fit: a walk need not enter the others. */
export function mayContainMatch({ steps, isName }: Glob, directory: readonly string[]): boolean {
  if (isName) return true;
  for (const [depth, name] of directory.entries()) {
    const test = steps[depth];
    if (test === null) return true;
    if (!test?.(name)) return false;
  }
  return steps.length > directory.length;
}

/** Whether something below a directory might fit because of where that is: moved elsewhere, it might not. */
export function dependsOnNames(glob: Glob, directory: readonly string[]): boolean {
  const { steps, isName } = glob;
  if (isName || directory.length === 0) return false;
  if (steps[0] !== null) return mayContainMatch(glob, directory);
  const rest = { ...glob, steps: steps.slice(1) };
  return directory.some((_, start) => mayContainMatch(rest, directory.slice(start)));
}
