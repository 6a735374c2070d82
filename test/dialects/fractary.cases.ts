import { basename, join } from "node:path";
import { expect } from "vitest";
import { versionOfBytes } from "../../src/base/version.ts";
import type { DialectCase } from "./dialect-case.ts";

const answers = (data: object) => ({ says: JSON.stringify({ success: true, data }) });

const refuses = (fails: string, code: string, message: string) => ({
  fails,
  says: JSON.stringify({ success: false, error: { code, message } }),
  data: { success: false, error: { code, message } },
});

const missing = (name: string, what = "File") => refuses("not_found", "NOT_FOUND", `${what} '${name}' not found`);
const escapes = (name: string) =>
  refuses(
    "outside_workspace",
    "PATH_TRAVERSAL",
    `Path traversal detected: '${name}' attempts to escape base directory`,
  );
const taken = (name: string) =>
  refuses("exists", "ALREADY_EXISTS", `File '${name}' already exists; set overwrite to true to replace it`);
const denies = (name: string) =>
  refuses(
    "denied",
    "PERMISSION_DENIED",
    `Cannot open '${name}': it is not in the directories of this session\nDo not retry: ask the user, or find another way`,
  );
const directory = (name: string) => refuses("not_a_file", "IS_DIRECTORY", `'${name}' is a directory, not a file`);

