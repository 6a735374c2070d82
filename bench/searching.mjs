// Finding files in a project of 100,000: what is asked, what a right answer is, and how fast it has to be.
import { oneByOne } from "./measure.mjs";

const countOf = ({ texts }, name) => new Set(texts.join("\n").match(name)).size;

/** Few of these, since each takes as long as a thousand small calls; and their answers are megabytes. */
const HEAVY = { measure: oneByOne, warmUp: 3, repetitions: 3, rounds: 7, growth: 64 };

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
];

/** Names may come again in other directories: every place counts. */
function linesOf({ texts }, name) {
  return (texts.join("\n").match(name) ?? []).length;
}
