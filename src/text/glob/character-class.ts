/** A character class in brackets: `[a-z]`, `[!0-9]`, `[[:alpha:]]`. */
export interface CharacterClass {
  has(character: string): boolean;
  /** The index after the class. */
  readonly end: number;
}

export interface Problem {
  /** The index in the pattern, from 0. */
  readonly at: number;
  readonly reason: string;
}

/** Parses the class whose "[" is at this index. As in git, "]" in first position is literal. */
export function classAt(pattern: string, start: number): CharacterClass | Problem {
  let at = start + 1;
  const isNegated = pattern[at] === "!" || pattern[at] === "^";
  if (isNegated) at++;
  const tests: ((character: string) => boolean)[] = [];
  for (let first = true; first || pattern[at] !== "]"; first = false) {
    const item = itemAt(pattern, at);
    if (!item) return { at: start, reason: 'this "[" is never closed; for the character itself write "[[]"' };
    if ("reason" in item) return item;
    tests.push(item.has);
    at = item.end;
  }
  return { has: (character) => tests.some((test) => test(character)) !== isNegated, end: at + 1 };
}

/** Parses one character, a range, or a named set. Returns undefined at the end of the pattern. */
function itemAt(pattern: string, at: number): CharacterClass | Problem | undefined {
  const named = /^\[:([a-z]*):\]/.exec(pattern.slice(at, at + 12));
  if (named) return namedSet(named[1] as string, at);
  const low = characterAt(pattern, at);
  if (!low) return undefined;
  const isRange = pattern[low.end] === "-" && pattern[low.end + 1] !== "]";
  const high = isRange ? characterAt(pattern, low.end + 1) : low;
  if (!high) return undefined;
  const [from, to] = [codeOf(low.character), codeOf(high.character)];
  if (from > to) return { at, reason: `the range ${low.character}-${high.character} is the wrong way round` };
  return { has: (character) => from <= codeOf(character) && codeOf(character) <= to, end: high.end };
}

function namedSet(name: string, at: number): CharacterClass | Problem {
  const set = NAMED[name];
  if (!set) return { at, reason: `there is no set [:${name}:]; there are ${Object.keys(NAMED).join(", ")}` };
  return { has: (character) => set.test(character), end: at + name.length + 4 };
}

function characterAt(pattern: string, at: number): { character: string; end: number } | undefined {
  const start = pattern[at] === "\\" ? at + 1 : at;
  const code = pattern.codePointAt(start);
  if (code === undefined) return undefined;
  const character = String.fromCodePoint(code);
  return { character, end: start + character.length };
}

const codeOf = (character: string): number => character.codePointAt(0) as number;

/** These match ASCII only, as in git. */
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /^[a-z0-9]$/i,
  alpha: /^[a-z]$/i,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t\n\v\f\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9a-f]$/i,
};
