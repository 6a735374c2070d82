// Fails on files and functions that are too long.
import { Visitor } from "oxc-parser";
import { finish, root } from "./gate.mjs";
import { parse, sourceFiles } from "./sources.mjs";

const FILE_LINES = 400;
const FUNCTION_LINES = 60;

/** Allows longer tables of test cases, which are data. */
const isTable = (file) => /^test\/.*(?:\.cases|-rows)\.ts$/.test(file);

const files = sourceFiles(root);
finish(files.length, files.flatMap(problemsOf));

function problemsOf(file) {
  const { text, program } = parse(root, file);
  const lines = lineOf(text, text.trimEnd().length);
  return [
    ...(lines > FILE_LINES && !isTable(file) ? [`${file}: ${lines} lines, at most ${FILE_LINES}`] : []),
    ...(file.startsWith("test/") ? [] : longFunctions(file, text, program)),
  ];
}

/** Exempts tests, where a `describe` block is a function too. */
function longFunctions(file, text, program) {
  const problems = [];
  const judge = ({ start, end, id }) => {
    const [first, last] = [lineOf(text, start), lineOf(text, end)];
    const lines = last - first + 1;
    if (lines <= FUNCTION_LINES) return;
    problems.push(`${file}:${first}: function ${id?.name ?? "here"} has ${lines} lines, at most ${FUNCTION_LINES}`);
  };
  new Visitor({ FunctionDeclaration: judge, FunctionExpression: judge, ArrowFunctionExpression: judge }).visit(program);
  return problems;
}

function lineOf(text, offset) {
  return text.slice(0, offset).split("\n").length;
}
