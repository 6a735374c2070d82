// Workloads that write. Each sample has its own folder, on the disk of our state.
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apart } from "./apart.mjs";
import { hugeLines } from "./corpus.mjs";
import { hotFile } from "./crowd.mjs";
import { oneByOne } from "./measure.mjs";

const SMALL = hugeLines(1, 40).slice(0, 2047) + "\n";
const MOVED = 1300;
const TREE_FILES = 64;
const LARGE = 2 ** 30;
const MIB = 2 ** 20;

/**
 * `prepare` makes what a sample needs in its folder; `asks` and `isRight` find the folder beside the corpus.
 * `holdsWhole`: a large file is in memory several times, as in the floor; there is no bound on memory.
 */
export const WRITING = [
  {
    id: "write",
    title: "write 2 KB, 1,000 new files one by one (p50)",
    operation: "write",
    asks: ({ folder }, index) => ({ path: join(folder, `new-${index}.txt`), content: SMALL }),
    isRight: (_, { folder }, index) => readFileSync(join(folder, `new-${index}.txt`), "utf8") === SMALL,
    prepare: () => {},
    measure: apart(oneByOne),
    warmUp: 300,
    repetitions: 1000,
    rounds: 9,
    bounds: [
      { most: 6, server: "floor", beatsPeers: "atomic" },
      { most: 0.6, server: "reference" },
    ],
  },
  {
    id: "edit",
    title: "edit one line in 10 KB (p50)",
    ...edits({ bytes: 10_000, warmUp: 100, repetitions: 200 }),
    bounds: [{ most: 3, server: "floor", beatsPeers: "atomic" }],
  },
  {
    id: "edit5m",
    title: "edit one line in 5 MB (p50)",
    ...edits({ bytes: 5e6, warmUp: 3, repetitions: 10 }),
    holdsWhole: true,
    bounds: [{ most: 2, server: "floor", beatsPeers: "atomic" }],
  },
  {
    id: "move",
    title: "move a 2 KB file (p50)",
    operation: "move",
    asks: ({ folder }, index) => ({ from: join(folder, `old-${index}.txt`), to: join(folder, `new-${index}.txt`) }),
    ...relocations({ left: undefined }),
  },
  {
    id: "copy",
    title: "copy a 2 KB file (p50)",
    operation: "copy",
    asks: ({ folder }, index) => ({ from: join(folder, `old-${index}.txt`), to: join(folder, `new-${index}.txt`) }),
    ...relocations({ left: SMALL.length }),
  },
  {
    id: "delete",
    title: "delete and restore a tree of 1 MiB, 64 files",
    ...deletions(MIB),
    bounds: [],
  },
  {
    id: "delete1g",
    title: "delete and restore a tree of 1 GiB, 64 files",
    ...deletions(LARGE),
    bounds: [{ most: 1.5, own: "delete" }],
  },
];

/** Asks for the history. Its bounds are for a crowd: --crowd. */
export const HISTORY = [
  {
    id: "history",
    title: "the newest 20 changes",
    operation: "history",
    asks: () => ({}),
    isRight: ({ data }) => Array.isArray(data.changes),
    measure: oneByOne,
    warmUp: 3,
    repetitions: 10,
    rounds: 4,
    bounds: [{ most: 1, milliseconds: 20 }],
  },
  {
    id: "history_file",
    title: "all changes of one file",
    operation: "history",
    asks: ({ scratch }) => ({ path: hotFile(scratch), limit: 1000 }),
    isRight: ({ data }) => Array.isArray(data.changes),
    measure: oneByOne,
    warmUp: 3,
    repetitions: 10,
    rounds: 4,
    // The files of the history are read into memory one by one, faster than they are freed.
    growth: 96,
    bounds: [{ most: 1, milliseconds: 200 }],
  },
];

/** Makes edits that each replace what the one before wrote, so that a missing one is noticed. */
function edits({ bytes, warmUp, repetitions }) {
  const before = hugeLines(1, Math.round(bytes / 200));
  const after = hugeLines(1, Math.round(bytes / 100)).slice(before.length);
  return {
    operation: "edit",
    prepare: (folder) => writeFileSync(join(folder, "file.txt"), `${before}${target(0)}\n${after}`),
    asks: ({ folder }, index) => ({ path: join(folder, "file.txt"), old: target(index), fresh: target(index + 1) }),
    isRight: (_, { folder }) => statSync(join(folder, "file.txt")).size === before.length + 14 + after.length,
    measure: oneByOne,
    warmUp,
    repetitions,
    rounds: 9,
  };
}

const target = (number) => `[target ${String(number).padStart(4, "0")}]`;

/** Checks a move or a copy. `left` is the size of what stays at the old place. */
function relocations({ left }) {
  return {
    prepare(folder) {
      for (let index = 0; index < MOVED; index++) writeFileSync(join(folder, `old-${index}.txt`), SMALL);
    },
    isRight: (_, { folder }, index) =>
      sizeOf(join(folder, `old-${index}.txt`)) === left && sizeOf(join(folder, `new-${index}.txt`)) === SMALL.length,
    measure: apart(oneByOne),
    warmUp: 300,
    repetitions: MOVED - 300,
    rounds: 9,
    bounds: [{ most: 5, server: "floor", beatsPeers: "atomic" }],
  };
}

const sizeOf = (path) => statSync(path, { throwIfNoEntry: false })?.size;

/** Deletes and restores a tree in turn. */
function deletions(bytes) {
  return {
    operation: "deleteAndRestore",
    prepare(folder) {
      mkdirSync(join(folder, "tree"));
      const content = Buffer.alloc(bytes / TREE_FILES, SMALL);
      for (let index = 0; index < TREE_FILES; index++) writeFileSync(join(folder, "tree", `${index}.bin`), content);
    },
    asks: ({ folder }, index) => ({ path: join(folder, "tree"), isThere: index % 2 === 0 }),
    isRight: (_, { folder }) => statSync(join(folder, "tree", "0.bin")).size === bytes / TREE_FILES,
    measure: oneByOne,
    warmUp: 20,
    repetitions: 40,
    rounds: 4,
  };
}
