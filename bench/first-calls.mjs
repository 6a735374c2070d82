// The first calls of a session: every agent makes them, and nobody warms a server up. They are not pinned to one
// processor, because V8 compiles on another thread meanwhile.

import { oneByOne } from "./measure.mjs";

/** Names the peer whose first changes are the fastest; its files are replaced in place. */
const FASTEST = "fast-fs";

const BESIDE_FLOOR = { server: "floor" };

/**
 * One call that is the first of its session, or the first few of one kind. `of` names the workload that is warm.
 * @type {readonly { of: string, title: string, bounds: object[], calls?: number }[]}
 */
const FIRST = [
  { of: "read", title: "the first read of a session, 4 KB", bounds: [BESIDE_FLOOR] },
  { of: "find", title: "the first find of a session, beside rg --files", bounds: [{ most: 1.3, server: "floor" }] },
  { of: "grep", title: "the first grep of a session, beside rg", bounds: [BESIDE_FLOOR] },
  { of: "tree", title: "the first whole tree of a session", bounds: [BESIDE_FLOOR] },
  { of: "write", title: "the first write of a session", bounds: [BESIDE_FLOOR] },
  { of: "write", title: "  the first 200 writes (p50)", ...several(200) },
  { of: "edit", title: "the first edit of a session", bounds: [BESIDE_FLOOR] },
  { of: "edit", title: "  the first 50 edits (p50)", ...several(50) },
  { of: "move", title: "the first move of a session", bounds: [BESIDE_FLOOR] },
  { of: "move", title: "  the first 200 moves (p50)", ...several(200) },
];

/** Returns the warm workloads as a new session has them: a new process for every sample, and nothing before it. */
export const firstCalls = (workloads) =>
  FIRST.map(({ of, calls = 1, ...first }) => ({
    ...workloads.find(({ id }) => id === of),
    ...first,
    id: calls === 1 ? `first_${of}` : `first_${of}s`,
    measure: oneByOne,
    fresh: true,
    warmUp: 0,
    repetitions: calls,
    rounds: 7,
    sharesMemoryOf: of,
  }));

function several(calls) {
  return { calls, bounds: [{ most: 1, server: FASTEST }] };
}
