import { hash } from "node:crypto";
import { expect } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import type { DialectCase } from "./dialect-case.ts";

/** A call of a capability. It gives outputs, all of them, or an error with the ways out of it, all of them. */
export interface CapabilityCase extends Pick<
  DialectCase,
  "name" | "has" | "bytes" | "before" | "leaves" | "options" | "notes" | "fails" | "isError"
> {
  readonly call: readonly [capability: string, inputs?: unknown];
  readonly gives?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly recovery?: string;
}

const ISO: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const TRASH: unknown = expect.stringMatching(/^trash:.+/);
const UUID: unknown = expect.stringMatching(/^[0-9a-f-]{36}$/);
const INT: unknown = expect.any(Number);
const sha = (text: string | Uint8Array): string => hash("sha256", text);

const answering = (decision: "once" | "deny") => () => ({ approver: async () => ({ decision }) });
const waitingFor = (approvalWaitMs: number) => () => ({ approvalWaitMs });
const YES = answering("once");
const blocking =
  (...act: readonly ("read" | "write" | "delete" | "move")[]): NonNullable<DialectCase["options"]> =>
  () => ({
    ruleSource: { layers: [{ name: "user", rules: [{ act: [...act], decide: "blocked", origin: "here" }] }] },
  });

const file = (content: string, more: object = {}) => ({
  content,
  size: Buffer.byteLength(content),
  modified: ISO,
  checksum: sha(content),
  truncated: false,
  ...more,
});
const entry = (name: string, type: string, size: number) => ({ name, type, size, modified: ISO });
const match = (path: string, size: number) => ({ path: `$ABS/${path}`, type: "file", size, modified: ISO });
const OUT = "check_scope";

