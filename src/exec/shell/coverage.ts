import { forEachChild, type SyntaxNode } from "unbash";

/**
 * Returns whether the tree accounts for all of the source: outside of words and redirections there are only spaces,
 * comments and the operators that the tree has. A parser that skips what it does not understand is caught by this.
 */
export function isCovered(source: string, tree: SyntaxNode): boolean {
  const expected = new Map<string, number>();
  const rest = source.split("");
  let isAmbiguous = false;
  visit(tree, (node) => {
    for (const token of tokensOf(node)) expected.set(token, (expected.get(token) ?? 0) + 1);
    if (!WHOLE.has(node.type)) return true;
    // Bash takes digits in front of a redirection for a descriptor.
    isAmbiguous ||= /\d$/.test(source.slice(node.pos, node.end)) && /[<>]/.test(source.charAt(node.end));
    rest.fill("", node.pos, node.end);
    rest[node.pos] = WORD;
    return false;
  });
  return !isAmbiguous && accountsFor(rest.join(""), expected);
}

/** Stands for a word in what is left of the source. */
const WORD = "\u25a1";

const WHOLE: ReadonlySet<string> = new Set(["Word", "Assignment", "Redirect", "HereString", "HereDoc", "TestCommand"]);

/** Visits nodes, and their children where the visitor says so. */
function visit(node: SyntaxNode, visitor: (node: SyntaxNode) => boolean): void {
  if (visitor(node)) forEachChild(node, (child) => visit(child, visitor));
}

/** Returns the operators and keywords that a node has in the source. */
function tokensOf(node: SyntaxNode): readonly string[] {
  if (node.type === "AndOr" || node.type === "Pipeline") return node.operators;
  if (node.type === "Subshell") return ["(", ")"];
  if (node.type === "BraceGroup") return ["{", "}"];
  if (node.type === "Negation") return ["!"];
  if (node.type === "Time") return ["time"];
  if (node.type === "If") return node.else ? ["if", "then", "else", "fi"] : ["if", "then", "fi"];
  return node.type === "Elif" ? ["elif", "then"] : [];
}

function accountsFor(rest: string, expected: Map<string, number>): boolean {
  const tokens = rest.match(TOKEN) ?? [];
  if (tokens.join("").length !== rest.length) return false;
  for (const token of tokens) {
    if (/^(?:[\s;#\u25a1]|\\\n)/.test(token)) continue;
    expected.set(token, (expected.get(token) ?? 0) - 1);
  }
  return [...expected.values()].every((count) => count === 0);
}

const TOKEN = /[ \t\n]+|\\\n|(?<![^\s;|&()])#[^\n]*|\u25a1|;|&&|\|\||\|&|\||[(){}!]|\b(?:if|then|elif|else|fi|time)\b/g;
