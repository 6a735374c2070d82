import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { longestBlock } from "../work.ts";
import { type Caller, callerOn, scratch } from "../runtime/scratch.ts";

/** Promised are 100 ms; the work of the collector counts as well here. */
const BLOCK_MS = 250;

const linesUpTo = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at} of a large file\n`);
const LARGE = linesUpTo(240_000).join("");
const atBothEnds = (first: number, word: string) => ({
  edits: [first, 239_990 + first].map((line) => ({
    oldText: `line ${line} of a large file\n`,
    newText: `${word} ${line}\n`,
  })),
});

type CallArguments = Parameters<Caller>;

interface Row {
  readonly name: string;
  /** Leaves a file that others have changed, and says which call has to merge with that. */
  readonly prepare: (caller: Caller, file: string) => Promise<CallArguments>;
}

/** Fits in what a session keeps of a file that it has read. */
const SHORT_LINES = Array.from({ length: 140_000 }, (_, at) => `${at}\n`);

const ROWS: readonly Row[] = [
  {
    name: "an edit of an older version",
    async prepare(caller, file) {
      writeFileSync(file, LARGE);
      const { version } = (await caller("read", { path: "f", limit: 1 })).data;
      await caller("edit", { path: "f", ...atBothEnds(3, "theirs") });
      return ["edit", { path: "f", ...atBothEnds(6, "ours"), if_match: version }];
    },
  },
  {
    name: "a patch of an older version",
    async prepare(caller, file) {
      writeFileSync(file, LARGE);
      const { version } = (await caller("read", { path: "f", limit: 1 })).data;
      await caller("edit", { path: "f", ...atBothEnds(3, "theirs") });
      const hunks = [6, 239_996].map((line) => `@@\n-line ${line} of a large file\n+ours ${line}\n`).join("");
      const input = `*** Begin Patch\n*** Update File: f\n${hunks}*** End Patch`;
      return ["apply_patch", { input, if_match: { f: version } }];
    },
  },
  {
    name: "a write of what was read",
    async prepare(caller, file) {
      writeFileSync(file, SHORT_LINES.join(""));
      await caller("read", { path: "f" });
      writeFileSync(file, SHORT_LINES.with(0, "theirs\n").with(139_999, "theirs\n").join(""));
      return ["write", { path: "f", content: SHORT_LINES.with(9, "ours\n").with(139_990, "ours\n").join("") }];
    },
  },
  {
    name: "an undo of an older change",
    async prepare(caller, file) {
      writeFileSync(file, LARGE);
      const { change_id } = (await caller("edit", { path: "f", ...atBothEnds(3, "ours") })).data;
      await caller("edit", { path: "f", ...atBothEnds(6, "theirs") });
      return ["undo", { change_id }];
    },
  },
];

describe("others get their turn while two large texts are merged", () => {
  it.each(ROWS)("$name", async ({ prepare }) => {
    const root = scratch();
    const caller = callerOn(root);
    const sent = await prepare(caller, join(root, "f"));
    let code: string | undefined;
    const block = await longestBlock(async () => {
      ({ code } = await caller(...sent));
    });
    expect(code).toBe("ok");
    expect(block).toBeLessThan(BLOCK_MS);
  });

  it.each(ROWS)("$name: cancelled on the way", async ({ prepare }) => {
    const root = scratch();
    const caller = callerOn(root);
    const [tool, input] = await prepare(caller, join(root, "f"));
    let looks = 0;
    // Everything but the comparison looks less often.
    const signal = {
      get aborted() {
        return ++looks > 600;
      },
    };
    expect((await caller(tool, input, { signal })).code).toBe("cancelled");
  });
});
