import {
  forEachChild,
  parse,
  type AndOr,
  type CompoundList,
  type If,
  type PipelineNode,
  type SyntaxNode,
} from "unbash";
import type { Pipeline, Redirected, Statement, TestCommand } from "unbash";
import { isCovered } from "./coverage.ts";
import type { JudgeContext, Judgement } from "./judgement.ts";
import { addPlaces, alsoIn, createJudging, type Judging } from "./judging.ts";
import { FILE_TESTS } from "./languages/test.ts";
import { judgeRedirect } from "./redirect.ts";
import { shown, syntaxReason } from "./reasons.ts";
import { judgeCommand } from "./simple-command.ts";
import { readWord } from "./word.ts";

/**
 * Judges a command before it runs. Each part is admitted by a grammar: nodes of known types, words that are fixed,
 * programs and flags of the tables. Anything else makes the command unknown.
 */
export function judge(text: string, context: JudgeContext): Judgement {
  const problem = problemOfText(text);
  if (problem !== undefined) return { kind: "unknown", reasons: [problem], isStatic: false, programs: [], places: [] };
  const tree = parse(text);
  const judging = createJudging(text, context);
  for (const { message } of tree.errors ?? []) judging.syntaxProblems.add(`the command is no valid shell: ${message}`);
  const script = statements(judging, tree.commands);
  // With a problem of its own, the tree has nodes that the check does not know.
  if (judging.syntaxProblems.size === 0 && !isCovered(text, tree))
    judging.syntaxProblems.add("the command can be read in more than one way");
  return judgementOf(judging, script);
}

/** Bound the time of parsing, and its stack: the parser recurses, and reads nested substitutions several times. */
const MAX_BYTES = 16 * 1024;
const MAX_OPENINGS = 200;
const MAX_SEPARATORS = 300;

