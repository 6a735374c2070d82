import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { treeOf } from "../crash/home.ts";
import { type Caller, callerOn, scratch, type Tree } from "../runtime/scratch.ts";
import { anyCall, anyTree, type Call } from "../workspace/changes/random-changes.ts";

const calls = fc.array(anyCall, { minLength: 1, maxLength: 8 });

interface Place {
  readonly caller: Caller;
  readonly now: () => Readonly<Record<string, string>>;
  readonly changeIds: () => Promise<readonly string[]>;
}

function placeWith(tree: Tree): Place {
  const root = scratch(tree);
  const caller = callerOn(root, { loopDetection: false });
  return {
    caller,
    now: () => treeOf(root),
    async changeIds() {
      const { data } = await caller("history", { limit: 1000 });
      return (data["changes"] as readonly { change_id: string }[]).map(({ change_id }) => change_id);
    },
  };
}

const make = async (caller: Caller, { tool, input }: Call): Promise<string | undefined> => {
  const { data } = await caller(tool, input);
  return data["change_id"] as string | undefined;
};

/** Lists sessions whose undo once failed. */
const FOUND: readonly [Tree, Call[]][] = [
  [
    { a: "" },
    [
      { tool: "copy", input: { source: "a", destination: "x/y/a" } },
      { tool: "delete", input: { path: "x", recursive: true } },
      { tool: "restore", input: { path: "x" } },
    ],
  ],
];

const requireSame = (one: unknown, other: unknown): void => expect(one).toEqual(other);

describe("undo", () => {
  it("restores the tree, and undoing the undo redoes the change", async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, calls, async (tree, all) => {
        const { caller, now } = placeWith(tree);
        for (const call of all) {
          const before = now();
          const id = await make(caller, call);
          const after = now();
          if (id === undefined) {
            requireSame(after, before);
            continue;
          }
          const undone = await caller("undo", { change_id: id });
          expect([undone.text, now()]).toEqual([expect.any(String), before]);
          if (JSON.stringify(before) === JSON.stringify(after)) continue;
          expect(undone.code).toBe("ok");
          const redone = await caller("undo", { change_id: undone.data["change_id"] });
          expect([redone.code, now()]).toEqual(["ok", after]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("repeated goes back step by step", async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, calls, async (tree, all) => {
        const { caller, now, changeIds } = placeWith(tree);
        const made: { id: string; before: Readonly<Record<string, string>> }[] = [];
        for (const call of all) {
          const before = now();
          const id = await make(caller, call);
          if (id !== undefined) made.unshift({ id, before });
        }
        expect(await changeIds()).toEqual(made.map(({ id }) => id));
        for (const { id, before } of made) {
          const { text } = await caller("undo", { change_id: id });
          expect([text, now()]).toEqual([expect.any(String), before]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("of a whole session restores the start at once, as its dry run says", async () => {
    await fc.assert(
      fc.asyncProperty(anyTree, calls, async (tree, all) => {
        const { caller, now } = placeWith(tree);
        const start = now();
        for (const call of all) await make(caller, call);
        const since = "2020-01-01T00:00:00Z";
        const dry = await caller("undo", { since, dry_run: true });
        const { code, text } = await caller("undo", { since });
        expect([text, code, now()]).toEqual([expect.any(String), dry.code, start]);
      }),
      { numRuns: 60, examples: [...FOUND] },
    );
  });
});

describe("a patch with a section that fails", () => {
  it("changes nothing, wherever that section is", async () => {
    const file = fc.constantFrom("a", "b", "new/c", "new/d");
    const good = fc
      .uniqueArray(file, { minLength: 1, maxLength: 4 })
      .map((names) => names.map((name) => (name < "c" ? `*** Delete File: ${name}\n` : `*** Add File: ${name}\n+x\n`)));
    await fc.assert(
      fc.asyncProperty(good, fc.nat(4), async (sections, position) => {
        const { caller, now, changeIds } = placeWith({ a: "one\n", b: "two\n" });
        const before = now();
        const all = sections.toSpliced(position, 0, "*** Update File: missing\n@@\n-one\n+two\n");
        const { code } = await caller("apply_patch", { input: `*** Begin Patch\n${all.join("")}*** End Patch\n` });
        expect([code, now(), await changeIds()]).toEqual(["not_found", before, []]);
      }),
      { numRuns: 30 },
    );
  });
});
