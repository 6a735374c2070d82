/** Renders a trace for a terminal. */
export const textOf = ({ tool, counts, walk }) =>
  [`${tool}: ${sumsOf(counts).join(", ")}`, ...listsOf(counts), "", ...linesOf(walk)].join("\n");

/** Renders traces as the Markdown of docs/walk.md. */
export const docOf = (traces) => `${[HEAD, ...traces.map(sectionOf)].join("\n\n")}\n`;

const HEAD = `# Walks

Written by \`node scripts/trace-call.mjs --doc\`; do not edit.

Read this beside the code: it follows one \`read\` and one \`edit\` from the wire to the disk and back, and shows every
named function that the call enters, below the function that called it. \`×6\` means entered six times there. A
function is in its caller's file unless another file follows its name. Functions of \`base/\` and \`text/\` are left out,
except where the walk begins, and so is work that a timer does later for many calls at once.

The calls come over MCP, after thirty others, on Linux with koffi: \`read\` of a text of 50 KB, and \`edit\` of one of
10 KB that was read before.`;

/** Introduces each walk: the stations in the order in which the call passes them. */
const INTRODUCTIONS = {
  read: `The face comes first. \`faces/mcp/wire.ts\` parses a line, \`fast-path.ts\` recognises a tool call, \`call-queue.ts\` runs
it, and \`render.ts\` writes the answer at the end. Every call goes through \`runtime/pipeline/call.ts\`: \`around.ts\`
looks the tool up, parses the arguments, checks the loop guard and writes the audit record; in between \`attempt\` lets
the tool plan. \`tools/fs/read.ts\` only reads: it asks \`workspace/view.ts\` for a file. The view confines the path and
has the rules judge it, first as it is spelled and then as it was opened. \`storage/local/\` opens it inside the jail.
\`runtime/secrets/\` redacts what was opened, and \`workspace/read/\` cuts a page out of it.`,
  edit: `Up to the plan it is the same. \`tools/fs/edit.ts\` returns the changed content instead of writing it. Then
\`runtime/pipeline/decide.ts\` asks the rules about that change, \`ask.ts\` asks a person if a rule requires it (here none
does), and \`act.ts\` counts it against limits and performs it. \`workspace/changes/commit.ts\` is the only way to the
disk: the journal notes what will happen, \`staging.ts\` writes the new content beside the file, and under the lock
\`compile.ts\` checks that the file is the one that was read and turns the change into steps, which \`steps.ts\` performs.
The old content moves into the store. \`storage/local/writer.ts\` does each step relative to an open directory. Back in
the pipeline, notices are sent.`,
};

const sectionOf = ({ tool, counts, walk }) =>
  [
    `## \`${tool}\``,
    INTRODUCTIONS[tool],
    listed(sumsOf(counts)),
    listsOf(counts).join("\n").trim(),
    fenced(groupedLinesOf(walk)),
  ]
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
    ...section("Callbacks, which a lower layer calls because a higher one passed them in:", upward),
  ];
}

const section = (title, rows) => (rows.length === 0 ? [] : ["", title, "", listed(rows)]);
const lineOf = ({ name, file, times }) => `${name} ${file}${timesOf(times)}`;
const timesOf = (times) => (times > 1 ? ` ×${times}` : "");

const linesOf = (node, depth = 0) => [
  "  ".repeat(depth) + lineOf(node),
  ...node.below.flatMap((each) => linesOf(each, depth + 1)),
];

/** Names a file only where it is another than that of the caller. */
const groupedLinesOf = ({ name, file, times, below }, above = "", depth = 0) => [
  `${"  ".repeat(depth)}${name}${timesOf(times)}${file === above ? "" : `  ${file}`}`,
  ...below.flatMap((each) => groupedLinesOf(each, file, depth + 1)),
];