const lists = (...files: readonly object[]) => ({
  says: /^\{"success":true,"data":\{"files":\[/,
  data: { success: true, data: { files } },
});
const file = (path: string, size: number) => ({
  path,
  name: basename(path),
  size,
  isDirectory: false,
  modifiedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
});
const folder = (path: string) => ({ path: `${path}/`, name: basename(path), isDirectory: true });

const VERSION = versionOfBytes(Buffer.from("one two three"));
const BINARY = Buffer.from([0, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3, 0x28]);
const withArchive: DialectCase["options"] = (root) => ({ sources: { archive: join(root, "../outside") } });

const READS: readonly DialectCase[] = [
  {
    name: "reads a file",
    has: ['config.json = {"key": "value"}'],
    call: ["fractary_file_read", { path: "config.json" }],
    ...answers({ path: "config.json", content: '{"key": "value"}', size: 16 }),
  },
  {
    name: "reads an empty file",
    bytes: { a: Buffer.of() },
    call: ["fractary_file_read", { path: "a" }],
    ...answers({ path: "a", content: "", size: 0 }),
  },
  {
    name: "reads UTF-8 by itself, and counts bytes",
    bytes: { a: Buffer.from("né\r\n") },
    call: ["fractary_file_read", { path: "a" }],
    ...answers({ path: "a", content: "né\r\n", size: 5 }),
  },
  {
    name: "reads in the encoding that is named",
    bytes: { a: Buffer.from("déjà", "latin1") },
    call: ["fractary_file_read", { path: "a", encoding: "latin1" }],
    ...answers({ path: "a", content: "déjà", size: 4 }),
  },
  {
    name: "reads UTF-16",
    bytes: { a: Buffer.from("héllo", "utf16le") },
    call: ["fractary_file_read", { path: "a", encoding: "utf16le" }],
    ...answers({ path: "a", content: "héllo", size: 10 }),
  },
  {
    name: "reads bytes as base64",
    bytes: { a: BINARY },
    call: ["fractary_file_read", { path: "a", encoding: "base64" }],
    ...answers({ path: "a", content: BINARY.toString("base64"), size: 8 }),
  },
  {
    name: "damages no bytes that are not text: it says so",
    bytes: { a: BINARY },
    call: ["fractary_file_read", { path: "a" }],
    ...refuses("not_text", "INVALID_ARGUMENT", "File 'a' is not text in utf-8; read it with encoding base64"),
  },
  {
    name: "knows no other encoding",
    has: ["a = x"],
    call: ["fractary_file_read", { path: "a", encoding: "klingon" }],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT","message":"Cannot use encoding \\"klingon\\"/,
  },
  {
    name: "reads by the full path that a write answers with",
    has: ["d/a = x"],
    call: ["fractary_file_read", { path: "$ABS/d/a" }],
    ...answers({ path: "$ABS/d/a", content: "x", size: 1 }),
  },
  {
    name: "says that a file is not there",
    call: ["fractary_file_read", { path: "missing.json" }],
    ...missing("missing.json"),
  },
  { name: "does not read a directory", has: ["d/"], call: ["fractary_file_read", { path: "d" }], ...directory("d") },
  {
    name: "says that a file is in the way",
    has: ["f = x"],
    call: ["fractary_file_read", { path: "f/a" }],
    ...refuses("not_a_directory", "IS_FILE", "'f/a' cannot be there: a file is in the way"),
  },
  {
    name: "does not climb out",
    call: ["fractary_file_read", { path: "../../etc/passwd" }],
    ...escapes("../../etc/passwd"),
  },
  {
    name: "does not climb out on a detour",
    has: ["d/"],
    call: ["fractary_file_read", { path: "d/../../x" }],
    ...escapes("d/../../x"),
  },
  {
    name: "takes no absolute path elsewhere",
    call: ["fractary_file_read", { path: "/etc/passwd" }],
    ...escapes("/etc/passwd"),
  },
  {
    name: "takes no neighbour whose name begins alike",
    has: ["../ROOT-2/x = secret"],
    call: ["fractary_file_read", { path: "$ABS-2/x" }],
    ...escapes("$ABS-2/x"),
  },
  {
    name: "follows no link out of the storage",
    has: ["../outside/x = secret", "l => $OUT/x"],
    call: ["fractary_file_read", { path: "l" }],
    ...escapes("l"),
  },
  {
    name: "follows no linked directory out of the storage",
    has: ["../outside/x = secret", "d => $OUT"],
    call: ["fractary_file_read", { path: "d/x" }],
    ...escapes("d/x"),
  },
  {
    name: "follows a link inside",
    has: ["a = x", "l => a"],
    call: ["fractary_file_read", { path: "l" }],
    ...answers({ path: "l", content: "x", size: 1 }),
  },
  {
    name: "reads names with two dots in them",
    has: ["a..b = x"],
    call: ["fractary_file_read", { path: "a..b" }],
    ...answers({ path: "a..b", content: "x", size: 1 }),
  },
  {
    name: "reads names that begin with two dots",
    has: ["..rc = x"],
    call: ["fractary_file_read", { path: "..rc" }],
    ...answers({ path: "..rc", content: "x", size: 1 }),
  },
  {
    name: "needs a path",
    call: ["fractary_file_read"],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT","message":"Cannot use 'path': /,
  },
  {
    name: "needs arguments that are an object",
    call: ["fractary_file_read", null],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT"/,
  },
  {
    name: "takes no empty path",
    call: ["fractary_file_read", { path: "" }],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT"/,
  },
  {
    name: "takes no path with a NUL",
    call: ["fractary_file_read", { path: "a\0b" }],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT"/,
  },
  {
    name: "refuses an argument that it does not know",
    has: ["a = x"],
    call: ["fractary_file_read", { path: "a", head: 3 }],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT","message":"Cannot use 'head'/,
  },
  {
    name: "knows no other tool",
    call: ["fractary_file_raed", {}],
    fails: "unknown_tool",
    says: /"code":"INVALID_ARGUMENT".*did you mean \\"fractary_file_read\\"/,
  },
];

const PARTS: readonly DialectCase[] = [
  {
    name: "reads a part of a file",
    has: ["a = one two three"],
    call: ["fractary_file_read", { path: "a", offset: 4, length: 3 }],
    ...answers({ path: "a", content: "two", size: 13, version: VERSION }),
  },
  {
    name: "reads the rest of a file",
    has: ["a = one two three"],
    call: ["fractary_file_read", { path: "a", offset: 8, encoding: "base64" }],
    ...answers({ path: "a", content: Buffer.from("three").toString("base64"), size: 13, version: VERSION }),
  },
  {
    name: "reads nothing behind the end",
    has: ["a = one two three"],
    call: ["fractary_file_read", { path: "a", offset: 99 }],
    ...answers({ path: "a", content: "", size: 13, version: VERSION }),
  },
  {
    name: "damages no character that a part cuts through",
    bytes: { a: Buffer.from("né") },
    call: ["fractary_file_read", { path: "a", length: 2 }],
    ...refuses("not_text", "INVALID_ARGUMENT", "File 'a' is not text in utf-8; read it with encoding base64"),
  },
  {
    name: "says how to read what is too large for one answer",
    bytes: { a: Buffer.alloc(25 * 1024 * 1024) },
    call: ["fractary_file_read", { path: "a", encoding: "base64" }],
    ...refuses("too_large", "INVALID_ARGUMENT", 'Cannot read all of "a": it has 26214400 bytes; take it in parts'),
  },
  {
    name: "adds to the end of a file",
    has: ["a = one"],
    call: ["fractary_file_write", { path: "a", content: " two", append: true }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 4 }),
    leaves: { a: "one two" },
  },
];

const WRITES: readonly DialectCase[] = [
  {
    name: "writes a file",
    call: ["fractary_file_write", { path: "config.json", content: '{"key": "value"}' }],
    ...answers({ path: "config.json", fullPath: "$ABS/config.json", size: 16 }),
    leaves: { "config.json": '{"key": "value"}' },
  },
  {
    name: "makes the directories above",
    call: ["fractary_file_write", { path: "d/./e/a", content: "x" }],
    ...answers({ path: "d/./e/a", fullPath: "$ABS/d/e/a", size: 1 }),
    leaves: { "d/e/a": "x" },
  },
  {
    name: "writes an empty file",
    call: ["fractary_file_write", { path: "a", content: "" }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 0 }),
    leaves: { a: "" },
  },
  {
    name: "does not replace a file by itself",
    has: ["a = old"],
    call: ["fractary_file_write", { path: "a", content: "new" }],
    ...taken("a"),
    leaves: { a: "old" },
  },
  {
    name: "does not replace a file when told so",
    has: ["a = old"],
    call: ["fractary_file_write", { path: "a", content: "new", overwrite: false }],
    ...taken("a"),
    leaves: { a: "old" },
  },
  {
    name: "replaces a file with overwrite",
    has: ["a = old"],
    call: ["fractary_file_write", { path: "a", content: "new", overwrite: true }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 3 }),
    leaves: { a: "new" },
  },
  {
    name: "replaces a file exactly, whatever its line ends and encoding were",
    bytes: { a: Buffer.from("d\u00e9j\u00e0\r\nvu\r\n", "latin1") },
    call: ["fractary_file_write", { path: "a", content: "é\nb\n", overwrite: true }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 5 }),
    leaves: { a: "é\nb\n" },
  },
  {
    name: "writes bytes",
    call: ["fractary_file_write", { path: "a", content: BINARY.toString("base64"), encoding: "base64" }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 8 }),
    leaves: { a: BINARY },
  },
  {
    name: "takes no damaged base64",
    call: ["fractary_file_write", { path: "a", content: "§§", encoding: "base64" }],
    ...refuses("invalid_input", "INVALID_ARGUMENT", 'Cannot write: "content" is not base64'),
    leaves: { a: null },
  },
  {
    name: "writes in the encoding that is named",
    call: ["fractary_file_write", { path: "a", content: "déjà", encoding: "latin1" }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 4 }),
    leaves: { a: Buffer.from("déjà", "latin1") },
  },
  {
    name: "loses no character that an encoding lacks",
    call: ["fractary_file_write", { path: "a", content: "日本", encoding: "latin1" }],
    fails: "cannot_encode",
    says: /"code":"INVALID_ARGUMENT"/,
    leaves: { a: null },
  },
  {
    name: "writes content as it is",
    call: ["fractary_file_write", { path: "a", content: "1\\n2\r\n$&" }],
    ...answers({ path: "a", fullPath: "$ABS/a", size: 8 }),
    leaves: { a: "1\\n2\r\n$&" },
  },
  {
    name: "does not write over a directory",
    has: ["d/"],
    call: ["fractary_file_write", { path: "d", content: "x", overwrite: true }],
    ...directory("d"),
  },
  {
    name: "does not make a directory of a file",
    has: ["f = x"],
    call: ["fractary_file_write", { path: "f/a", content: "x" }],
    ...refuses("not_a_directory", "IS_FILE", "'f/a' cannot be there: a file is in the way"),
    leaves: { f: "x" },
  },
  {
    name: "does not write outside",
    call: ["fractary_file_write", { path: "../x", content: "x" }],
    ...escapes("../x"),
    leaves: { "../x": null },
  },
  {
    name: "does not write through a link to nothing",
    has: ["../outside/", "l => $OUT/new"],
    call: ["fractary_file_write", { path: "l", content: "x", overwrite: true }],
    ...escapes("l"),
    leaves: { "../outside/new": null },
  },
  {
    name: "needs a content",
    call: ["fractary_file_write", { path: "a" }],
    fails: "invalid_input",
    says: /"message":"Cannot use 'content': /,
    leaves: { a: null },
  },
  {
    name: "deletes a file",
    has: ["temp.json = x"],
    call: ["fractary_file_delete", { path: "temp.json" }],
    ...answers({ path: "temp.json", deleted: true }),
    leaves: { "temp.json": null },
  },
  { name: "says that there is nothing to delete", call: ["fractary_file_delete", { path: "a" }], ...missing("a") },
  {
    name: "deletes no directory, not even an empty one",
    has: ["d/"],
    call: ["fractary_file_delete", { path: "d" }],
    ...directory("d"),
    leaves: { d: "[directory]" },
  },
  {
    name: "deletes nothing outside",
    has: ["../outside/x = keep", "d => $OUT"],
    call: ["fractary_file_delete", { path: "d/x" }],
    ...escapes("d/x"),
    leaves: { "../outside/x": "keep" },
  },
  {
    name: "has no tool to write with when nothing may be changed",
    call: ["fractary_file_write", { path: "a", content: "x" }],
    ...refuses("unknown_tool", "PERMISSION_DENIED", "Calling fractary_file_write is not allowed here"),
    options: () => ({ readOnly: true }),
    leaves: { a: null },
  },
];

