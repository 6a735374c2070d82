// Workloads that search a project of 100,000 files: the calls, the right answers and the bounds.
import { hugeLine } from "./corpus.mjs";
import { NEEDLE } from "./forest.mjs";
import { oneByOne } from "./measure.mjs";

const countOf = ({ texts }, name) => new Set(texts.join("\n").match(name)).size;

/** Keeps repetitions low: each takes as long as a thousand small calls, and answers are megabytes. */
const HEAVY = { measure: oneByOne, warmUp: 3, repetitions: 3, rounds: 7, growth: 64 };

/** The number of matches that are ranked; ripgrep's output is cut after as many lines. */
const CUT = 10_000;

/** Compares with ripgrep itself in the same scope: nothing is ignored, nothing hidden. */
const GREP = { operation: "grep", ...HEAVY, bounds: [{ most: 1.2, server: "floor", beatsPeers: "all" }] };

export const SEARCHING = [
  {
    id: "find",
    title: "find **/*.ts among 100,000 files, beside rg --files",
    operation: "find",
    asks: ({ forest }) => ({ path: forest, pattern: "**/*.ts" }),
    isRight: (answer, { shownTs }) => linesOf(answer, /[.]ts(?!\w)/g) >= shownTs,
    ...HEAVY,
    bounds: [{ most: 1.2, server: "floor", beatsPeers: "all" }],
  },
  {
    id: "tree",
    title: "the whole tree of 100,000 files",
    operation: "tree",
    asks: ({ forest }) => ({ path: forest }),
    isRight: (answer, { allFiles }) => linesOf(answer, /f\d+-\d[.]\w+/g) >= allFiles - 1,
    ...HEAVY,
    bounds: [{ most: 2, server: "floor", beatsPeers: "all" }],
  },
  {
    id: "overview",
    title: "  the same tree within the default budget",
    operation: "overview",
    asks: ({ forest }) => ({ path: forest }),
    isRight: (answer) => answer.data.truncated && countOf(answer, /package-\d+/g) === 100,
    ...HEAVY,
    bounds: [{ most: 0.2, own: "tree" }],
  },
  {
    id: "grep",
    title: "grep a rare word in 100,000 files, beside rg",
    ...GREP,
    asks: ({ forest }) => ({ path: forest, pattern: NEEDLE, literal: true, lines: CUT }),
    isRight: ({ texts }) => texts.join("\n").split(NEEDLE).length > 3,
  },
  {
    id: "grep_common",
    title: "grep a common regex there, 10,000 lines of it",
    ...GREP,
    asks: ({ forest }) => ({ path: forest, pattern: "function \\w+7\\(", literal: false, lines: CUT }),
    isRight: ({ texts }) => texts.join("\n").split("7() {").length > 100,
  },
  {
    id: "grep_huge",
    title: "grep one line of 1 GiB",
    ...GREP,
    asks: ({ huge, hugeLineCount }) => ({ path: huge, pattern: numberIn(hugeLineCount), literal: true, lines: CUT }),
    isRight: ({ texts }, { hugeLineCount }) => texts.join("\n").includes(middleLine(hugeLineCount).trimEnd()),
  },
];

/** Counts every place: the same name may occur in several directories. */
function linesOf({ texts }, name) {
  return (texts.join("\n").match(name) ?? []).length;
}

function middleLine(lineCount) {
  return hugeLine(Math.floor(lineCount / 2));
}

function numberIn(lineCount) {
  return middleLine(lineCount).slice(0, 9);
}
