import { makeTar } from "../content/archives/make-tar.ts";

/** One call of a tool. */
export interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * Names what lies on a disk of its own: nothing, a directory of the root, our own state, or a single file of the root.
 */
export type Disk = "none" | "root/disk" | "state" | "root/mounted.txt";

/** Selects the changes themselves, or their undo. */
export type Set = "changes" | "undone";

/** A change that is killed at every system call: earlier calls, and the change itself. */
export interface Case {
  readonly name: string;
  readonly earlier?: readonly Call[];
  readonly call: Call;
}

/** The same small tree in every case. "twin" and "twin.other" are one file; "link" leads to "a.txt". */
export const TREE: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "another\n",
  "locked.txt": "private\n",
  "dir/inner.txt": "inner\n",
  "dir/deep/deepest.txt": "deepest\n",
  twin: "of two names\n",
  "disk/far.txt": "far away\n",
  "disk/near.txt": "near it\n",
  "disk/tree/leaf.txt": "leaf\n",
  // All bytes of this tar are ASCII.
  "pack.tar": makeTar([
    { name: "a.txt", content: "packed\n" },
    { name: "dir/more/leaf.txt", content: "packed leaf\n" },
    { name: "dir/more/twin.txt", type: "1", link: "a.txt" },
    { name: "fresh/", type: "5", mode: 0o750 },
    { name: "disk/far.txt", content: "packed far\n" },
    { name: "disk/new/far.txt", content: "packed farther\n" },
  ]).toString("latin1"),
};

const call = (tool: string, input: Call["input"]): Call => ({ tool, input });
const write = (path: string, content: string, more: Call["input"] = {}) => call("write", { path, content, ...more });
const move = (source: string, destination: string, more: Call["input"] = {}) =>
  call("move", { source, destination, ...more });
const copy = (source: string, destination: string, more: Call["input"] = {}) =>
  call("copy", { source, destination, ...more });
const remove = (path: string, more: Call["input"] = {}) => call("delete", { path, recursive: true, ...more });
const restore = (path: string, more: Call["input"] = {}) => call("restore", { path, ...more });
const patch = (...lines: readonly string[]) => call("apply_patch", { input: `${lines.join("\n")}\n` });
const extract = (into: string, more: Call["input"] = {}) => call("extract", { archive: "pack.tar", into, ...more });
const compress = (path: string, to: string, more: Call["input"] = {}) =>
  call("compress", { paths: [path], to, ...more });
const OVER = { overwrite: true };

const THREE_FILES = patch(
  "*** Begin Patch",
  "*** Update File: a.txt",
  "@@",
  "-two",
  "+TWO",
  "*** Add File: fresh/new.txt",
  "+new",
  "*** Delete File: b.txt",
  "*** End Patch",
);
const MOVING_PATCH = patch(
  "*** Begin Patch",
  "*** Update File: a.txt",
  "*** Move to: moved/a.txt",
  "@@",
  "-two",
  "+TWO",
  "*** End Patch",
);
const CHMOD = patch("diff --git a/a.txt b/a.txt", "old mode 100644", "new mode 100755");
const CHMOD_AND_MOVE = patch(
  "diff --git a/a.txt b/moved.txt",
  "old mode 100644",
  "new mode 100755",
  "similarity index 100%",
  "rename from a.txt",
  "rename to moved.txt",
);

