// Lists the measured servers, and translates each operation into the calls of each server.
import { writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Translates operations into the calls of the floor. */
const FLOOR_OPERATIONS = {
  read: ({ path }) => ["read", { path }],
  stat: ({ path }) => ["stat", { path }],
  list: ({ path }) => ["list", { path }],
  grep: (asked) => ["grep", asked],
  head: ({ path, lines }) => ["read", { path, head: lines }],
  tail: ({ path, lines }) => ["read", { path, tail: lines }],
  range: ({ path, from, to }) => ["read", { path, from, to }],
  write: ({ path, content }) => ["write", { path, content }],
  edit: ({ path, old, fresh }) => ["edit", { path, old, fresh }],
  move: ({ from, to }) => ["move", { from, to }],
  copy: ({ from, to }) => ["copy", { from, to }],
  find: ({ path, pattern }) => ["find", { path, pattern }],
  tree: ({ path }) => ["tree", { path }],
  watch: ({ path }) => ["watch", { path }],
};

/** Returns the floor and the product. A server does not offer an operation that is missing here. */
export const ourServers = (root, state) => [
  {
    id: "floor",
    command: [process.execPath, beside("floor.mjs")],
    cwd: root,
    operations: FLOOR_OPERATIONS,
  },
  {
    id: "holdfast",
    command: [process.execPath, binIn(beside("..")), root],
    cwd: root,
    env: { HOLDFAST_STATE: state, HOLDFAST_LOOP_DETECTION: "off" },
    operations: {
      read: ({ path }) => ["read", { path }],
      settings: ({ path }) => ["read", { path }],
      stat: ({ path }) => ["stat", { path }],
      list: ({ path }) => ["ls", { path, limit: 20_000 }],
      grep: ({ path, pattern, literal }) => [
        "grep",
        { path, pattern, literal, include_ignored: true, include_hidden: true },
      ],
      head: ({ path, lines }) => ["read", { path, limit: lines }],
      tail: ({ path, lines }) => ["read", { path, offset: -lines }],
      range: ({ path, from, to }) => ["read", { path, offset: from, limit: to - from + 1 }],
      laterRange: ({ path, from, to }) => ["read", { path, offset: from, limit: to - from + 1 }],
      goOn: ({ path, from, to, previous }) => [
        "read",
        { path, limit: to - from + 1, ...(previous ? { cursor: previous.data.cursor } : { offset: from }) },
      ],
      bytes: ({ path, start, length }) => ["read", { path, unit: "bytes", offset: start, limit: length }],
      page: ({ path }) => ["read", { path }],
      write: ({ path, content }) => ["write", { path, content }],
      edit: ({ path, old, fresh }) => ["edit", { path, edits: [{ oldText: old, newText: fresh }] }],
      move: ({ from, to }) => ["move", { source: from, destination: to }],
      copy: ({ from, to }) => ["copy", { source: from, destination: to }],
      find: ({ path, pattern }) => ["find", { path, pattern, limit: 1_000_000 }],
      tree: ({ path }) => ["tree", { path, limit: 1_000_000, include_ignored: true, include_hidden: true }],
      overview: ({ path }) => ["tree", { path }],
      archive: ({ path }) => ["ls", { path }],
      watch: ({ path }) => ["watch", { path }],
      history: (asked) => ["history", asked],
      // This is measured in the process of the benchmark, and only for this build.
      judge: () => [],
      notice: ({ path, id }) => ["watch", id ? { watch_id: id } : { path }],
      deleteAndRestore: ({ path, isThere }) =>
        isThere ? ["delete", { path, recursive: true }] : ["restore", { path }],
    },
  },
];

/** Returns other builds of the product, each with its own state. */
export const buildServers = (folders, product, state) =>
  folders.map((folder, nth) => ({
    ...product,
    id: basename(resolve(folder)),
    command: product.command.with(1, binIn(folder)),
    env: { ...product.env, HOLDFAST_STATE: join(state, `build-${nth}`) },
  }));

/** Returns the program of a build. */
export const binIn = (folder) => resolve(folder, "dist/holdfast.cjs");

/** Returns the product without redaction of secrets, to measure what redaction costs. */
export function unredactedServer(root, state) {
  const config = join(state, "unredacted.json");
  writeFileSync(config, JSON.stringify({ secrets: "off" }));
  return {
    id: "unredacted",
    command: [process.execPath, binIn(beside("..")), root, "--config", config],
    cwd: root,
    env: { HOLDFAST_STATE: join(state, "unredacted"), HOLDFAST_LOOP_DETECTION: "off" },
    operations: { settings: ({ path }) => ["read", { path }] },
  };
}

/**
 * Lists other servers from npm. `entry` is the file to run inside the package. `isAtomic`: the server replaces a file
 * by a rename, so that no reader sees half of it; the others write into the file itself.
 */
export const peerServers = (root) => [reference(root), shtse8(root), fastFs(root), watcher(root)];

/** Names the library that most servers watch with; `through` is a small server around it. */
const watcher = (root) => ({
  id: "watcher",
  package: "@parcel/watcher",
  version: "2.6.0",
  entry: "index.js",
  through: [beside("native-watcher.mjs")],
  flags: [],
  cwd: root,
  operations: { watch: ({ path }) => ["watch", { path }] },
});

const reference = (root) => ({
  id: "reference",
  package: "@modelcontextprotocol/server-filesystem",
  version: "2026.8.31",
  entry: "dist/index.js",
  flags: [root],
  cwd: root,
  isAtomic: true,
  operations: {
    read: ({ path }) => ["read_text_file", { path }],
    stat: ({ path }) => ["get_file_info", { path }],
    list: ({ path }) => ["list_directory", { path }],
    find: ({ path, pattern }) => ["search_files", { path, pattern }],
    tree: ({ path }) => ["directory_tree", { path }],
    head: ({ path, lines }) => ["read_text_file", { path, head: lines }],
    tail: ({ path, lines }) => ["read_text_file", { path, tail: lines }],
    write: ({ path, content }) => ["write_file", { path, content }],
    edit: ({ path, old, fresh }) => ["edit_file", { path, edits: [{ oldText: old, newText: fresh }] }],
    move: ({ from, to }) => ["move_file", { source: from, destination: to }],
  },
});

const shtse8 = (root) => ({
  id: "shtse8",
  package: "@shtse8/filesystem-mcp",
  version: "0.5.8",
  entry: "build/index.js",
  flags: [],
  cwd: root,
  operations: {
    read: ({ path }) => ["read_content", { paths: [relative(root, path)] }],
    stat: ({ path }) => ["stat_items", { paths: [relative(root, path)] }],
    list: ({ path }) => ["list_files", { path: relative(root, path) }],
    grep: ({ path, pattern }) => ["search_files", { path: relative(root, path), regex: pattern, file_pattern: "**/*" }],
    write: ({ path, content }) => ["write_content", { items: [{ path: relative(root, path), content }] }],
    edit: ({ path, old, fresh }) => [
      "replace_content",
      { paths: [relative(root, path)], operations: [{ search: old, replace: fresh }] },
    ],
    move: ({ from, to }) => [
      "move_items",
      { operations: [{ source: relative(root, from), destination: relative(root, to) }] },
    ],
    copy: ({ from, to }) => [
      "copy_items",
      { operations: [{ source: relative(root, from), destination: relative(root, to) }] },
    ],
  },
});

const fastFs = (root) => ({
  id: "fast-fs",
  package: "fast-filesystem-mcp",
  version: "3.5.2",
  entry: "dist/index.js",
  flags: ["--allow", root],
  cwd: root,
  operations: {
    read: ({ path }) => ["fast_read_file", { path }],
    stat: ({ path }) => ["fast_get_file_info", { path }],
    grep: ({ path, pattern }) => ["fast_search_code", { path, pattern, max_results: 1000, case_sensitive: true }],
    head: ({ path, lines }) => ["fast_read_file", { path, line_start: 0, line_count: lines }],
    range: ({ path, from, to }) => ["fast_read_file", { path, line_start: from - 1, line_count: to - from + 1 }],
    write: ({ path, content }) => ["fast_write_file", { path, content }],
    edit: ({ path, old, fresh }) => ["fast_edit_block", { path, old_text: old, new_text: fresh }],
    move: ({ from, to }) => ["fast_move_file", { source: from, destination: to }],
    copy: ({ from, to }) => ["fast_copy_file", { source: from, destination: to }],
  },
});

function beside(name) {
  return resolve(fileURLToPath(new URL(".", import.meta.url)), name);
}