const LISTS: readonly DialectCase[] = [
  {
    name: "lists a directory",
    has: ["data/config.json = {}", "data/exports/deep = x", "other = x"],
    call: ["fractary_file_list", { path: "data/" }],
    ...lists(file("data/config.json", 2), folder("data/exports")),
  },
  {
    name: "lists the base by itself, hidden files too",
    has: [".env = x", "d/a = x"],
    call: ["fractary_file_list"],
    ...lists(file(".env", 1), folder("d")),
  },
  {
    name: "lists recursively",
    has: ["data/config.json = {}", "data/exports/deep/a = xyz", "data/.gitignore = *"],
    call: ["fractary_file_list", { path: "data", recursive: true }],
    ...lists(
      file("data/.gitignore", 1),
      file("data/config.json", 2),
      folder("data/exports"),
      folder("data/exports/deep"),
      file("data/exports/deep/a", 3),
    ),
  },
  { name: "lists an empty directory", has: ["d/"], call: ["fractary_file_list", { path: "d" }], ...lists() },
  {
    name: "filters by a pattern",
    has: ["a.json = 1", "b.txt = 1", "sub/c.json = 1"],
    call: ["fractary_file_list", { pattern: "*.json" }],
    ...lists(file("a.json", 1)),
  },
  {
    name: "matches a pattern with the path below the directory",
    has: ["data/a.json = 1", "data/sub/b.json = 1", "data/sub/c.txt = 1"],
    call: ["fractary_file_list", { path: "data", pattern: "sub/*.json", recursive: true }],
    ...lists(file("data/sub/b.json", 1)),
  },
  {
    name: "finds a pattern at any depth",
    has: ["a.json = 1", "s/b.json = 1", "s/c.txt = 1"],
    call: ["fractary_file_list", { pattern: "**/*.json", recursive: true }],
    ...lists(file("a.json", 1), file("s/b.json", 1)),
  },
  {
    name: "stays on top with any pattern unless it is recursive",
    has: ["a.json = 1", "s/b.json = 1"],
    call: ["fractary_file_list", { pattern: "**/*.json" }],
    ...lists(file("a.json", 1)),
  },
  {
    name: "knows braces in a pattern",
    has: ["a.md = 1", "b.txt = 1", "c.json = 1"],
    call: ["fractary_file_list", { pattern: "*.{md,txt}" }],
    ...lists(file("a.md", 1), file("b.txt", 1)),
  },
  {
    name: "says what is wrong with a pattern",
    call: ["fractary_file_list", { pattern: "../*" }],
    fails: "invalid_input",
    says: /"code":"INVALID_ARGUMENT","message":"Cannot use the pattern \\"\.\.\/\*\\": .* \(character 1\)/,
  },
  {
    name: "does not take a directory for another that begins alike",
    has: ["foo/a = x", "foobar/b = x"],
    call: ["fractary_file_list", { path: "foo", recursive: true }],
    ...lists(file("foo/a", 1)),
  },
  {
    name: "tells a link as what it leads to, and of what is outside nothing",
    has: ["d/a = xyz", "../outside/x = secret", "file => d/a", "folder => d", "none => nowhere", "out => $OUT/x"],
    call: ["fractary_file_list", { recursive: true }],
    ...lists(
      folder("d"),
      file("d/a", 3),
      file("file", 3),
      folder("folder"),
      { path: "none", name: "none", isDirectory: false },
      { path: "out", name: "out", isDirectory: false },
    ),
  },
  {
    name: "says that there is no directory",
    call: ["fractary_file_list", { path: "no" }],
    ...missing("no", "Directory"),
  },
  {
    name: "does not list a file",
    has: ["a = x"],
    call: ["fractary_file_list", { path: "a" }],
    ...refuses("not_a_directory", "IS_FILE", "'a' is a file, not a directory"),
  },
  { name: "lists nothing outside", call: ["fractary_file_list", { path: ".." }], ...escapes("..") },
  {
    name: "sees that a file exists",
    has: ["config.json = {}"],
    call: ["fractary_file_exists", { path: "config.json" }],
    ...answers({ path: "config.json", exists: true }),
  },
  {
    name: "sees that a file does not exist",
    call: ["fractary_file_exists", { path: "d/config.json" }],
    ...answers({ path: "d/config.json", exists: false }),
  },
  {
    name: "sees that a directory exists",
    has: ["d/"],
    call: ["fractary_file_exists", { path: "d" }],
    ...answers({ path: "d", exists: true }),
  },
  { name: "does not look outside", call: ["fractary_file_exists", { path: "../x" }], ...escapes("../x") },
  {
    name: "does not tell whether a link outside leads somewhere",
    has: ["../outside/x = secret", "l => $OUT/x"],
    call: ["fractary_file_exists", { path: "l" }],
    ...escapes("l"),
  },
];