const CHANGES: readonly Case[] = [
  { name: "write new", call: write("new.txt", "new\n") },
  { name: "write over", call: write("a.txt", "other\n") },
  { name: "write over a private file", call: write("locked.txt", "other\n") },
  { name: "write over a file of two names", call: write("twin", "other\n") },
  { name: "write through a link", call: write("link", "other\n") },
  { name: "write through missing parents", call: write("x/y/new.txt", "new\n") },
  { name: "edit", call: call("edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }) },
  { name: "append", call: write("a.txt", "four\n", { append: true }) },
  { name: "append to a file of two names", call: write("twin", "more\n", { append: true }) },
  { name: "mkdir", call: call("mkdir", { path: "x/y/z" }) },
  { name: "move a file", call: move("a.txt", "moved.txt") },
  { name: "move into a new directory", call: move("a.txt", "x/y/moved.txt") },
  { name: "move over a file", call: move("a.txt", "b.txt", OVER) },
  { name: "move over another name of the same file", call: move("twin", "twin.other", OVER) },
  { name: "move over a link", call: move("a.txt", "link", OVER) },
  { name: "move a link over a file", call: move("link", "b.txt", OVER) },
  { name: "move a directory", call: move("dir", "moved") },
  { name: "move a directory over a file", call: move("dir", "b.txt", OVER) },
  { name: "copy a file", call: copy("a.txt", "copy.txt") },
  { name: "copy a tree", call: copy("dir", "x/copy") },
  { name: "copy over a file", call: copy("a.txt", "b.txt", OVER) },
  { name: "copy over a link", call: copy("a.txt", "link", OVER) },
  { name: "delete a file", call: remove("a.txt") },
  { name: "delete a tree", call: remove("dir") },
  { name: "delete for good", call: remove("dir", { permanent: true }) },
  { name: "restore a file", earlier: [remove("a.txt")], call: restore("a.txt") },
  { name: "restore a tree", earlier: [remove("dir")], call: restore("dir") },
  { name: "restore over a file", earlier: [remove("a.txt"), write("a.txt", "newer\n")], call: restore("a.txt", OVER) },
  {
    name: "restore a tree into a new directory",
    earlier: [remove("dir")],
    call: restore("dir", { destination: "x/y" }),
  },
  { name: "chmod", call: CHMOD },
  { name: "chmod and move", call: CHMOD_AND_MOVE },
  { name: "patch of three files", call: THREE_FILES },
  { name: "patch that moves", call: MOVING_PATCH },
  { name: "extract into a new directory", call: extract("x/out") },
  // The same two things happen again to what is under "disk": each more call is one more process to kill.
  { name: "extract over what is there", call: extract(".", { ...OVER, members: ["a.txt", "dir", "fresh"] }) },
  { name: "compress", call: compress("dir", "x/dir.tar") },
  { name: "compress over a file", call: compress("dir", "pack.tar", OVER) },
];

/** Runs with the disk mounted at "disk". */
const ACROSS: readonly Case[] = [
  { name: "write over, elsewhere", call: write("disk/far.txt", "other\n") },
  { name: "append, elsewhere", call: write("disk/far.txt", "more\n", { append: true }) },
  { name: "move over a file, elsewhere", call: move("disk/far.txt", "disk/near.txt", OVER) },
  { name: "move over a link, elsewhere", call: move("disk/far.txt", "disk/link", OVER) },
  { name: "move a file across", call: move("a.txt", "disk/moved.txt") },
  { name: "move a file across over another", call: move("a.txt", "disk/far.txt", OVER) },
  { name: "move a directory across", call: move("dir", "disk/moved") },
  { name: "move a directory across and back", call: move("disk/tree", "tree") },
  { name: "move a directory across over a file", call: move("dir", "disk/far.txt", OVER) },
  { name: "extract over what is there, on both", call: extract(".", OVER) },
  { name: "extract into a new directory, elsewhere", call: extract("disk/out") },
  { name: "compress over a file, elsewhere", call: compress("dir", "disk/far.tar") },
  { name: "copy a tree across", call: copy("dir", "disk/copy") },
  { name: "copy across over a file", call: copy("a.txt", "disk/far.txt", OVER) },
  { name: "delete a file, elsewhere", call: remove("disk/far.txt") },
  { name: "delete a tree, elsewhere", call: remove("disk/tree") },
  { name: "delete for good, elsewhere", call: remove("disk/tree", { permanent: true }) },
  { name: "restore a tree, elsewhere", earlier: [remove("disk/tree")], call: restore("disk/tree") },
  {
    name: "restore over a file, elsewhere",
    earlier: [remove("disk/far.txt"), write("disk/far.txt", "newer\n")],
    call: restore("disk/far.txt", OVER),
  },
];

/** Runs with a file mounted at "mounted.txt", of three lines as well. */
const IN_PLACE: readonly Case[] = [
  { name: "write in place", call: write("mounted.txt", "other\n") },
  { name: "write more in place", call: write("mounted.txt", "much longer than what was there before\n") },
  { name: "edit in place", call: call("edit", { path: "mounted.txt", edits: [{ oldText: "two", newText: "2" }] }) },
  { name: "append in place", call: write("mounted.txt", "more\n", { append: true }) },
  { name: "copy over a mounted file", call: copy("a.txt", "mounted.txt", OVER) },
  {
    name: "restore over a mounted file",
    earlier: [remove("b.txt")],
    call: restore("b.txt", { destination: "mounted.txt", ...OVER }),
  },
  {
    name: "patch a mounted file and another",
    call: patch(
      "*** Begin Patch",
      "*** Update File: mounted.txt",
      "@@",
      "-two",
      "+TWO",
      "*** Update File: a.txt",
      "@@",
      "-two",
      "+TWO",
      "*** End Patch",
    ),
  },
];

/** Undoes every change that can be undone. */
const undone = (cases: readonly Case[]): readonly Case[] =>
  cases
    .filter(({ name }) => !name.includes("for good"))
    .map(({ name, earlier = [], call: done }) => ({
      name: `undo: ${name}`,
      earlier: [...earlier, done],
      call: call("undo", {}),
    }));

export function casesOn(disk: Disk, set: Set): readonly Case[] {
  const cases = { none: CHANGES, state: CHANGES, "root/disk": ACROSS, "root/mounted.txt": IN_PLACE }[disk];
  return set === "changes" ? cases : undone(cases);
}

/** One way to run cases. */
interface Row {
  readonly disk: Disk;
  readonly set?: Set;
  readonly recovering?: boolean;
  readonly isBare?: boolean;
}

/** Makes a test of each case of each row: none takes long, and its name says what it tries. */
export const casesOf = (rows: readonly Row[]): readonly (Row & { readonly name: string })[] =>
  rows.flatMap((row) => casesOn(row.disk, row.set ?? "changes").map(({ name }) => ({ ...row, name })));