const READ: readonly CapabilityCase[] = [
  { name: "reads a file", has: ["a.txt = one"], call: ["filesystem.read", { path: "$ABS/a.txt" }], gives: file("one") },
  { name: "reads by a relative path", has: ["d/a = x"], call: ["filesystem.read", { path: "d/a" }], gives: file("x") },
  { name: "reads an empty file", bytes: { a: Buffer.of() }, call: ["filesystem.read", { path: "a" }], gives: file("") },
  {
    name: "reads all of a large file at once",
    bytes: { a: Buffer.from("line of text\n".repeat(900_000)) },
    call: ["filesystem.read", { path: "a" }],
    gives: file("line of text\n".repeat(900_000)),
  },
  {
    name: "reads so many bytes, and says that there are more",
    has: ["a = abcdef"],
    call: ["filesystem.read", { path: "a", limit: 4 }],
    gives: file("abcdef", { content: "abcd", truncated: true }),
  },
  {
    name: "reads from an offset to the end",
    has: ["a = abcdef"],
    call: ["filesystem.read", { path: "a", offset: 4 }],
    gives: file("abcdef", { content: "ef" }),
  },
  {
    name: "reads up to exactly the end without a cut",
    has: ["a = abcdef"],
    call: ["filesystem.read", { path: "a", offset: 2, limit: 4 }],
    gives: file("abcdef", { content: "cdef" }),
  },
  {
    name: "reads nothing behind the end",
    has: ["a = abc"],
    call: ["filesystem.read", { path: "a", offset: 9 }],
    gives: file("abc", { content: "" }),
  },
  {
    name: "never splits a character at the end of a range",
    has: ["a = xé"],
    call: ["filesystem.read", { path: "a", limit: 2 }],
    gives: file("xé", { content: "x", truncated: true }),
  },
  {
    name: "begins a range with a whole character",
    has: ["a = éx"],
    call: ["filesystem.read", { path: "a", offset: 1 }],
    gives: file("éx"),
  },
  {
    name: "reads bytes as base64",
    bytes: { b: Buffer.from([0, 255, 1]) },
    call: ["filesystem.read", { path: "b", encoding: "binary" }],
    gives: { content: "AP8B", size: 3, modified: ISO, checksum: sha(Buffer.from([0, 255, 1])), truncated: false },
  },
  {
    name: "reads a range of bytes",
    bytes: { b: Buffer.from([0, 255, 1]) },
    call: ["filesystem.read", { path: "b", encoding: "binary", offset: 1, limit: 1 }],
    gives: { content: "/w==", size: 3, modified: ISO, checksum: sha(Buffer.from([0, 255, 1])), truncated: true },
  },
  {
    name: "reads another encoding by its name",
    bytes: { l: Buffer.from("caf\u00e9", "latin1") },
    call: ["filesystem.read", { path: "l", encoding: "latin1" }],
    gives: {
      content: "café",
      size: 4,
      modified: ISO,
      checksum: sha(Buffer.from("caf\u00e9", "latin1")),
      truncated: false,
    },
  },
  {
    name: "says what cannot be decoded",
    bytes: { l: Buffer.from("caf\u00e9", "latin1") },
    call: ["filesystem.read", { path: "l" }],
    error: "EncodingError",
    recovery: "try_binary",
  },
  {
    name: "takes an image for no text",
    bytes: { "a.png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff]) },
    call: ["filesystem.read", { path: "a.png" }],
    error: "EncodingError",
    recovery: "try_binary",
  },
  {
    name: "follows a link inside",
    has: ["a = x", "l => a"],
    call: ["filesystem.read", { path: "l" }],
    gives: file("x"),
  },
  {
    name: "finds no file to read",
    call: ["filesystem.read", { path: "none" }],
    error: "FileNotFound",
    recovery: "search list",
  },
  {
    name: "reads nothing outside",
    call: ["filesystem.read", { path: "/etc/passwd" }],
    error: "PathOutOfScope",
    recovery: "check_scope request_access",
  },
  {
    name: "reads nothing through a link that leads out",
    has: ["../outside/x = secret", "l => $OUT/x"],
    call: ["filesystem.read", { path: "l" }],
    error: "PathOutOfScope",
    recovery: "check_scope request_access",
  },
  { name: "needs a path", call: ["filesystem.read"], error: "InvalidInput", recovery: "fix_input stat" },
  {
    name: "knows no other inputs",
    has: ["a"],
    call: ["filesystem.read", { path: "a", lines: 3 }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "knows no such encoding",
    has: ["a"],
    call: ["filesystem.read", { path: "a", encoding: "klingon" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "reads no directory",
    has: ["d/"],
    call: ["filesystem.read", { path: "d" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
];

const WRITE: readonly CapabilityCase[] = [
  {
    name: "writes a new file",
    call: ["filesystem.write", { path: "$ABS/a", content: "é" }],
    gives: { path: "$ABS/a", size: 2, checksum: sha("é") },
    leaves: { a: "é" },
  },
  {
    name: "replaces a file exactly",
    bytes: { a: Buffer.from("one\r\ntwo\r\n") },
    call: ["filesystem.write", { path: "a", content: "x\ny\n" }],
    gives: { path: "$ABS/a", size: 4, checksum: sha("x\ny\n") },
    leaves: { a: "x\ny\n" },
  },
  {
    name: "writes bytes",
    call: ["filesystem.write", { path: "a", content: "AP8B", encoding: "binary" }],
    gives: { path: "$ABS/a", size: 3, checksum: sha(Buffer.from([0, 255, 1])) },
    leaves: { a: Buffer.from([0, 255, 1]) },
  },
  {
    name: "writes in another encoding",
    call: ["filesystem.write", { path: "a", content: "é", encoding: "latin1" }],
    gives: { path: "$ABS/a", size: 1, checksum: sha(Buffer.of(0xe9)) },
    leaves: { a: Buffer.of(0xe9) },
  },
  {
    name: "cannot write what an encoding lacks",
    call: ["filesystem.write", { path: "a", content: "日本", encoding: "latin1" }],
    error: "EncodingError",
    recovery: "try_utf8",
    leaves: { a: null },
  },
  {
    name: "refuses base64 that is none",
    call: ["filesystem.write", { path: "a", content: "?", encoding: "binary" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
    leaves: { a: null },
  },
  {
    name: "makes no directories by itself",
    call: ["filesystem.write", { path: "d/e/a", content: "x" }],
    error: "ParentNotFound",
    recovery: "create_parents",
    leaves: { d: null },
  },
  {
    name: "makes directories when told",
    call: ["filesystem.write", { path: "d/e/a", content: "x", create_parents: true }],
    gives: { path: "$ABS/d/e/a", size: 1, checksum: sha("x") },
    leaves: { "d/e/a": "x" },
  },
  {
    name: "has no parent in a file",
    has: ["f = x"],
    call: ["filesystem.write", { path: "f/a", content: "x" }],
    error: "ParentNotFound",
    recovery: "create_parents",
    leaves: { f: "x" },
  },
  {
    name: "writes nothing outside",
    call: ["filesystem.write", { path: "/etc/holdfast-x", content: "x" }],
    error: "PathOutOfScope",
    recovery: "check_scope request_access",
  },
  {
    name: "writes through no link to nothing outside",
    has: ["../outside/", "l => $OUT/new"],
    call: ["filesystem.write", { path: "l", content: "x" }],
    error: "PathOutOfScope",
    recovery: "check_scope request_access",
    leaves: { "../outside/new": null },
  },
  {
    name: "needs content",
    call: ["filesystem.write", { path: "a" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "writes nothing that a rule forbids there",
    options: () => ({
      ruleSource: {
        layers: [{ name: "user", rules: [{ act: "write", path: "keep/**", decide: "blocked", origin: "here" }] }],
      },
    }),
    has: ["keep/a = x"],
    call: ["filesystem.write", { path: "keep/a", content: "y" }],
    error: "PolicyDenied",
    recovery: "check_scope request_access",
    leaves: { "keep/a": "x" },
  },
];

const APPEND: readonly CapabilityCase[] = [
  {
    name: "appends",
    has: ["a = one"],
    call: ["filesystem.append", { path: "$ABS/a", content: "two" }],
    gives: { path: "$ABS/a", new_size: 6 },
    leaves: { a: "onetwo" },
  },
  {
    name: "makes a file to append to",
    call: ["filesystem.append", { path: "a", content: "é" }],
    gives: { path: "$ABS/a", new_size: 2 },
    leaves: { a: "é" },
  },
  {
    name: "appends in no directory that is missing",
    call: ["filesystem.append", { path: "d/a", content: "x" }],
    error: "ParentNotFound",
    recovery: "create_parents list",
    leaves: { d: null },
  },
  {
    name: "appends nothing outside",
    call: ["filesystem.append", { path: "../x", content: "x" }],
    error: "PathOutOfScope",
    recovery: OUT,
    leaves: { "../x": null },
  },
];

const LIST: readonly CapabilityCase[] = [
  {
    name: "lists without what is hidden, by name",
    has: ["b = 22", "a = 1", ".h", "d/x", "l => a"],
    call: ["filesystem.list", { path: "$ABS" }],
    gives: {
      entries: [entry("a", "file", 1), entry("b", "file", 2), entry("d", "directory", 0), entry("l", "symlink", 1)],
      total: 4,
      path: "$ABS",
    },
  },
  {
    name: "lists what is hidden when told",
    has: [".h = x", "a = 1"],
    call: ["filesystem.list", { path: ".", include_hidden: true }],
    gives: { entries: [entry(".h", "file", 1), entry("a", "file", 1)], total: 2, path: "$ABS/." },
  },
  {
    name: "sorts by size, the largest first",
    has: ["a = 1", "b = 333", "c = 22"],
    call: ["filesystem.list", { path: "$ABS", sort_by: "-size" }],
    gives: { entries: [entry("b", "file", 3), entry("c", "file", 2), entry("a", "file", 1)], total: 3, path: "$ABS" },
  },
  {
    name: "sorts by time",
    has: ["a = 1"],
    call: ["filesystem.list", { path: "$ABS", sort_by: "modified" }],
    gives: { entries: [entry("a", "file", 1)], total: 1, path: "$ABS" },
  },
  {
    name: "sorts by nothing else",
    call: ["filesystem.list", { path: "$ABS", sort_by: "colour" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "lists an empty directory",
    has: ["d/"],
    call: ["filesystem.list", { path: "$ABS/d" }],
    gives: { entries: [], total: 0, path: "$ABS/d" },
  },
  {
    name: "finds no directory to list",
    call: ["filesystem.list", { path: "none" }],
    error: "DirectoryNotFound",
    recovery: "search",
  },
  {
    name: "lists no file",
    has: ["a"],
    call: ["filesystem.list", { path: "a" }],
    error: "NotADirectory",
    recovery: "read",
  },
  {
    name: "lists nothing outside",
    call: ["filesystem.list", { path: "/etc" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const STAT: readonly CapabilityCase[] = [
  {
    name: "tells facts of a file",
    has: ["a = abc"],
    call: ["filesystem.stat", { path: "$ABS/a" }],
    gives: {
      exists: true,
      type: "file",
      size: 3,
      modified: ISO,
      created: ISO,
      permissions: expect.stringMatching(/^rw-[r-][w-]-[r-][w-]-$/),
      owner: expect.any(String),
    },
  },
  {
    name: "tells facts of a directory",
    has: ["d/"],
    call: ["filesystem.stat", { path: "d" }],
    gives: {
      exists: true,
      type: "directory",
      size: 0,
      modified: ISO,
      created: ISO,
      permissions: expect.stringMatching(/^rwx([r-][w-][x-]){2}$/),
      owner: expect.any(String),
    },
  },
  {
    name: "tells facts of a link itself",
    has: ["a = abc", "l => a"],
    call: ["filesystem.stat", { path: "l" }],
    gives: expect.objectContaining({ exists: true, type: "symlink" }),
  },
  { name: "tells that nothing is there", call: ["filesystem.stat", { path: "x/y" }], gives: { exists: false } },
  {
    name: "tells nothing of outside",
    call: ["filesystem.stat", { path: "/etc" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const SEARCH: readonly CapabilityCase[] = [
  {
    name: "finds names at any depth",
    has: ["a.ts = 1", "d/e/b.ts = 22", "c.js"],
    call: ["filesystem.search", { path: "$ABS", pattern: "*.ts" }],
    gives: { matches: [match("a.ts", 1), match("d/e/b.ts", 2)], total_matches: 2, truncated: false },
  },
  {
    name: "finds paths by a pattern with a slash",
    has: ["a.ts", "d/b.ts = 1", "e/d/c.ts"],
    call: ["filesystem.search", { path: "$ABS", pattern: "d/*.ts" }],
    gives: { matches: [match("d/b.ts", 1)], total_matches: 1, truncated: false },
  },
  {
    name: "finds by two stars",
    has: ["a.py = 1", "d/b.py = 1"],
    call: ["filesystem.search", { path: "$ABS", pattern: "**/*.py" }],
    gives: { matches: [match("a.py", 1), match("d/b.py", 1)], total_matches: 2, truncated: false },
  },
  {
    name: "begins below a directory",
    has: ["a.py", "d/b.py = 1"],
    call: ["filesystem.search", { path: "$ABS/d", pattern: "*.py" }],
    gives: { matches: [match("d/b.py", 1)], total_matches: 1, truncated: false },
  },
  {
    name: "counts what it does not show",
    has: ["a = 1", "b = 1", "c = 1"],
    call: ["filesystem.search", { path: "$ABS", pattern: "?", max_results: 2 }],
    gives: { matches: [match("a", 1), match("b", 1)], total_matches: 3, truncated: true },
  },
  {
    name: "shows a hundred unless told",
    has: Array.from({ length: 103 }, (_, nth) => `f${nth} = x`),
    call: ["filesystem.search", { path: "$ABS", pattern: "f*" }],
    gives: { matches: expect.objectContaining({ length: 100 }), total_matches: 103, truncated: true },
  },
  {
    name: "finds nothing hidden unless told",
    has: [".h/a.ts", ".b.ts"],
    call: ["filesystem.search", { path: "$ABS", pattern: "*.ts" }],
    gives: { matches: [], total_matches: 0, truncated: false },
  },
  {
    name: "finds what is hidden when told",
    has: [".h/a.ts = 1"],
    call: ["filesystem.search", { path: "$ABS", pattern: "*.ts", include_hidden: true }],
    gives: { matches: [match(".h/a.ts", 1)], total_matches: 1, truncated: false },
  },
  {
    name: "finds what git ignores",
    has: [".gitignore = *.log", "a.log = 1"],
    call: ["filesystem.search", { path: "$ABS", pattern: "*.log" }],
    gives: { matches: [match("a.log", 1)], total_matches: 1, truncated: false },
  },
  {
    name: "finds directories, too",
    has: ["src/a"],
    call: ["filesystem.search", { path: "$ABS", pattern: "s*" }],
    gives: {
      matches: [{ path: "$ABS/src", type: "directory", size: INT, modified: ISO }],
      total_matches: 1,
      truncated: false,
    },
  },
  {
    name: "understands no broken pattern",
    call: ["filesystem.search", { path: "$ABS", pattern: "[a" }],
    error: "InvalidPattern",
    recovery: "simplify",
  },
  {
    name: "finds no directory to search in",
    call: ["filesystem.search", { path: "none", pattern: "*" }],
    error: "DirectoryNotFound",
    recovery: "list",
  },
  {
    name: "searches nothing outside",
    call: ["filesystem.search", { path: "/etc", pattern: "*" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const CODE = "function alpha() {\n  one();\n  two();\n  three();\n  needle(needle());\n  needle(needle());\n}\n";
const content = (inputs: object): CapabilityCase["call"] => ["filesystem.search_content", { path: "$ABS", ...inputs }];
const bytes = { "a.ts": Buffer.from(CODE) };

const SEARCH_CONTENT: readonly CapabilityCase[] = [
  {
    name: "shows a line once, below its head",
    bytes,
    call: content({ pattern: "needle" }),
    gives: {
      total_matches: 2,
      matches: [
        {
          path: "$ABS/a.ts",
          line: 5,
          column: 3,
          text: "  needle(needle());",
          enclosing_snippet: "function alpha() {\n…\n  two();\n  three();\n  needle(needle());\n  needle(needle());\n}",
          repeated: 1,
        },
      ],
      truncated: false,
    },
  },
  {
    name: "shows where something is defined first",
    bytes: { "a.ts": Buffer.from("use(alpha);\n"), "b.ts": Buffer.from("function alpha() {}\n") },
    call: content({ pattern: "alpha", max_results: 1 }),
    gives: {
      total_matches: 2,
      matches: [
        {
          path: "$ABS/b.ts",
          line: 1,
          column: 10,
          text: "function alpha() {}",
          enclosing_snippet: "function alpha() {}",
        },
      ],
      truncated: true,
    },
  },
  {
    name: "looks for the text itself",
    has: ["a = x.y", "b = xzy"],
    call: content({ pattern: "x.y", files_only: true }),
    gives: { total_matches: 1, files: [{ path: "$ABS/a", match_count: 1 }], truncated: false },
  },
  {
    name: "looks for a regular expression when told",
    has: ["a = x.y", "b = xzy"],
    call: content({ pattern: "x.y", regex: true, total_only: true }),
    gives: { total_matches: 2, total_files: 2, truncated: false },
  },
  {
    name: "counts occurrences in all",
    bytes,
    call: content({ pattern: "needle", total_only: true }),
    gives: { total_matches: 4, total_files: 1, truncated: false },
  },
  {
    name: "takes a total for stronger than groups and files",
    bytes,
    call: content({ pattern: "needle(", total_only: true, count_by: 1, files_only: true }),
    gives: { total_matches: 4, total_files: 1, truncated: false },
  },
  {
    name: "counts by a group, stronger than files",
    has: ["a = level=warn level=info", "b = level=warn"],
    call: content({ pattern: "level=(?P<l>\\w+)", regex: true, count_by: "l", files_only: true }),
    gives: {
      total_matches: 3,
      total_files: 2,
      counts: [
        { value: "warn", count: 2 },
        { value: "info", count: 1 },
      ],
      truncated: false,
    },
  },
  {
    name: "counts by no group without a regular expression",
    has: ["a"],
    call: content({ pattern: "a", count_by: 1 }),
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "searches only what is included, and nothing excluded",
    has: ["a.ts = x", "b.md = x", "c.js = x", "d/e.ts = x"],
    call: content({ pattern: "x", include: ["*.ts", "*.md"], exclude: ["d/**"], files_only: true }),
    gives: {
      total_matches: 2,
      files: [
        { path: "$ABS/a.ts", match_count: 1 },
        { path: "$ABS/b.md", match_count: 1 },
      ],
      truncated: false,
    },
  },
  {
    name: "leaves out what is hidden or ignored",
    has: [".gitignore = *.log", "a.log = needle", ".b = needle"],
    call: content({ pattern: "needle", total_only: true }),
    gives: { total_matches: 0, total_files: 0, truncated: false },
  },
  {
    name: "searches everything when told",
    has: [".gitignore = *.log", "a.log = needle", ".b = needle"],
    call: content({ pattern: "needle", total_only: true, include_all: true }),
    gives: { total_matches: 2, total_files: 2, truncated: false },
  },
  {
    name: "finds nothing",
    has: ["a"],
    call: content({ pattern: "zzz" }),
    gives: { total_matches: 0, matches: [], truncated: false },
  },
  {
    name: "understands no broken expression",
    has: ["a"],
    call: content({ pattern: "(a", regex: true }),
    error: "InvalidPattern",
    recovery: "literal simplify",
  },
  {
    name: "finds nothing to search in",
    call: content({ path: "none", pattern: "a" }),
    error: "DirectoryNotFound",
    recovery: "list",
  },
  {
    name: "searches in nothing outside",
    call: content({ path: "/etc", pattern: "root" }),
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const COPY: readonly CapabilityCase[] = [
  {
    name: "copies",
    has: ["a = abc"],
    call: ["filesystem.copy", { source: "$ABS/a", destination: "$ABS/b" }],
    gives: { source: "$ABS/a", destination: "$ABS/b", size: 3, checksum: sha("abc") },
    leaves: { a: "abc", b: "abc" },
  },
  {
    name: "copies over nothing by itself",
    has: ["a = 1", "b = 2"],
    call: ["filesystem.copy", { source: "a", destination: "b" }],
    error: "DestinationExists",
    recovery: "overwrite",
    leaves: { b: "2" },
  },
  {
    name: "copies over a file when told",
    has: ["a = 1", "b = 2"],
    call: ["filesystem.copy", { source: "a", destination: "b", overwrite: true }],
    gives: { source: "$ABS/a", destination: "$ABS/b", size: 1, checksum: sha("1") },
    leaves: { b: "1" },
  },
  {
    name: "copies no directory",
    has: ["d/a"],
    call: ["filesystem.copy", { source: "d", destination: "e" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
    leaves: { e: null },
  },
  {
    name: "finds nothing to copy",
    call: ["filesystem.copy", { source: "a", destination: "b" }],
    error: "FileNotFound",
    recovery: "search",
  },
  {
    name: "copies into no directory that is missing",
    has: ["a"],
    call: ["filesystem.copy", { source: "a", destination: "d/b" }],
    error: "ParentNotFound",
    recovery: "create_parents list",
    leaves: { d: null },
  },
  {
    name: "copies nothing from outside",
    call: ["filesystem.copy", { source: "/etc/passwd", destination: "b" }],
    error: "PathOutOfScope",
    recovery: OUT,
    leaves: { b: null },
  },
];

const MOVE: readonly CapabilityCase[] = [
  {
    name: "moves",
    has: ["a = abc", "d/"],
    call: ["filesystem.move", { source: "$ABS/a", destination: "$ABS/d/b" }],
    gives: { source: "$ABS/a", destination: "$ABS/d/b", size: 3 },
    leaves: { a: null, "d/b": "abc" },
  },
  {
    name: "moves over nothing by itself",
    has: ["a = 1", "b = 2"],
    call: ["filesystem.move", { source: "a", destination: "b" }],
    error: "DestinationExists",
    recovery: "overwrite",
    leaves: { a: "1", b: "2" },
  },
  {
    name: "moves over a file when told",
    has: ["a = 1", "b = 2"],
    call: ["filesystem.move", { source: "a", destination: "b", overwrite: true }],
    gives: { source: "$ABS/a", destination: "$ABS/b", size: 1 },
    leaves: { a: null, b: "1" },
  },
  {
    name: "loses nothing that is moved to itself",
    notes: ["source and destination are the same; nothing was moved"],
    has: ["a = 1"],
    call: ["filesystem.move", { source: "a", destination: "a" }],
    gives: { source: "$ABS/a", destination: "$ABS/a", size: 1 },
    leaves: { a: "1" },
  },
  {
    name: "finds nothing to move",
    call: ["filesystem.move", { source: "a", destination: "b" }],
    error: "FileNotFound",
    recovery: "search",
  },
  {
    name: "moves nothing outside",
    has: ["a = 1"],
    call: ["filesystem.move", { source: "a", destination: "../b" }],
    error: "PathOutOfScope",
    recovery: OUT,
    leaves: { a: "1", "../b": null },
  },
];

const DELETE: readonly CapabilityCase[] = [
  {
    name: "deletes when somebody says yes",
    options: YES,
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "$ABS/a" }],
    gives: { deleted_path: "$ABS/a", trash_path: TRASH, recoverable_until: ISO },
    leaves: { a: null },
  },
  {
    name: "keeps it for a day when an agent deleted it",
    options: YES,
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    gives: { deleted_path: "$ABS/a", trash_path: TRASH, recoverable_until: hoursFromNow(LIMITS.agentTrashHours) },
  },
  {
    name: "keeps it for a week when a person did",
    options: () => ({ ...YES(), principal: "user" }),
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    gives: { deleted_path: "$ABS/a", trash_path: TRASH, recoverable_until: hoursFromNow(LIMITS.userTrashHours) },
  },
  {
    name: "deletes an empty directory",
    options: YES,
    has: ["d/"],
    call: ["filesystem.delete", { path: "d" }],
    gives: { deleted_path: "$ABS/d", trash_path: TRASH, recoverable_until: ISO },
    leaves: { d: null },
  },
  {
    name: "deletes no directory that holds something",
    options: YES,
    has: ["d/a = 1"],
    call: ["filesystem.delete", { path: "d" }],
    error: "DirectoryNotEmpty",
    recovery: "list_contents recursive",
    leaves: { "d/a": "1" },
  },
  {
    name: "deletes a directory with all in it when told",
    options: YES,
    has: ["d/a = 1"],
    call: ["filesystem.delete", { path: "d", recursive: true }],
    gives: { deleted_path: "$ABS/d", trash_path: TRASH, recoverable_until: ISO },
    leaves: { d: null },
  },
  {
    name: "deletes nothing while somebody still has to say yes",
    options: waitingFor(1),
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    fails: "pending",
    isError: false,
    gives: {
      status: "pending_approval",
      approval_id: expect.any(String),
      message: expect.stringMatching(/^holdfast approvals approve [0-9a-f]+ --state /m),
    },
    leaves: { a: "1" },
  },
  {
    name: "deletes nothing when somebody says no",
    options: answering("deny"),
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    error: "ApprovalRejected",
    recovery: "request_access",
    leaves: { a: "1" },
  },
  {
    name: "deletes without asking where the operator says so",
    options: () => ({
      ruleSource: { layers: [{ name: "user", rules: [{ act: "delete", decide: "notify", origin: "here" }] }] },
    }),
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    gives: { deleted_path: "$ABS/a", trash_path: TRASH, recoverable_until: ISO },
    leaves: { a: null },
  },
  {
    name: "is not there where rules block it",
    options: blocking("delete"),
    has: ["a = 1"],
    call: ["filesystem.delete", { path: "a" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
    leaves: { a: "1" },
  },
  {
    name: "finds nothing to delete",
    options: YES,
    call: ["filesystem.delete", { path: "a" }],
    error: "FileNotFound",
    recovery: "list",
  },
  {
    name: "deletes nothing outside",
    options: YES,
    has: ["../outside/a = 1"],
    call: ["filesystem.delete", { path: "$OUT/a" }],
    error: "PathOutOfScope",
    recovery: OUT,
    leaves: { "../outside/a": "1" },
  },
];

const deleted = [["filesystem__delete", { path: "a" }]] as const;

const RESTORE: readonly CapabilityCase[] = [
  {
    name: "brings back by path",
    options: YES,
    has: ["a = abc"],
    before: deleted,
    call: ["filesystem.restore", { path: "$ABS/a" }],
    gives: { restored_path: "$ABS/a", trash_path: TRASH, size: 3 },
    leaves: { a: "abc" },
  },
  {
    name: "brings back over nothing by itself",
    options: YES,
    has: ["a = abc"],
    before: [...deleted, ["filesystem__write", { path: "a", content: "new" }]],
    call: ["filesystem.restore", { path: "a" }],
    error: "DestinationExists",
    recovery: "overwrite move",
    leaves: { a: "new" },
  },
  {
    name: "brings back over a file when told",
    options: YES,
    has: ["a = abc"],
    before: [...deleted, ["filesystem__write", { path: "a", content: "new" }]],
    call: ["filesystem.restore", { path: "a", overwrite: true }],
    gives: { restored_path: "$ABS/a", trash_path: TRASH, size: 3 },
    leaves: { a: "abc" },
  },
  {
    name: "finds nothing to bring back",
    call: ["filesystem.restore", { path: "a" }],
    error: "FileNotFound",
    recovery: "list",
  },
  {
    name: "finds no such trash_path",
    call: ["filesystem.restore", { trash_path: "trash:nothing" }],
    error: "FileNotFound",
    recovery: "list",
  },
  {
    name: "takes only a trash_path for one",
    call: ["filesystem.restore", { trash_path: "/etc/passwd" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "needs to know what to bring back",
    call: ["filesystem.restore", { overwrite: true }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "takes not both ways to say it",
    call: ["filesystem.restore", { path: "a", trash_path: "trash:x" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "brings back nothing outside",
    call: ["filesystem.restore", { path: "/etc/x" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const watching = (inputs: object = {}) => ["filesystem__watch", { path: "$ABS", ...inputs }] as const;

const WATCH: readonly CapabilityCase[] = [
  {
    name: "begins to watch, not what is below",
    call: ["filesystem.watch", { path: "$ABS" }],
    gives: { watch_id: "w1", path: "$ABS", recursive: false },
  },
  {
    name: "watches what is below when told",
    has: ["d/"],
    before: [watching({ recursive: true }), ["filesystem__write", { path: "d/a", content: "x" }]],
    call: ["filesystem.watch", { watch_id: "w1", wait_ms: 10_000 }],
    gives: { watch_id: "w1", events: [{ type: "create", path: "$ABS/d/a" }] },
  },
  {
    name: "tells only of the types that were asked for",
    has: ["a = 1"],
    before: [
      watching({ event_types: ["create"] }),
      ["filesystem__write", { path: "a", content: "2" }],
      ["filesystem__write", { path: "b", content: "2" }],
    ],
    call: ["filesystem.watch", { watch_id: "w1", wait_ms: 10_000 }],
    gives: { watch_id: "w1", events: [{ type: "create", path: "$ABS/b" }] },
  },
  {
    name: "tells only of names that fit",
    before: [
      watching({ pattern: "*.log" }),
      ["filesystem__write", { path: "a.txt", content: "2" }],
      ["filesystem__write", { path: "b.log", content: "2" }],
    ],
    call: ["filesystem.watch", { watch_id: "w1", wait_ms: 10_000 }],
    gives: { watch_id: "w1", events: [{ type: "create", path: "$ABS/b.log" }] },
  },
  {
    name: "ends a watch",
    before: [watching()],
    call: ["filesystem.watch", { watch_id: "w1", cancel: true }],
    gives: { watch_id: "w1", cancelled: true },
  },
  {
    name: "hears nothing of a watch that was ended",
    before: [watching(), ["filesystem__watch", { watch_id: "w1", cancel: true }]],
    call: ["filesystem.watch", { watch_id: "w1" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "has only so many watches",
    options: () => ({ loopDetection: false }),
    before: Array.from({ length: LIMITS.watches }, () => watching()),
    call: ["filesystem.watch", { path: "$ABS" }],
    error: "TooManyWatches",
    recovery: "reduce_scope cancel_existing",
  },
  {
    name: "finds no directory to watch",
    call: ["filesystem.watch", { path: "none" }],
    error: "DirectoryNotFound",
    recovery: "list",
  },
  {
    name: "watches nothing outside",
    call: ["filesystem.watch", { path: "/etc" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
];

const OTHERS: readonly CapabilityCase[] = [
  {
    name: "tells of the session",
    call: ["agent.session"],
    gives: {
      session_id: UUID,
      connected_at: ISO,
      duration_seconds: INT,
      invocation_count: 1,
      resource_usage: { invocations: 1, failures: 0 },
      workspace_path: "$ABS",
      readable: ["$ABS"],
      writable: ["$ABS"],
    },
  },
  {
    name: "tells that nothing can be written",
    options: () => ({ readOnly: true }),
    call: ["agent.session"],
    gives: expect.objectContaining({ writable: [], readable: [expect.any(String)] }),
  },
  {
    name: "tells people",
    options: () => ({ onAlert: () => {} }),
    call: ["alerts.send", { message: "help", severity: "critical", context: { path: "a" } }],
    gives: { alert_id: UUID, delivered_to: ["audit log", "stderr"], severity: "critical" },
  },
  {
    name: "tells people for information unless told",
    call: ["alerts.send", { message: "help" }],
    gives: { alert_id: UUID, delivered_to: ["audit log"], severity: "info" },
  },
  {
    name: "tells people nothing without a message",
    call: ["alerts.send", { message: "" }],
    error: "InvalidInput",
    recovery: "fix_input stat",
  },
  {
    name: "tells people only so often",
    before: Array.from(
      { length: LIMITS.alertsMost },
      (_, nth) => ["alerts__send", { message: `help ${nth}` }] as const,
    ),
    call: ["alerts.send", { message: "help" }],
    error: "RateLimited",
    recovery: "wait",
  },
  {
    name: "tells how full the disks are",
    call: ["system.disk_usage"],
    gives: {
      disks: [{ path: "$ABS", total_bytes: INT, used_bytes: INT, free_bytes: INT, used_percent: INT }],
    },
  },
  {
    name: "tells how full one disk is",
    call: ["system.disk_usage", { path: "$ABS/d" }],
    gives: { disks: [expect.objectContaining({ path: expect.any(String) })] },
  },
  {
    name: "tells nothing of a disk outside",
    call: ["system.disk_usage", { path: "/proc" }],
    error: "PathOutOfScope",
    recovery: OUT,
  },
  { name: "knows no other capability", call: ["filesystem.burn"], error: "InvalidInput", recovery: "fix_input stat" },
];

/** Within a minute of it. */
function hoursFromNow(hours: number): unknown {
  return expect.toSatisfy((iso: string) => Math.abs(Date.parse(iso) - Date.now() - hours * 3_600_000) < 60_000);
}

/** Everything that the document says of the capabilities, and what they add. */
export const CASES: readonly CapabilityCase[] = [
  ...READ,
  ...WRITE,
  ...APPEND,
  ...LIST,
  ...STAT,
  ...SEARCH,
  ...SEARCH_CONTENT,
  ...COPY,
  ...MOVE,
  ...DELETE,
  ...RESTORE,
  ...WATCH,
  ...OTHERS,
];