const COPIES: readonly DialectCase[] = [
  {
    name: "copies a file",
    has: ["config.json = {}"],
    call: ["fractary_file_copy", { source: "config.json", destination: "new/config.backup.json" }],
    ...answers({
      source: "config.json",
      destination: "new/config.backup.json",
      fullPath: "$ABS/new/config.backup.json",
      size: 2,
      copied: true,
    }),
    leaves: { "config.json": "{}", "new/config.backup.json": "{}" },
  },
  {
    name: "copies bytes as they are",
    bytes: { a: BINARY },
    call: ["fractary_file_copy", { source: "a", destination: "b" }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 8, copied: true }),
    leaves: { b: BINARY },
  },
  {
    name: "copies an empty file",
    bytes: { a: Buffer.of() },
    call: ["fractary_file_copy", { source: "a", destination: "b" }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 0, copied: true }),
    leaves: { b: "" },
  },
  {
    name: "does not replace a file by a copy",
    has: ["a = new", "b = old"],
    call: ["fractary_file_copy", { source: "a", destination: "b" }],
    ...taken("b"),
    leaves: { b: "old" },
  },
  {
    name: "replaces a file by a copy with overwrite",
    has: ["a = new", "b = old"],
    call: ["fractary_file_copy", { source: "a", destination: "b", overwrite: true }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 3, copied: true }),
    leaves: { b: "new" },
  },
  {
    name: "does not copy a file onto itself",
    has: ["a = x"],
    call: ["fractary_file_copy", { source: "a", destination: "./a", overwrite: true }],
    ...refuses("invalid_input", "INVALID_ARGUMENT", 'Cannot copy "a" onto itself'),
    leaves: { a: "x" },
  },
  {
    name: "copies what a link leads to",
    has: ["d/a = x", "l => d/a"],
    call: ["fractary_file_copy", { source: "l", destination: "e/b" }],
    ...answers({ source: "l", destination: "e/b", fullPath: "$ABS/e/b", size: 1, copied: true }),
    leaves: { "e/b": "x" },
  },
  {
    name: "copies nothing in by a link",
    has: ["../outside/x = secret", "l => $OUT/x"],
    call: ["fractary_file_copy", { source: "l", destination: "b" }],
    ...escapes("l"),
    leaves: { b: null },
  },
  {
    name: "copies nothing out by a link",
    has: ["a = x", "../outside/", "d => $OUT"],
    call: ["fractary_file_copy", { source: "a", destination: "d/x" }],
    ...escapes("d/x"),
    leaves: { "../outside/x": null },
  },
  {
    name: "says that there is nothing to copy",
    call: ["fractary_file_copy", { source: "a", destination: "b" }],
    ...missing("a"),
  },
  {
    name: "copies no directory",
    has: ["d/a"],
    call: ["fractary_file_copy", { source: "d", destination: "e" }],
    ...directory("d"),
  },
  {
    name: "does not copy over a directory",
    has: ["a = x", "d/"],
    call: ["fractary_file_copy", { source: "a", destination: "d", overwrite: true }],
    ...directory("d"),
  },
  {
    name: "moves a file",
    has: ["old-config.json = {}"],
    call: ["fractary_file_move", { source: "old-config.json", destination: "d/config.json" }],
    ...answers({
      source: "old-config.json",
      destination: "d/config.json",
      fullPath: "$ABS/d/config.json",
      size: 2,
      moved: true,
    }),
    leaves: { "old-config.json": null, "d/config.json": "{}" },
  },
  {
    name: "keeps a file that moves to where it is",
    notes: ["source and destination are the same; nothing was moved"],
    has: ["a = x"],
    call: ["fractary_file_move", { source: "a", destination: "a" }],
    ...answers({ source: "a", destination: "a", fullPath: "$ABS/a", size: 1, moved: true }),
    leaves: { a: "x" },
  },
  {
    name: "keeps a file that moves to where it is by another spelling, with overwrite",
    notes: ["source and destination are the same; nothing was moved"],
    has: ["d/a = x"],
    call: ["fractary_file_move", { source: "d/a", destination: "d/../d/./a", overwrite: true }],
    ...answers({ source: "d/a", destination: "d/../d/./a", fullPath: "$ABS/d/a", size: 1, moved: true }),
    leaves: { "d/a": "x" },
  },
  {
    name: "moves an empty file",
    bytes: { a: Buffer.of() },
    call: ["fractary_file_move", { source: "a", destination: "b" }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 0, moved: true }),
    leaves: { a: null, b: "" },
  },
  {
    name: "moves bytes as they are",
    bytes: { a: BINARY },
    call: ["fractary_file_move", { source: "a", destination: "b" }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 8, moved: true }),
    leaves: { a: null, b: BINARY },
  },
  {
    name: "does not replace a file by a move",
    has: ["a = new", "b = old"],
    call: ["fractary_file_move", { source: "a", destination: "b" }],
    ...taken("b"),
    leaves: { a: "new", b: "old" },
  },
  {
    name: "replaces a file by a move with overwrite",
    has: ["a = new", "b = old"],
    call: ["fractary_file_move", { source: "a", destination: "b", overwrite: true }],
    ...answers({ source: "a", destination: "b", fullPath: "$ABS/b", size: 3, moved: true }),
    leaves: { a: null, b: "new" },
  },
  {
    name: "says that there is nothing to move",
    call: ["fractary_file_move", { source: "a", destination: "b" }],
    ...missing("a"),
  },
  {
    name: "moves nothing outside",
    has: ["a = x"],
    call: ["fractary_file_move", { source: "a", destination: "../a" }],
    ...escapes("../a"),
    leaves: { a: "x", "../a": null },
  },
];

