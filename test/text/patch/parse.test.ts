import { describe, expect, it } from "vitest";
import type { FilePatch, Hunk, HunkLine } from "../../../src/text/patch/file-patch.ts";
import { parsePatch } from "../../../src/text/patch/parse.ts";
import { runAtOnce } from "../run-at-once.ts";

const text = (...lines: string[]): string => lines.join("\n");
const envelope = (...lines: string[]): string => text("*** Begin Patch", ...lines, "*** End Patch");

/** A patch in one line for each file: what happens to it, and its hunks as "@start anchors: lines". */
function summaryOf(patch: FilePatch): string {
  const mode = "mode" in patch && patch.mode !== undefined ? ` ${patch.mode.toString(8)}` : "";
  if (patch.kind === "add") return `add ${patch.path}${mode} ${JSON.stringify(patch.text)}`;
  const to = patch.kind === "update" && patch.to !== undefined ? ` to ${patch.to}` : "";
  return [`${patch.kind} ${patch.path}${to}${mode}`, ...patch.hunks.map(hunkSummary)].join(" ");
}

const MARKS: Readonly<Record<HunkLine["kind"], string>> = { context: " ", remove: "-", add: "+" };

function hunkSummary({ start, anchors, lines, isAtEnd, isLoose }: Hunk): string {
  const place = `@${start ?? ""}${isLoose ? "~" : ""}${anchors.map((anchor) => `[${anchor}]`).join("")}`;
  const shown = lines.map(
    (line) => `${MARKS[line.kind]}${line.text}${line.hasReturn ? "\\r" : ""}${line.isOpen ? "\\" : ""}`,
  );
  return `${place}{${shown.join("|")}}${isAtEnd ? "$" : ""}`;
}

const UPDATE = ["*** Update File: f", "@@", "-a", "+b"];
const WANT_UPDATE = ["update f @~{-a|+b}"];

const ENVELOPES = [
  { name: "an update", patch: envelope(...UPDATE), want: WANT_UPDATE },
  {
    name: "an addition",
    patch: envelope("*** Add File: d/f.txt", "+a", "+", "+ b"),
    want: ['add d/f.txt "a\\n\\n b\\n"'],
  },
  { name: "an empty addition", patch: envelope("*** Add File: f"), want: ['add f ""'] },
  {
    name: "an addition whose blank line has no +",
    patch: envelope("*** Add File: f", "+a", "", "+b", ""),
    want: ['add f "a\\n\\nb\\n"'],
  },
  {
    name: "an addition without a final newline",
    patch: envelope("*** Add File: f", "+a", "\\ No newline at end of file"),
    want: ['add f "a"'],
  },
  {
    name: "an addition of text that looks like a patch",
    patch: envelope("*** Add File: f", "+*** End Patch", "+@@"),
    want: ['add f "*** End Patch\\n@@\\n"'],
  },
  { name: "a deletion", patch: envelope("*** Delete File: f"), want: ["delete f"] },
  { name: "a move", patch: envelope("*** Update File: f", "*** Move to: g"), want: ["update f to g"] },
  {
    name: "a move with changes",
    patch: envelope("*** Update File: f", "*** Move to: g", "@@", "-a", "+b"),
    want: ["update f to g @~{-a|+b}"],
  },
  {
    name: "all of them",
    patch: envelope("*** Add File: a", "+1", "*** Delete File: b", ...UPDATE, "*** Add File: c"),
    want: ['add a "1\\n"', "delete b", "update f @~{-a|+b}", 'add c ""'],
  },
  { name: "a path with spaces", patch: envelope("*** Delete File:  my file.txt "), want: ["delete my file.txt"] },
  { name: "no @@", patch: envelope("*** Update File: f", " a", "-b"), want: ["update f @~{ a|-b}"] },
  {
    name: "an anchor",
    patch: envelope("*** Update File: f", "@@ def f():", "-b"),
    want: ["update f @~[def f():]{-b}"],
  },
  {
    name: "several anchors",
    patch: envelope("*** Update File: f", "@@ class A", "@@   def f():", "-b"),
    want: ["update f @~[class A][  def f():]{-b}"],
  },
  {
    name: "an anchor closed with @@",
    patch: envelope("*** Update File: f", "@@ def f(): @@", "-b"),
    want: ["update f @~[def f():]{-b}"],
  },
  {
    name: "line numbers",
    patch: envelope("*** Update File: f", "@@ -3,2 +3,1 @@ def f():", "-b"),
    want: ["update f @3~{-b}"],
  },
  {
    name: "two hunks",
    patch: envelope("*** Update File: f", "@@", "-a", "@@ x", "+b"),
    want: ["update f @~{-a} @~[x]{+b}"],
  },
  {
    name: "the end of the file",
    patch: envelope("*** Update File: f", "@@", "-a", "*** End of File"),
    want: ["update f @~{-a}$"],
  },
  {
    name: "a hunk behind the end of the file",
    patch: envelope("*** Update File: f", "-a", "*** End of File", "@@", "-b"),
    want: ["update f @~{-a}$ @~{-b}"],
  },
  { name: "an empty line", patch: envelope("*** Update File: f", " a", "", "-b"), want: ["update f @~{ a| |-b}"] },
  {
    name: "spacing between sections",
    patch: envelope("", "*** Update File: f", "", "@@", "-a", "", "", "*** Delete File: g", ""),
    want: ["update f @~{-a}", "delete g"],
  },
  { name: "white space around", patch: `\n\n  ${envelope(...UPDATE)}  \n\n`, want: WANT_UPDATE },
  { name: "a code fence", patch: text("```diff", envelope(...UPDATE), "```"), want: WANT_UPDATE },
  { name: "a heredoc", patch: text("<<EOF", envelope(...UPDATE), "EOF"), want: WANT_UPDATE },
  {
    name: "a quoted heredoc and its command",
    patch: text("apply_patch <<'PATCH'", envelope(...UPDATE), "PATCH", ""),
    want: WANT_UPDATE,
  },
  {
    name: "a heredoc in a command",
    patch: text(`bash -lc "apply_patch <<'EOF'`, envelope(...UPDATE), "EOF", '"'),
    want: WANT_UPDATE,
  },
  { name: "talk before", patch: text("Here is the patch:", envelope(...UPDATE)), want: WANT_UPDATE },
  {
    name: "two envelopes",
    patch: text(envelope(...UPDATE), envelope("*** Delete File: g")),
    want: ["update f @~{-a|+b}", "delete g"],
  },
  { name: "CRLF", patch: envelope(...UPDATE).replaceAll("\n", "\r\n"), want: WANT_UPDATE },
  { name: "a byte-order mark", patch: `\uFEFF${envelope(...UPDATE)}`, want: WANT_UPDATE },
  {
    name: "a diff inside an addition",
    patch: envelope("*** Add File: p.diff", "+--- a/f", "++++ b/f"),
    want: ['add p.diff "--- a/f\\n+++ b/f\\n"'],
  },
];

