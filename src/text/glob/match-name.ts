/** A token of a pattern for one name. */
export type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "class"; has(character: string): boolean };

/** Tests a name, in time proportional to the product of both lengths at most. */
export type NameTest = (name: string) => boolean;

/** Compiles the tokens. Nearly every pattern is one text with a star before, after or inside, which needs no search. */
export function nameTestOf(tokens: readonly Token[]): NameTest {
  const kinds = tokens.map(({ kind }) => kind).join(" ");
  const texts = tokens.flatMap((token) => (token.kind === "text" ? token.text : []));
  const [first = "", last = ""] = texts;
  if (kinds === "text") return (name) => name === first;
  if (/^star( star)*$/.test(kinds)) return () => true;
  if (kinds === "star text") return (name) => name.endsWith(first);
  if (kinds === "text star") return (name) => name.startsWith(first);
  if (kinds === "text star text") {
    return (name) => name.length >= first.length + last.length && name.startsWith(first) && name.endsWith(last);
  }
  const parts = tokens.flatMap(partsOf);
  const least = parts.filter((part) => part !== STAR).length;
  return (name) => matchesParts(parts, Array.from(name), least);
}

/** One character of a pattern: a literal, a test, or the star. */
type Part = string | ((character: string) => boolean) | typeof STAR;

const STAR = Symbol("*");

function partsOf(token: Token): readonly Part[] {
  switch (token.kind) {
    case "text":
      return Array.from(token.text);
    case "any":
      return [() => true];
    case "star":
      return [STAR];
    case "class":
      return [(character) => token.has(character)];
  }
}

/** Matches greedily with backtracking to the last star only: an earlier star could never match more. */
function matchesParts(parts: readonly Part[], name: readonly string[], least: number): boolean {
  if (name.length < least) return false;
  let [part, at] = [0, 0];
  let [afterStar, starAt] = [-1, 0];
  while (at < name.length) {
    if (parts[part] === STAR) {
      afterStar = ++part;
      starAt = at;
    } else if (part < parts.length && fitsOne(parts[part] as Part, name[at] as string)) {
      part++;
      at++;
    } else {
      if (afterStar < 0) return false;
      part = afterStar;
      at = ++starAt;
    }
  }
  return parts.slice(part).every((rest) => rest === STAR);
}

const fitsOne = (part: Part, character: string): boolean =>
  typeof part === "function" ? part(character) : part === character;
