/** The same white space in front of every line, there in the file and not in the wanted lines, or the reverse. */
export interface Shift {
  readonly kind: "added" | "removed";
  readonly prefix: string;
}

/** The one shift that turns the wanted lines into those of the file, or null. Blank lines fit anywhere. */
export function shiftBetween(wanted: readonly string[], has: readonly string[]): Shift | null {
  let shift: Shift | null = null;
  for (const [index, line] of wanted.entries()) {
    const other = (has[index] ?? "").trimEnd();
    const own = line.trimEnd();
    if (own === "" || other === "") {
      if (own !== other) return null;
      continue;
    }
    shift ??= shiftOf(indentOf(own), indentOf(other));
    if (shift === null || shiftedIndent(indentOf(own), shift) !== indentOf(other)) return null;
  }
  return shift;
}

/**
 * Lines moved by the shift, blank ones left alone. Null when that cannot be right: a line has less white space than
 * must go, or tabs would end up beside spaces in a block that does not mix them.
 */
export function shiftLines(lines: readonly string[], shift: Shift, block: readonly string[]): string[] | null {
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

/** The blanks a line begins with. */
export const indentOf = (line: string): string => /^[ \t]*/.exec(line)?.[0] ?? "";

const isMixed = (indent: string): boolean => indent.includes(" ") && indent.includes("\t");

function shiftOf(own: string, other: string): Shift | null {
  if (own === other) return null;
  if (other.endsWith(own)) return { kind: "added", prefix: other.slice(0, other.length - own.length) };
  if (own.endsWith(other)) return { kind: "removed", prefix: own.slice(0, own.length - other.length) };
  return null;
}

function shiftedIndent(indent: string, { kind, prefix }: Shift): string | null {
  if (kind === "added") return prefix + indent;
  return indent.startsWith(prefix) ? indent.slice(prefix.length) : null;
}
