// The floor: a stdio server that does the least work Node allows. It has no jail, no schema and no protocol library.
import { rgPath } from "@vscode/ripgrep";
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";

const LINE_FEED = 10;
const PAGE_BYTES = 64 * 1024;
const ANSWER_BYTES = 1024 * 1024 * 1024;
const SCAN_BYTES = 256 * 1024;

/** Stays open until the process ends. */
const watched = [];

const TOOLS = {
  read: ({ path, head, tail, from, to }) => {
    if (head) return withFile(path, (file) => firstLines(file, head));
    if (tail) return withFile(path, (file) => lastLines(file, tail));
    if (from) return withFile(path, (file) => lineRange(file, from, to));
    return readFileSync(path, "utf8");
  },
  stat: ({ path }) => {
    const { size, mtimeMs, mode } = statSync(path);
    return JSON.stringify({ size, mtimeMs, mode });
  },
  /** Runs ripgrep and cuts its output after so many lines. */
  grep: ({ path, pattern, literal, lines }) => {
    const words = ["--no-config", "-uu", "-n", "--no-heading", ...(literal ? ["-F"] : []), "-e", pattern, "--", path];
    const cut = ["-c", 'most=$1; shift; "$@" | head -n "$most"', "sh", String(lines), rgPath, ...words];
    return spawnSync("sh", cut, { encoding: "utf8", maxBuffer: ANSWER_BYTES }).stdout;
  },
  list: ({ path }) => readdirSync(path).join("\n"),
  find: ({ path, pattern }) => {
    const { stdout, error } = spawnSync(rgPath, ["--no-require-git", "--files", "--glob", pattern, path], {
      maxBuffer: ANSWER_BYTES,
    });
    if (error) throw error;
    return stdout.toString();
  },
  tree: ({ path }) => treeOf(path),
  watch: ({ path }) => `watching ${watchAll(path)} directories`,
  write: ({ path, content }) => {
    writeFileSync(path, content);
    return "ok";
  },
  edit: ({ path, old, fresh }) => {
    const text = readFileSync(path, "utf8");
    const at = text.indexOf(old);
    if (at < 0 || text.indexOf(old, at + 1) >= 0) throw new Error("not in one place");
    writeFileSync(path, text.slice(0, at) + fresh + text.slice(at + old.length));
    return "ok";
  },
  move: ({ from, to }) => {
    renameSync(from, to);
    return "ok";
  },
  copy: ({ from, to }) => {
    copyFileSync(from, to);
    return "ok";
  },
  spawn: ({ words: [program, ...rest] }) =>
    new Promise((resolve, reject) => {
      const child = spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] });
      const parts = [];
      child.stdout.on("data", (part) => parts.push(part));
      child.stderr.on("data", (part) => parts.push(part));
      child.on("error", reject);
      child.on("close", () => resolve(Buffer.concat(parts).toString()));
    }),
  count: ({ path }) => String(filesIn(path)),
};

/** Counts files by asking for the size of each, as a list of changes has to. */
function filesIn(root) {
  let files = 0;
  const waiting = [root];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const { size } = lstatSync(`${path}/${entry.name}`);
      if (entry.isDirectory()) waiting.push(`${path}/${entry.name}`);
      else if (size >= 0) files++;
    }
  }
  return files;
}

function treeOf(root) {
  const paths = [];
  const waiting = [""];
  for (let way = waiting.pop(); way !== undefined; way = waiting.pop()) {
    for (const entry of readdirSync(`${root}/${way}`, { withFileTypes: true })) {
      const path = way === "" ? entry.name : `${way}/${entry.name}`;
      paths.push(path);
      if (entry.isDirectory()) waiting.push(path);
    }
  }
  return paths.join("\n");
}

/** Watches every directory with Node's watcher, and remembers nothing about its entries. */
function watchAll(root) {
  const waiting = [root];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    watched.push(watch(path, () => {}));
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory()) waiting.push(`${path}/${entry.name}`);
  }
  return watched.length;
}

const METHODS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "floor", version: "1" },
  }),
  "tools/list": () => ({ tools: Object.keys(TOOLS).map((name) => ({ name, inputSchema: { type: "object" } })) }),
  "tools/call": (params) => {
    const text = TOOLS[params.name](params.arguments);
    return text instanceof Promise ? text.then(contentOf) : contentOf(text);
  },
};

const contentOf = (text) => ({ content: [{ type: "text", text }] });

let unfinished = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (unfinished + chunk).split("\n");
  unfinished = lines.pop() ?? "";
  for (const line of lines) answer(JSON.parse(line));
});

function answer({ id, method, params }) {
  if (id === undefined) return;
  const result = METHODS[method](params);
  if (result instanceof Promise) void result.then((later) => reply(id, later));
  else reply(id, result);
}

const reply = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);

function withFile(path, use) {
  const file = openSync(path, "r");
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function firstLines(file, wanted) {
  const parts = [];
  for (let missing = wanted; missing > 0;) {
    const block = readBlock(file, PAGE_BYTES, null);
    if (block.length === 0) break;
    let end = 0;
    for (let at = block.indexOf(LINE_FEED); at >= 0 && missing > 0; at = block.indexOf(LINE_FEED, end)) {
      end = at + 1;
      missing--;
    }
    parts.push(missing > 0 ? block : block.subarray(0, end));
  }
  return Buffer.concat(parts).toString();
}

function lastLines(file, wanted) {
  const parts = [];
  let position = fstatSync(file).size;
  let missing = wanted + 1;
  while (position > 0 && missing > 0) {
    const length = Math.min(PAGE_BYTES, position);
    position -= length;
    const block = readBlock(file, length, position);
    let start = length;
    while (start > 0 && missing > 0) {
      start = block.lastIndexOf(LINE_FEED, start - 1);
      if (start < 0) break;
      missing--;
    }
    parts.unshift(missing > 0 ? block : block.subarray(start + 1));
  }
  return Buffer.concat(parts).toString();
}

/** Returns lines, counted from 1, both ends included. */
function lineRange(file, from, to) {
  const buffer = Buffer.allocUnsafe(SCAN_BYTES);
  const parts = [];
  let line = 1;
  while (line <= to) {
    const block = buffer.subarray(0, readSync(file, buffer, 0, SCAN_BYTES, null));
    if (block.length === 0) break;
    let start = line >= from ? 0 : block.length;
    let end = 0;
    for (let at = block.indexOf(LINE_FEED); at >= 0 && line <= to; at = block.indexOf(LINE_FEED, end)) {
      end = at + 1;
      if (++line === from) start = end;
    }
    parts.push(Buffer.from(block.subarray(start, line > to ? end : block.length)));
  }
  return Buffer.concat(parts).toString();
}

function readBlock(file, length, position) {
  const block = Buffer.allocUnsafe(length);
  return block.subarray(0, readSync(file, block, 0, length, position));
}
