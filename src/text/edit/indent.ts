/** Maps the indentation of the query to that of the file. `own` is the indentation of the first query line. */
export type Shift = Moved | Respelled;

/** Every line has the same extra white space, either in the file or in the query. */
interface Moved {
  readonly kind: "added" | "removed";
  readonly prefix: string;
  readonly own: string;
}

/** Every level uses another unit, such as a tab for four spaces, and all lines may be some levels deeper. */
interface Respelled {
  readonly kind: "respelled";
  readonly from: string;
  readonly to: string;
  readonly deeper: number;
  readonly own: string;
}

/**
 * Returns the shift that maps all query lines to the lines of the file, or null if there is none. Blank lines fit
 * anywhere.
 */
export function shiftBetween(query: readonly string[], has: readonly string[]): Shift | null {
  const pairs: Pair[] = [];
  for (const [index, line] of query.entries()) {
    const [own, other] = [line.trimEnd(), (has[index] ?? "").trimEnd()];
    if ((own === "") !== (other === "")) return null;
    if (own !== "") pairs.push([indentOf(own), indentOf(other)]);
  }
  return movedBetween(pairs) ?? respelledBetween(pairs);
}

/** The indentation of a query line and of the line of the file. */
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

/** Finds a shift that changes the unit. If several units fit, prefers the one that does not change the depth. */
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

/**
 * Returns the possible units: a tab, or a number of spaces that divides all widths. Returns none if tabs and spaces are
 * mixed.
 */
function unitsIn(indents: readonly string[]): readonly string[] {
  const all = indents.join("");
  if (/^\t+$/.test(all)) return ["\t"];
  if (!/^ +$/.test(all)) return [];
  const common = indents.reduce((divisor, { length }) => commonDivisor(divisor, length), 0);
  return WIDTHS.filter((width) => common % width === 0).map((width) => " ".repeat(width));
}

/** Common indentation widths, widest first. */
const WIDTHS = [8, 6, 4, 3, 2, 1];

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));

/**
 * Applies the shift to lines, except to blank ones and to lines that have the file's indentation already. Returns null
 * if the result would be wrong: a line has less white space than must be removed, or tabs would be mixed with spaces in
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

/** Returns true if the lines already have the indentation of the file's block and not that of the query. */
function isShifted(lines: readonly string[], { own }: Shift, block: readonly string[]): boolean {
  const [mine, theirs] = [lines, block].map((all) => all.filter((line) => line.trim() !== "").map(indentOf));
  const [first] = mine ?? [];
  if (first === undefined || first === own || first !== theirs?.[0]) return false;
  const least = theirs.reduce((one, other) => (other.length < one.length ? other : one));
  return mine?.every((indent) => indent.startsWith(least)) ?? false;
}

export const isSameShift = (one: Shift | undefined, other: Shift | undefined): boolean =>
  one === other || JSON.stringify(one) === JSON.stringify(other);

/** Returns the spaces and tabs at the start of a line. */
export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const isMixed = (indent: string): boolean => indent.includes(" ") && indent.includes("\t");

/** Returns the shifted indentation, or null if the shift does not define it. */
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