const SOURCES: readonly DialectCase[] = [
  {
    name: "reads from a source",
    has: ["../outside/a = theirs", "a = ours"],
    call: ["fractary_file_read", { path: "a", source: "archive" }],
    ...answers({ path: "a", content: "theirs", size: 6 }),
    options: withArchive,
  },
  {
    name: "reads from the base where no source is named",
    has: ["../outside/b = theirs", "a = ours"],
    call: ["fractary_file_read", { path: "b" }],
    ...missing("b"),
    options: withArchive,
  },
  {
    name: "writes to a source",
    has: ["../outside/"],
    call: ["fractary_file_write", { path: "d/a", content: "x", source: "archive" }],
    ...answers({ path: "d/a", fullPath: "$OUT/d/a", size: 1 }),
    leaves: { "../outside/d/a": "x", d: null },
    options: withArchive,
  },
  {
    name: "lists a source",
    has: ["../outside/d/a = x", "b = x"],
    call: ["fractary_file_list", { path: "d", source: "archive" }],
    ...lists(file("d/a", 1)),
    options: withArchive,
  },
  {
    name: "names the directory that is missing in a source",
    has: ["../outside/"],
    call: ["fractary_file_list", { path: "d", source: "archive" }],
    ...missing("d", "Directory"),
    options: withArchive,
  },
  {
    name: "copies within a source",
    has: ["../outside/a = x"],
    call: ["fractary_file_copy", { source: "a", destination: "b", sourceStorage: "archive" }],
    ...answers({ source: "a", destination: "b", fullPath: "$OUT/b", size: 1, copied: true }),
    leaves: { "../outside/b": "x", b: null },
    options: withArchive,
  },
  {
    name: "moves within a source",
    has: ["../outside/a = x"],
    call: ["fractary_file_move", { source: "a", destination: "b", sourceStorage: "archive" }],
    ...answers({ source: "a", destination: "b", fullPath: "$OUT/b", size: 1, moved: true }),
    leaves: { "../outside/a": null, "../outside/b": "x" },
    options: withArchive,
  },
  {
    name: "deletes from a source",
    has: ["../outside/a = x", "a = ours"],
    call: ["fractary_file_delete", { path: "a", source: "archive" }],
    ...answers({ path: "a", deleted: true }),
    leaves: { "../outside/a": null, a: "ours" },
    options: withArchive,
  },
  {
    name: "looks into a source",
    has: ["../outside/a = x"],
    call: ["fractary_file_exists", { path: "a", source: "archive" }],
    ...answers({ path: "a", exists: true }),
    options: withArchive,
  },
  {
    name: "takes no local disk for a source that it does not know",
    has: ["../outside/"],
    call: ["fractary_file_write", { path: "a", content: "x", source: "archve" }],
    ...refuses("invalid_input", "INVALID_ARGUMENT", "Unknown source 'archve': the sources are archive"),
    leaves: { a: null, "../outside/a": null },
    options: withArchive,
  },
  {
    name: "says that no source is configured",
    has: ["a = x"],
    call: ["fractary_file_read", { path: "a", source: "archive" }],
    ...refuses("invalid_input", "INVALID_ARGUMENT", "Unknown source 'archive': none is configured"),
  },
  {
    name: "takes no name for a source that every object has",
    call: ["fractary_file_list", { source: "constructor" }],
    ...refuses("invalid_input", "INVALID_ARGUMENT", "Unknown source 'constructor': none is configured"),
  },
  {
    name: "says why a source cannot be used",
    call: ["fractary_file_write", { path: "a", content: "x", source: "archive" }],
    ...refuses("root_gone", "NOT_FOUND", "Source 'archive' cannot be used: it does not exist"),
    leaves: { a: null },
    options: withArchive,
  },
  {
    name: "checks paths in a source too",
    has: ["../outside/", "a = ours"],
    call: ["fractary_file_read", { path: "../ROOT/a", source: "archive" }],
    ...escapes("../ROOT/a"),
    options: withArchive,
  },
  {
    name: "does not come into a source by an absolute path",
    has: ["../outside/a = theirs"],
    call: ["fractary_file_read", { path: "$OUT/a" }],
    ...escapes("$OUT/a"),
    options: withArchive,
  },
  {
    name: "does not come into a source by a link",
    has: ["../outside/a = theirs", "l => $OUT/a"],
    call: ["fractary_file_read", { path: "l" }],
    ...denies("l"),
    options: withArchive,
  },
  {
    name: "does not write into a source by a link",
    has: ["../outside/a = theirs", "d => $OUT"],
    call: ["fractary_file_write", { path: "d/a", content: "x", overwrite: true }],
    ...denies("d/a"),
    leaves: { "../outside/a": "theirs" },
    options: withArchive,
  },
  {
    name: "does not climb from a source into the base around it",
    has: ["in/", "a = ours"],
    call: ["fractary_file_read", { path: "../a", source: "in" }],
    ...escapes("../a"),
    options: (root) => ({ sources: { in: join(root, "in") } }),
  },
];

/** Everything that the document of fractary says, what its program does wrong, and what it adds. */
export const CASES: readonly DialectCase[] = [...READS, ...PARTS, ...WRITES, ...LISTS, ...COPIES, ...SOURCES];
