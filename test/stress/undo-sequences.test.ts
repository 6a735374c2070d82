import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { treeOf } from "../crash/home.ts";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";
import type { Call } from "../workspace/changes/random-changes.ts";

const patch = (...lines: readonly string[]): Call => ({
  tool: "apply_patch",
  input: { input: `*** Begin Patch\n${lines.join("\n")}\n*** End Patch\n` },
});

const edit = (path: string): Call => ({ tool: "edit", input: { path, oldText: "two", newText: "TWO\nmore" } });

/** One call of an agent. A call finds a file that an earlier one moved under its new name. */
const ACTS: Readonly<Record<string, Call>> = {
  "write f": { tool: "write", input: { path: "f", content: "new\n", overwrite: true } },
  "create n/new": { tool: "write", input: { path: "n/new", content: "new\n" } },
  "create d/new": { tool: "write", input: { path: "d/new", content: "new\n" } },
  "write d2/f": { tool: "write", input: { path: "d2/f", content: "new\n", overwrite: true } },
  "edit f": edit("f"),
  "edit d/f": edit("d/f"),
  "edit e/f": edit("e/f"),
  "edit d/sub/x": edit("d/sub/x"),
  "append f": { tool: "write", input: { path: "f", content: "four\n", append: true } },
  "append d/f": { tool: "write", input: { path: "d/f", content: "four\n", append: true } },
  "append m": { tool: "write", input: { path: "m", content: "five\n", append: true } },
  "move f m": { tool: "move", input: { source: "f", destination: "m" } },
  "move g over f": { tool: "move", input: { source: "g", destination: "f", overwrite: true } },
  "move d e": { tool: "move", input: { source: "d", destination: "e" } },
  "move d/sub d/moved": { tool: "move", input: { source: "d/sub", destination: "d/moved" } },
  "move d into k": { tool: "move", input: { source: "d", destination: "k/l/d" } },
  "copy f c": { tool: "copy", input: { source: "f", destination: "c" } },
  "copy d d2": { tool: "copy", input: { source: "d", destination: "d2" } },
  "copy f over g": { tool: "copy", input: { source: "f", destination: "g", overwrite: true } },
  "move l j": { tool: "move", input: { source: "l", destination: "j" } },
  "copy l j": { tool: "copy", input: { source: "l", destination: "j" } },
  "copy f over j": { tool: "copy", input: { source: "f", destination: "j", overwrite: true } },
  "move j j2": { tool: "move", input: { source: "j", destination: "j2" } },
  "delete j": { tool: "delete", input: { path: "j" } },
  "delete f": { tool: "delete", input: { path: "f" } },
  "delete d": { tool: "delete", input: { path: "d", recursive: true } },
  "delete d/sub": { tool: "delete", input: { path: "d/sub", recursive: true } },
  "mkdir k/l": { tool: "mkdir", input: { path: "k/l" } },
  "restore f": { tool: "restore", input: { path: "f", overwrite: true } },
  "restore d": { tool: "restore", input: { path: "d" } },
  "restore d as e": { tool: "restore", input: { path: "d", destination: "e" } },
  "patch all": patch(
    "*** Update File: f",
    "*** Move to: p/f",
    "@@",
    "-two",
    "+TWO",
    "*** Delete File: g",
    "*** Add File: d/added",
    "+added",
    "*** Update File: d/f",
    "@@",
    "-two",
    "+2",
  ),
  "chmod f": { tool: "apply_patch", input: { input: "diff --git a/f b/f\nold mode 100755\nnew mode 100644\n" } },
  "chmod d/f": { tool: "apply_patch", input: { input: "diff --git a/d/f b/d/f\nold mode 100600\nnew mode 100755\n" } },
};