const HUNK = ["@@ -1 +1 @@", "-a", "+b"];
const GIT = "diff --git a/f b/f";

const DIFFS = [
  { name: "plain", patch: text("--- f", "+++ f", ...HUNK), want: ["update f @1{-a|+b}"] },
  { name: "with prefixes", patch: text("--- a/f", "+++ b/f", ...HUNK), want: ["update f @1{-a|+b}"] },
  { name: "from a directory called a", patch: text("--- a/f", "+++ a/f", ...HUNK), want: ["update a/f @1{-a|+b}"] },
  {
    name: "with times",
    patch: text("--- a/f\t2024-01-01 10:00:00", "+++ b/f\toriginal", ...HUNK),
    want: ["update f @1{-a|+b}"],
  },
  {
    name: "from git",
    patch: text(GIT, "index 1..2 100644", "--- a/f", "+++ b/f", ...HUNK),
    want: ["update f @1{-a|+b}"],
  },
  {
    name: "without prefixes from git",
    patch: text("diff --git a/f a/f", "--- a/f", "+++ a/f", ...HUNK),
    want: ["update a/f @1{-a|+b}"],
  },
  {
    name: "with mnemonic prefixes",
    patch: text("diff --git i/d/f w/d/f", "--- i/d/f", "+++ w/d/f", ...HUNK),
    want: ["update d/f @1{-a|+b}"],
  },
  { name: "mnemonic prefixes alone", patch: text("--- i/d/f", "+++ w/d/f", ...HUNK), want: ["update d/f @1{-a|+b}"] },
  {
    name: "a name with spaces",
    patch: text("diff --git a/my f b/my f", "--- a/my f\t", "+++ b/my f\t", ...HUNK),
    want: ["update my f @1{-a|+b}"],
  },
  {
    name: "a name in octal",
    patch: text(
      String.raw`diff --git "a/f\303\266 o" "b/f\303\266 o"`,
      String.raw`--- "a/f\303\266 o"`,
      String.raw`+++ "b/f\303\266 o"`,
      ...HUNK,
    ),
    want: ["update fö o @1{-a|+b}"],
  },
  {
    name: "a name with quote and tab",
    patch: text(String.raw`--- "a/w\"i\te\\"`, String.raw`+++ "b/w\"i\te\\"`, ...HUNK),
    want: ['update w"i\te\\ @1{-a|+b}'],
  },
  {
    name: "one quoted name",
    patch: text(String.raw`diff --git a/old "b/n\303\266"`, "rename from old", String.raw`rename to "n\303\266"`),
    want: ["update old to nö"],
  },
  {
    name: "several files",
    patch: text("--- a/f", "+++ b/f", ...HUNK, "--- a/g", "+++ b/g", ...HUNK),
    want: ["update f @1{-a|+b}", "update g @1{-a|+b}"],
  },
  {
    name: "several hunks",
    patch: text("--- a/f", "+++ b/f", ...HUNK, "@@ -9,2 +9,2 @@ f()", " c", "-d", "+e"),
    want: ["update f @1{-a|+b} @9{ c|-d|+e}"],
  },
  {
    name: "a new file",
    patch: text(GIT, "new file mode 100755", "--- /dev/null", "+++ b/f", "@@ -0,0 +1,2 @@", "+a", "+b"),
    want: ['add f 755 "a\\nb\\n"'],
  },
  {
    name: "a new file without git",
    patch: text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a"),
    want: ['add f "a\\n"'],
  },
  {
    name: "a new file without a final newline",
    patch: text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a", "\\ No newline at end of file"),
    want: ['add f "a"'],
  },
  {
    name: "a new file that ends with a return",
    patch: text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a\r", "\\ No newline at end of file"),
    want: ['add f "a\\r"'],
  },
  {
    name: "a new empty file",
    patch: text("diff --git a/new f b/new f", "new file mode 100644", "index 0..e"),
    want: ['add new f 644 ""'],
  },
  {
    name: "a new file with CRLF",
    patch: text("--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+a\r"),
    want: ['add f "a\\r\\n"'],
  },
  {
    name: "a deleted file",
    patch: text(GIT, "deleted file mode 100644", "--- a/f", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"),
    want: ["delete f @1{-a}"],
  },
  { name: "a deleted empty file", patch: text(GIT, "deleted file mode 100644", "index e..0"), want: ["delete f"] },
  {
    name: "a rename",
    patch: text("diff --git a/x y b/z", "similarity index 100%", "rename from x y", "rename to z"),
    want: ["update x y to z"],
  },
  {
    name: "a rename with changes",
    patch: text(
      "diff --git a/f b/g",
      "similarity index 90%",
      "rename from f",
      "rename to g",
      "--- a/f",
      "+++ b/g",
      ...HUNK,
    ),
    want: ["update f to g @1{-a|+b}"],
  },
  {
    name: "a rename without prefixes",
    patch: text("diff --git f g", "rename from f", "rename to g", "--- f", "+++ g", ...HUNK),
    want: ["update f to g @1{-a|+b}"],
  },
  {
    name: "a rename without git's lines",
    patch: text("--- a/f", "+++ b/g", ...HUNK),
    want: ["update f to g @1{-a|+b}"],
  },
  { name: "a change of mode", patch: text(GIT, "old mode 100644", "new mode 100755"), want: ["update f 755"] },
  {
    name: "a change of mode and text",
    patch: text(GIT, "old mode 100644", "new mode 100755", "--- a/f", "+++ b/f", ...HUNK),
    want: ["update f 755 @1{-a|+b}"],
  },
  {
    name: "a missing final newline",
    patch: text(
      "--- a/f",
      "+++ b/f",
      "@@ -1 +1 @@",
      "-a",
      "\\ No newline at end of file",
      "+b",
      "\\ Kein Zeilenumbruch",
    ),
    want: ["update f @1{-a\\|+b\\}"],
  },
  {
    name: "carriage returns of the file",
    patch: text("--- a/f", "+++ b/f", "@@ -1 +1 @@", "-a\r", "+b\r"),
    want: ["update f @1{-a\\r|+b\\r}"],
  },
  {
    name: "no numbers",
    patch: text("--- a/f", "+++ b/f", "@@", " c", "-a", "+b", "", ""),
    want: ["update f @~{ c|-a|+b}"],
  },
  {
    name: "a heading for numbers",
    patch: text("--- a/f", "+++ b/f", "@@ def f(): @@", "-a"),
    want: ["update f @~[def f():]{-a}"],
  },
  {
    name: "a mail around it",
    patch: text(
      "From 1 Mon Sep 17",
      "Subject: x",
      "",
      " f | 2 +-",
      "",
      GIT,
      "--- a/f",
      "+++ b/f",
      ...HUNK,
      "-- ",
      "2.39.5",
      "",
    ),
    want: ["update f @1{-a|+b}"],
  },
  { name: "a code fence", patch: text("```diff", "--- a/f", "+++ b/f", ...HUNK, "```"), want: ["update f @1{-a|+b}"] },
  {
    name: "an index line as of subversion",
    patch: text("Index: f", "=====", "--- f\t(revision 1)", "+++ f\t(working copy)", ...HUNK),
    want: ["update f @1{-a|+b}"],
  },
  {
    name: "a removed line like a header",
    patch: text("--- a/f", "+++ b/f", "@@ -1,2 +1,1 @@", "--- x", " y"),
    want: ["update f @1{--- x| y}"],
  },
];

describe.each([
  { kind: "an envelope", rows: ENVELOPES },
  { kind: "a unified diff", rows: DIFFS },
])("$kind", ({ rows }) => {
  it.each(rows)("$name", ({ patch, want }) => {
    expect(runAtOnce(parsePatch(patch)).map(summaryOf)).toEqual(want);
  });
});