function problemOfText(text: string): string | undefined {
  if (text.trim() === "") return "the command is empty";
  if (Buffer.byteLength(text) > MAX_BYTES) return "the command is longer than 16 KiB";
  if ((text.match(/[({`]/g) ?? []).length > MAX_OPENINGS) return "the command is nested too deeply";
  if ((text.match(/[;&|\n]/g) ?? []).length > MAX_SEPARATORS) return "the command has too many parts";
  const [hidden] = HIDDEN.exec(text) ?? [];
  return hidden === undefined ? undefined : `the command holds a hidden character, ${shown(JSON.stringify(hidden))}`;
}

/** Matches what a person cannot see, or bash and a reader may take for a space or the end of a line. */
const HIDDEN = /(?![\n\t ])[\p{C}\p{Z}\p{DI}\u2800]/u;

function judgementOf(judging: Judging, script: string): Judgement {
  const { programs, places, syntaxProblems, programProblems } = judging;
  if (judging.movesLinks && judging.users > 1)
    syntaxProblems.add("moving or copying directories may change what other paths mean: do it in a command of its own");
  const reasons = [...syntaxProblems, ...programProblems];
  if (reasons.length === 0) return { kind: "known", script, programs, places };
  return { kind: "unknown", reasons, isStatic: syntaxProblems.size === 0, programs, places };
}

/** Judges statements one after the other, and returns their script. */
function statements(judging: Judging, list: readonly Statement[]): string {
  return list.map((statement) => judgeStatement(judging, statement)).join("\n");
}

function judgeStatement(judging: Judging, { command, background, pos, end }: Statement): string {
  const before = judging.directories;
  if (background)
    judging.syntaxProblems.add(
      `${shown(judging.source.slice(pos, end))} runs in the background; use background instead`,
    );
  const script = command.type === "AndOr" ? judgeAndOr(judging, command) : judgeNode(judging, command);
  alsoIn(judging, before);
  return script;
}

/** Judges a chain. Behind `&&` a `cd` has succeeded; behind `||` and at the end it may have failed. */
function judgeAndOr(judging: Judging, { commands, operators }: AndOr): string {
  const failed = new Set<string>();
  const parts = commands.map((command, index) => {
    const operator = operators[index - 1];
    if (operator === "||") alsoIn(judging, [...failed]);
    for (const directory of judging.directories) failed.add(directory);
    const script = judgeNode(judging, command);
    return operator === undefined ? script : `${operator} ${script}`;
  });
  alsoIn(judging, [...failed]);
  return parts.join(" ");
}

function judgeNode(judging: Judging, node: PipelineNode): string {
  switch (node.type) {
    case "Command":
      return judgeCommand(judging, node, collect);
    case "Pipeline":
      return judgePipeline(judging, node);
    case "Redirected":
      return judgeRedirected(judging, node);
    case "BraceGroup":
      return `{ ${statements(judging, node.body.commands)}\n}`;
    case "Subshell":
      return inItsOwnShell(judging, () => `( ${statements(judging, node.body.commands)}\n)`);
    case "If":
      return judgeIf(judging, node);
    case "TestCommand":
      return judgeTest(judging, node);
    case "ArithmeticCommand":
    case "ArithmeticFor":
    case "Case":
    case "Coproc":
    case "For":
    case "Function":
    case "Select":
    case "While":
    // A newer parser may have nodes that the types do not name.
    default:
      return unknownNode(judging, node);
  }
}

/** A part of a pipeline, and what is in parentheses, changes no directory of the shell around it. */
function inItsOwnShell(judging: Judging, work: () => string): string {
  const before = judging.directories;
  const script = work();
  judging.directories = before;
  return script;
}

function judgePipeline(judging: Judging, { prefixes, commands, operators }: Pipeline): string {
  const before = judging.directories;
  const words = prefixes.map(({ type }) => (type === "Time" ? "time " : "! ")).join("");
  const parts = commands.map((command, index) => {
    const operator = operators[index - 1];
    const script =
      commands.length > 1 ? inItsOwnShell(judging, () => judgeNode(judging, command)) : judgeNode(judging, command);
    return operator === undefined ? script : `${operator} ${script}`;
  });
  // Behind `!`, the chain goes on where a `cd` has failed.
  alsoIn(judging, before);
  return words + parts.join(" ");
}

function judgeRedirected(judging: Judging, { command, redirects }: Redirected): string {
  const targets = redirects.map((redirect) => judgeRedirect(judging, redirect));
  return [judgeNode(judging, command), ...targets].join(" ");
}

function judgeIf(judging: Judging, { clause, then, elif, else: otherwise }: If): string {
  const body = ({ commands }: CompoundList): string => `${statements(judging, commands)}\n`;
  const parts = [`if ${body(clause)}then ${body(then)}`];
  for (const branch of elif) parts.push(`elif ${body(branch.clause)}then ${body(branch.then)}`);
  if (otherwise) parts.push(`else ${body(otherwise)}`);
  return `${parts.join("")}fi`;
}

/** Judges `[[ -f path ]]`. Other forms may evaluate an expression in the value of a word. */
function judgeTest(judging: Judging, node: TestCommand): string {
  const { expression } = node;
  if (expression.type !== "TestUnary" || !FILE_TESTS.has(expression.operator)) return unknownNode(judging, node);
  const word = readWord(expression.operand.text, judging.context.home);
  if ("dynamic" in word || word.isPattern || word.hasStatus) return unknownNode(judging, node);
  judging.users += 1;
  addPlaces(judging, [{ act: "read", path: word.value, reach: "itself" }]);
  return `[[ ${expression.operator} ${word.script} ]]`;
}

function unknownNode(judging: Judging, node: SyntaxNode): string {
  judging.syntaxProblems.add(syntaxReason(node.type, judging.source.slice(node.pos, node.end)));
  collect(judging, node);
  return ":";
}

/** Lists the programs inside of something that is not covered, because deny rules apply to them. */
function collect(judging: Judging, node: SyntaxNode): void {
  forEachChild(node, (child) => {
    if (child.type === "Command") judgeCommand(judging, child, collect);
    else collect(judging, child);
  });
}
