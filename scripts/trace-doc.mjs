/** Renders a trace for a terminal. */
export const textOf = ({ tool, counts, walk }) =>
  [`${tool}: ${sumsOf(counts).join(", ")}`, ...listsOf(counts), "", ...linesOf(walk)].join("\n");

/** Renders traces as the Markdown of docs/walk.md. */
export const docOf = (traces) => `${[HEAD, ...traces.map(sectionOf)].join("\n\n")}\n`;

const HEAD = `# Walks

Written by \`node scripts/trace-call.mjs --doc\`; do not edit.

A walk lists every named function that one call enters, below the function that called it; ×n: entered n times there.
The call is the second of its kind, after thirty other calls: \`read\` of a text of 50 KB, \`edit\` of one of 10 KB.
Functions of \`base/\` and \`text/\` are left out, and so is work that a timer does later for many calls at once.`;

const sectionOf = ({ tool, counts, walk }) =>
  [`## \`${tool}\``, listed(sumsOf(counts)), listsOf(counts).join("\n").trim(), fenced(linesOf(walk))]
    .filter((part) => part !== "")
    .join("\n\n");

const listed = (lines) => lines.map((line) => `- ${line}`).join("\n");
const fenced = (lines) => ["```text", ...lines, "```"].join("\n");

const sumsOf = ({ entries, functions, framesToPlan }) => [
  `${entries} entries`,
  `${functions} functions`,
  `${framesToPlan} frames between call and plan`,
];

function listsOf({ often, forwarding, upward }) {
  return [
    ...section("Entered more than six times:", often.map(lineOf)),
    ...section("Only forward their parameters:", forwarding.map(lineOf)),
    ...section("Calls into a higher layer:", upward),
  ];
}

const section = (title, rows) => (rows.length === 0 ? [] : ["", title, "", listed(rows)]);
const lineOf = ({ name, file, times }) => `${name} ${file}${times > 1 ? ` ×${times}` : ""}`;

const linesOf = (node, depth = 0) => [
  "  ".repeat(depth) + lineOf(node),
  ...node.below.flatMap((each) => linesOf(each, depth + 1)),
];
