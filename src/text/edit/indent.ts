/** How the indentation of wanted lines becomes that of the file. `own` is what the first wanted line begins with. */
export type Shift = Moved | Respelled;

/** The same white space in front of every line, there in the file and not in the wanted lines, or the reverse. */
interface Moved {
  readonly kind: "added" | "removed";
  readonly prefix: string;
  readonly own: string;
}

/** Every level is written in another way, such as a tab for four spaces, and all lines may be some levels deeper. */
interface Respelled {
  readonly kind: "respelled";
  readonly from: string;
  readonly to: string;
  readonly deeper: number;
  readonly own: string;
}

/** The one shift that turns the wanted lines into those of the file, or null. Blank lines fit anywhere. */
export function shiftBetween(wanted: readonly string[], has: readonly string[]): Shift | null {
  const pairs: Pair[] = [];
  for (const [index, line] of wanted.entries()) {
    const [own, other] = [line.trimEnd(), (has[index] ?? "").trimEnd()];
    if ((own === "") !== (other === "")) return null;
    if (own !== "") pairs.push([indentOf(own), indentOf(other)]);
  }
  return movedBetween(pairs) ?? respelledBetween(pairs);
}

/** What a wanted line begins with, and what the line of the file does. */
type Pair = readonly [own: string, other: string];

function movedBetween(pairs: readonly Pair[]): Shift | null {
  const [first] = pairs;
  const shift = first ? movedFrom(...first) : null;
  return shift && pairs.every(([own, other]) => shiftedIndent(own, shift) === other) ? shift : null;
}

function movedFrom(own: string, other: string): Shift | null {
  if (own === other) return null;
  if (other.endsWith(own)) return { kind: "added", prefix: other.slice(0, other.length - own.length), own };
  if (own.endsWith(other)) return { kind: "removed", prefix: own.slice(0, own.length - other.length), own };
  return null;
}

/** Where lines of one level alone fit several ways to write it, that one counts in which they are no deeper. */
function respelledBetween(pairs: readonly Pair[]): Shift | null {
  let found: Respelled | null = null;
  for (const from of unitsIn(pairs.map(([own]) => own))) {
    for (const to of unitsIn(pairs.map(([, other]) => other))) {
      const [own = "", other = ""] = pairs[0] ?? [];
      const deeper = other.length / to.length - own.length / from.length;
      const shift: Respelled = { kind: "respelled", from, to, deeper, own };
      const isFit = from !== to && pairs.every((pair) => shiftedIndent(pair[0], shift) === pair[1]);
      if (isFit && (found === null || (found.deeper !== 0 && deeper === 0))) found = shift;
    }
  }
  return found;
}

/** What one level may be: a tab, or as many spaces as all widths are multiples of. None where blanks are mixed. */
function unitsIn(indents: readonly string[]): readonly string[] {
  const all = indents.join("");
  if (/^\t+$/.test(all)) return ["\t"];
  if (!/^ +$/.test(all)) return [];
  const common = indents.reduce((divisor, { length }) => commonDivisor(divisor, length), 0);
  return WIDTHS.filter((width) => common % width === 0).map((width) => " ".repeat(width));
}

/** Widths that people indent by, widest first. */
const WIDTHS = [8, 6, 4, 3, 2, 1];

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/**
 * Lines moved by the shift, blank ones left alone; all of them as they are where they have the indentation of the file
 * already. Null when it cannot be right: a line has less white space than must go, or tabs would end up beside spaces in
 * a block that does not mix them.
 */
export function shiftLines(lines: readonly string[], shift: Shift, block: readonly string[]): string[] | null {
  if (isShifted(lines, shift, block)) return [...lines];
  const mixes = block.some((line) => isMixed(indentOf(line)));
  const moved: string[] = [];
  for (const line of lines) {
    if (line.trim() === "") {
      moved.push(line);
      continue;
    }
    const indent = shiftedIndent(indentOf(line), shift);
    if (indent === null || (!mixes && isMixed(indent))) return null;
    moved.push(indent + line.slice(indentOf(line).length));
  }
  return moved;
}

/** Whether lines begin as the block of the file does, and not as the wanted lines did. */
function isShifted(lines: readonly string[], { own }: Shift, block: readonly string[]): boolean {
  const [mine, theirs] = [lines, block].map((all) => all.filter((line) => line.trim() !== "").map(indentOf));
  const [first] = mine ?? [];
  if (first === undefined || first === own || first !== theirs?.[0]) return false;
  const least = theirs.reduce((one, other) => (other.length < one.length ? other : one));
  return mine?.every((indent) => indent.startsWith(least)) ?? false;
}

export const isSameShift = (one: Shift | undefined, other: Shift | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** The blanks a line begins with. */
export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const isMixed = (indent: string): boolean => indent.includes(" ") && indent.includes("\t");

/** Null where the shift does not say what becomes of it. */
function shiftedIndent(indent: string, shift: Shift): string | null {
  if (shift.kind !== "respelled") return movedIndent(indent, shift);
  const level = indent.length / shift.from.length;
  const depth = level + shift.deeper;
  const isRegular = Number.isInteger(level) && shift.from.repeat(level) === indent;
  return isRegular && Number.isInteger(depth) && depth >= 0 ? shift.to.repeat(depth) : null;
}

function movedIndent(indent: string, { kind, prefix }: Moved): string | null {
  if (kind === "added") return prefix + indent;
  return indent.startsWith(prefix) ? indent.slice(prefix.length) : null;
}