const TRIPLES: readonly string[] = [
  "append f; append f; move f m",
  "edit d/f; move d e; edit e/f",
  "edit d/f; edit d/f; delete d",
  "edit d/f; delete d; restore d",
  "delete d; restore d; edit d/f",
  "delete d; restore d as e; edit e/f",
  "copy d d2; write d2/f; delete d",
  "copy d d2; edit d/f; write d2/f",
  "copy d d2; write d2/f; move d e",
  "edit d/f; move d/sub d/moved; move d e",
  "append f; move f m; append m",
  "chmod d/f; edit d/f; move d e",
  "edit d/sub/x; delete d/sub; delete d",
  "create d/new; move d e; edit e/f",
  "move d into k; create d/new; edit d/f",
  "edit f; move g over f; delete f",
  "patch all; move d e; edit e/f",
  "create n/new; patch all; delete d",
  "write f; delete f; restore f",
  "delete f; write f; restore f",
  "copy f over g; move g over f; delete f",
  "copy l j; copy f over j; delete j",
  "copy l j; move j j2; copy l j",
  "copy l j; delete j; move l j",
  "move l j; move j j2; copy f over j",
  "move l j; copy f over j; delete j",
];

const NAMES = Object.keys(ACTS);
const PAIRS = NAMES.map((one) => ({ first: one, sequences: NAMES.map((other) => `${one}; ${other}`) }));

/** Makes the calls of a sequence as far as possible, and keeps the tree before each change. */
async function done(sequence: string) {
  const root = scratch({
    f: "one\ntwo\nthree\n",
    g: "another\n",
    l: { link: "f" },
    "d/f": "one\ntwo\nthree\n",
    "d/sub/x": "two\n",
    "d/link": { link: "f" },
  });
  chmodSync(join(root, "f"), 0o755);
  chmodSync(join(root, "d/f"), 0o600);
  const app = appOn(root, { loopDetection: false });
  const call = callerOf(app);
  const now = (): Readonly<Record<string, string>> => treeOf(root);
  const start = now();
  const before = new Map<unknown, Readonly<Record<string, string>>>();
  for (const name of sequence.split("; ")) {
    const state = now();
    const { tool, input } = ACTS[name] as Call;
    const { data } = await call(tool, input);
    if (data["change_id"] !== undefined) before.set(data["change_id"], state);
  }
  return { call, now, start, before, session: app.session.facts.id };
}

const SINCE = "2020-01-01T00:00:00Z";

describe.each([...PAIRS, { first: "three changes", sequences: TRIPLES }])("$first, and more", ({ sequences }) => {
  it("is undone at once, as the dry run says, and redone", async () => {
    const wrong: unknown[] = [];
    for (const sequence of sequences) {
      const { call, now, start, before, session } = await done(sequence);
      if (before.size === 0) continue;
      const end = now();
      const which = sequence.length % 2 === 0 ? { session } : { since: SINCE };
      const dry = await call("undo", { ...which, dry_run: true });
      const real = await call("undo", which);
      const undone = now();
      const redo = await call("undo", { change_id: real.data["change_id"] });
      const redone = now();
      const codes = [dry.code, real.code, redo.code].join();
      const isRight = JSON.stringify(undone) === JSON.stringify(start);
      const isRightAgain = JSON.stringify(redone) === JSON.stringify(end);
      if (codes !== "ok,ok,ok" || !isRight || !isRightAgain)
        wrong.push([sequence, codes, isRight, isRightAgain, real.isError ? real.text : redo.text]);
    }
    expect(wrong).toEqual([]);
  });

  it("one by one, newest first", async () => {
    const wrong: unknown[] = [];
    for (const sequence of sequences) {
      const { call, now, start, before } = await done(sequence);
      for (;;) {
        const { code, text, data } = await call("undo");
        if (code === "no_change") break;
        const [id] = (data["undone"] as readonly string[] | undefined) ?? [];
        if (code === "ok" && JSON.stringify(now()) === JSON.stringify(before.get(id))) continue;
        wrong.push([sequence, code, text]);
        break;
      }
      if (JSON.stringify(now()) !== JSON.stringify(start)) wrong.push([sequence, "does not lead back to the start"]);
    }
    expect(wrong).toEqual([]);
  });
});
