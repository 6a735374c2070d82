import { classAt, type Problem } from "./character-class.ts";
import type { Token } from "./match-name.ts";

/** Splits a pattern at its slashes and tokenizes each name. Returns a problem if it is malformed. */
export function partsOfPattern(pattern: string): readonly (readonly Token[])[] | Problem {
  const names: Token[][] = [[]];
  for (let at = 0; at < pattern.length;) {
    const tokens = names.at(-1) as Token[];
    const character = pattern[at] as string;
    if (character === "[") {
      const set = classAt(pattern, at);
      if ("reason" in set) return set;
      tokens.push({ kind: "class", has: set.has });
      at = set.end;
      continue;
    }
    const isEscaped = character === "\\";
    const plain = isEscaped ? pattern[at + 1] : character;
    if (plain === undefined) return { at, reason: 'nothing follows this "\\"; for the character itself write "\\\\"' };
    if (character === "/" || (isEscaped && plain === "/")) names.push([]);
    else if (character === "*") tokens.push({ kind: "star" });
    else if (character === "?") tokens.push({ kind: "any" });
    else addText(tokens, plain);
    at += isEscaped ? 2 : 1;
  }
  return names;
}

function addText(tokens: Token[], text: string): void {
  const last = tokens.at(-1);
  if (last?.kind === "text") tokens[tokens.length - 1] = { kind: "text", text: last.text + text };
  else tokens.push({ kind: "text", text });
}
