import { expect, it } from "vitest";
import { parsePatch } from "../../../src/text/patch/parse.ts";
import { runAtOnce } from "../run-at-once.ts";
import { faultOf } from "../fault-of.ts";

const text = (...lines: string[]): string => lines.join("\n");
const HEAD = ["--- a/f", "+++ b/f"];

const REFUSED = [
  { name: "nothing", patch: " \n", says: "it is empty" },
  { name: "talk", patch: "please change a to b", says: 'it has neither "*** Begin Patch" nor' },
  { name: "hunks of no file", patch: "@@ -1 +1 @@\n-a\n+b", says: "it has neither" },
  {
    name: "no end",
    patch: text("*** Begin Patch", "*** Delete File: f"),
    says: 'line 2: the patch ends without "*** End Patch": was it cut off?',
  },
  { name: "no file", patch: text("*** Begin Patch", "*** End Patch"), says: "line 2: the patch names no file" },
  {
    name: "an unknown section",
    patch: text("*** Begin Patch", "*** Rename File: f", "*** End Patch"),
    says: 'line 2: expected "*** Add File: ", "*** Update File: " or "*** Delete File: ", but got "*** Rename File: f"',
  },
  {
    name: "an addition without a path",
    patch: text("*** Begin Patch", "*** Add File: ", "*** End Patch"),
    says: "line 2: the path is missing",
  },
  {
    name: "a move without a path",
    patch: text("*** Begin Patch", "*** Update File: f", "*** Move to: ", "*** End Patch"),
    says: "line 3: the path is missing",
  },
  {
    name: "an addition without +",
    patch: text("*** Begin Patch", "*** Add File: f", "+a", "b", "*** End Patch"),
    says: 'f, line 4: every line of a new file begins with "+", but got "b"',
  },
  {
    name: "a deletion with lines",
    patch: text("*** Begin Patch", "*** Delete File: f", "-a", "*** End Patch"),
    says: "f, line 3: a deletion has no lines",
  },
  {
    name: "an empty update",
    patch: text("*** Begin Patch", "*** Update File: f", "*** End Patch"),
    says: "f, line 2: the update changes nothing",
  },
  {
    name: "an update of context alone",
    patch: text("*** Begin Patch", "*** Update File: f", "@@", " a", "*** End Patch"),
    says: "f, line 2: the update changes nothing",
  },
  {
    name: "an anchor alone",
    patch: text("*** Begin Patch", "*** Update File: f", "-a", "@@ x", "*** End Patch"),
    says: "f, hunk 2, line 4: no lines follow the context",
  },
  {
    name: "a line without its mark",
    patch: text("*** Begin Patch", "*** Update File: f", "@@", "-a", "@@", "-c", "b", "*** End Patch"),
    says: 'f, hunk 2, line 7: expected a line that begins with " ", "+", "-" or "@@", but got "b"',
  },
  {
    name: "an end of file without lines",
    patch: text("*** Begin Patch", "*** Update File: f", "*** End of File", "*** End Patch"),
    says: "f, line 3: no hunk ends here",
  },
  {
    name: "text behind the end",
    patch: text("*** Begin Patch", "*** Delete File: f", "*** End Patch", "and more"),
    says: 'line 4: nothing may follow "*** End Patch", but got "and more"',
  },
  {
    name: "an odd name in the message",
    patch: text("*** Begin Patch", "*** Update File: a\u202Eb", "*** End Patch"),
    says: String.raw`"a\u{202e}b", line 2`,
  },
  {
    name: "a cut hunk",
    patch: text(...HEAD, "@@ -1,3 +1,3 @@", " a", "-b"),
    says: "f, hunk 1, line 5: the hunk announces 3 old and 3 new lines, but the patch ends",
  },
  {
    name: "a hunk that is too short",
    patch: text(...HEAD, "@@ -1,3 +1,3 @@", " a", "-b", "+c", "@@ -9 +9 @@", "-x", "+y"),
    says: 'f, hunk 1, line 7: the hunk announces 3 old and 3 new lines, but got "@@ -9 +9 @@"',
  },
  {
    name: "a hunk that is too long",
    patch: text(...HEAD, "@@ -1 +1 @@", "-a", "+b", "+c"),
    says: "f, hunk 1, line 6: the hunk announces 1 old and 1 new lines, but has more",
  },
  {
    name: "more removed than announced",
    patch: text(...HEAD, "@@ -1,1 +1,2 @@", "-a", "-b", "+c"),
    says: "f, hunk 1, line 5: the hunk announces 1 old and 2 new lines, but has more",
  },
  {
    name: "a broken header",
    patch: text(...HEAD, "@@ -1,2 @@", "-a"),
    says: 'f, hunk 1, line 3: expected "@@ -1,2 +1,3 @@" or "@@" alone',
  },
  { name: "an empty hunk", patch: text(...HEAD, "@@", ""), says: "f, hunk 1, line 3: the hunk has no lines" },
  {
    name: "a mark without a line",
    patch: text(...HEAD, "@@", "\\ No newline at end of file"),
    says: "f, hunk 1, line 4: no line stands before it",
  },
  { name: "no hunk", patch: text(...HEAD), says: "f, line 1: the diff changes nothing" },
  { name: "a git header alone", patch: "diff --git a/f b/f", says: "f, line 1: the diff changes nothing" },
  {
    name: "two names",
    patch: text("--- f.orig", "+++ f", "@@ -1 +1 @@", "-a", "+b"),
    says: "line 1: the names differ",
  },
  { name: "no name", patch: text("--- /dev/null", "+++ /dev/null"), says: "line 1: the file has no name" },
  { name: "an empty name", patch: text("--- ", "+++ b/f"), says: "line 1: the path is missing" },
  {
    name: "two names that cannot be told apart",
    patch: text("diff --git a/x y b/z", "old mode 100644", "new mode 100755"),
    says: "line 1: the names cannot be told apart",
  },
  {
    name: "a name that is no UTF-8",
    patch: text(String.raw`--- "a/\377"`, String.raw`+++ "b/\377"`),
    says: "line 1: the name",
  },
  { name: "a name whose quote is open", patch: text('--- "a/f', '+++ "b/f'), says: "line 1: the name" },
  {
    name: "half a rename, which is no deletion",
    patch: text("diff --git a/f b/g", "similarity index 100%", "rename from f"),
    says: "line 1: the names cannot be told apart",
  },
  {
    name: "a binary file",
    patch: text("diff --git a/f b/f", "index 1..2 100644", "Binary files a/f and b/f differ"),
    says: "f, line 3: binary patches cannot be applied",
  },
  {
    name: "a binary patch",
    patch: text("diff --git a/f b/f", "index 1..2 100644", "GIT binary patch", "literal 3"),
    says: "f, line 3: binary patches cannot be applied",
  },
  {
    name: "a binary file between others",
    patch: text(...HEAD, "@@ -1 +1 @@", "-a", "+b", "Binary files x and y differ"),
    says: "line 6: binary patches cannot be applied",
  },
  {
    name: "a copy",
    patch: text("diff --git a/f b/g", "similarity index 100%", "copy from f", "copy to g"),
    says: "line 3: copies cannot be applied",
  },
  {
    name: "a symbolic link",
    patch: text("diff --git a/f b/f", "new file mode 120000", "--- /dev/null", "+++ b/f", "@@ -0,0 +1 @@", "+x"),
    says: "f, line 2: a symbolic link cannot be patched",
  },
  {
    name: "a changed symbolic link",
    patch: text("diff --git a/f b/f", "index 1..2 120000", ...HEAD),
    says: "f, line 2: a symbolic link cannot be patched",
  },
  {
    name: "a submodule",
    patch: text("diff --git a/f b/f", "index 1..2 160000", ...HEAD),
    says: "f, line 2: a submodule cannot be patched",
  },
  {
    name: "a merge",
    patch: text("diff --cc f", "index 1,2..3", "--- a/f", "+++ b/f", "@@@ -1,1 -1,1 +1,1 @@@"),
    says: "line 1: a combined diff of a merge",
  },
  {
    name: "a hunk without a file",
    patch: text(...HEAD, "@@ -1 +1 @@", "-a", "+b", "", "@@ -9 +9 @@", "-x", "+y"),
    says: "line 7: the hunk belongs to no file",
  },
  {
    name: "a new file with context",
    patch: text("--- /dev/null", "+++ b/f", "@@ -1 +1,2 @@", " a", "+b"),
    says: "f, line 1: a new file has one hunk",
  },
  {
    name: "a deleted file with additions",
    patch: text("--- a/f", "+++ /dev/null", "@@ -1 +1 @@", "-a", "+b"),
    says: "f, line 1: a deleted file has no lines that are added",
  },
];

it.each(REFUSED)("refuses $name", ({ patch, says }) => {
  const { code, message } = faultOf(() => runAtOnce(parsePatch(patch)));
  expect(message).toContain(says);
  expect(message).toMatch(/^Cannot read the patch: /);
  expect(code).toBe("bad_patch");
});

it("says in the details where", () => {
  expect(faultOf(() => runAtOnce(parsePatch(text(...HEAD, "@@ -1,2 +1 @@", "-a")))).details).toEqual({
    line: 4,
    path: "f",
    hunk: 1,
  });
});
