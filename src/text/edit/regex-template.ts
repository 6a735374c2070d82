/** A part of a replacement: text, or a reference to a group of the pattern. */
export type Part = string | { readonly group: string };

/** Returns the range of a group in the text. */
export type SpanOf = (group: string) => readonly [start: number, end: number];

/** Matches $1 to $99, ${1}, ${name}, $<name>, $& and $$. A reference without such a group is literal text. */
const REFERENCE = /\$(?:[$&]|\d{1,2}|\{\w+\}|<[^<>$]+>)/g;

/** A parsed replacement. */
export interface Template {
  readonly parts: readonly Part[];
  /** Computes the length of the replacement for a match. */
  sizeWith(spanOf: SpanOf): number;
}

export function templateOf(text: string, groups: ReadonlySet<string>): Template {
  const parts = partsOf(text, groups);
  const uses = new Map<string, number>();
  let length = 0;
  for (const part of parts) {
    if (typeof part === "string") length += part.length;
    else uses.set(part.group, (uses.get(part.group) ?? 0) + 1);
  }
  return {
    parts,
    sizeWith(spanOf) {
      let size = length;
      for (const [group, count] of uses) {
        const [start, end] = spanOf(group);
        size += count * (end - start);
      }
      return size;
    },
  };
}

/** Parses a replacement. A reference to an unknown group is text. */
function partsOf(template: string, groups: ReadonlySet<string>): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  let text = "";
  for (const { 0: reference, index } of template.matchAll(REFERENCE)) {
    const { group, rest } = resolveReference(reference, groups);
    text += template.slice(from, index);
    from = index + reference.length;
    if (group !== undefined) {
      if (text !== "") parts.push(text);
      parts.push({ group });
      text = rest;
    } else text += reference === "$$" ? "$" : reference;
  }
  text += template.slice(from);
  return text === "" ? parts : [...parts, text];
}

/** Expands the replacement for a match. Without references it is the same string for every match. */
export function expandTemplate({ parts }: Template, text: string, spanOf: SpanOf): string {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return only;
  return parts.map((part) => (typeof part === "string" ? part : text.slice(...spanOf(part.group)))).join("");
}

/** Resolves a reference. The second digit may be text: $12 means group 1 and a "2" if there is no group 12. */
function resolveReference(reference: string, groups: ReadonlySet<string>): { group: string | undefined; rest: string } {
  const known = (group: string, rest = "") => ({ group: groups.has(group) ? group : undefined, rest });
  if (reference === "$&") return known("0");
  if (/^\$[{<]/.test(reference)) return known(reference.slice(2, -1));
  const digits = reference.slice(1);
  if (!/^\d/.test(digits) || Number(digits) === 0) return { group: undefined, rest: "" };
  const number = String(Number(digits));
  return groups.has(number) ? known(number) : known(digits.charAt(0).replace("0", ""), digits.slice(1));
}
