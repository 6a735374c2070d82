import fs from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callsOf } from "../crash/death.ts";
import { hookSystem } from "../crash/system-calls.ts";
import { callerOn, scratch, stateBeside } from "../runtime/scratch.ts";

const BEFORE = "one\ntwo\nthree\nfour\nfive\n";
const THEIRS = "one\ntwo\nthree\nfour\nTHEIRS\n";
const BOTH = "ONE\ntwo\nthree\nfour\nTHEIRS\n";
const EDIT = { path: "a.txt", edits: [{ oldText: "one", newText: "ONE" }] };

/** Lists ways in which another program, that knows nothing of us, writes a file. */
const WRITERS: readonly Writer[] = [
  { name: "in place", write: (file) => fs.writeFileSync(file, THEIRS) },
  { name: "by a rename", write: (file) => renameTo(file, THEIRS) },
  {
    name: "by a rename, after a third one",
    before: (file) => renameTo(file, "not yet\n"),
    write: (file) => renameTo(file, THEIRS),
  },
];

interface Writer {
  readonly name: string;
  readonly write: (file: string) => void;
  /** Runs one system call earlier. */
  readonly before?: (file: string) => void;
}

function renameTo(file: string, text: string): void {
  fs.writeFileSync(`${file}.theirs`, text);
  fs.renameSync(`${file}.theirs`, file);
}

/** The edited file, alone or with a second name. */
const FILES = [
  { of: "one name", lay: () => scratch({ "a.txt": BEFORE }) },
  {
    of: "two names",
    lay() {
      const root = scratch({ "a.txt": BEFORE });
      fs.linkSync(join(root, "a.txt"), join(root, "twin"));
      return root;
    },
  },
];

const ROWS = FILES.flatMap((file) => WRITERS.map((writer) => ({ ...file, ...writer })));

/** Another program writes the file just before one system call, for each call that an edit makes. */
it.each(ROWS)(
  "what another program writes $name to a file of $of during an edit is merged, backed up or reported",
  async (row) => {
    const outcomes: string[] = [];
    const calls = await callsInEdit(row.lay());
    for (let nth = 1; nth <= calls; nth++) outcomes.push(await outcomeAt(nth, row));
    expect(outcomes).toContain("merged");
    expect(outcomes).not.toContain("reported ok, but lost");
  },
);

async function callsInEdit(root: string): Promise<number> {
  return (await callsOf(() => callerOn(root)("edit", EDIT))).length;
}

async function outcomeAt(nth: number, { lay, write, before }: (typeof ROWS)[number]): Promise<string> {
  const root = lay();
  const caller = callerOn(root);
  const file = join(root, "a.txt");
  const unhook = hookSystem((call) => {
    if (call.nth === nth - 1) before?.(file);
    if (call.nth === nth) write(file);
  });
  const { code } = await caller("edit", EDIT).finally(unhook);
  const now = fs.readFileSync(file, "utf8");
  if (now === BOTH) return "merged";
  if (now === THEIRS) return code === "ok" ? "theirs came after ours" : "reported";
  return storedObjects(root).includes(THEIRS) ? "backed up" : "reported ok, but lost";
}

/** Reads everything in our store. */
function storedObjects(root: string): readonly string[] {
  const state = stateBeside(root);
  const names = fs.readdirSync(state, { recursive: true, encoding: "utf8" });
  const objects = names.filter((name) => name.includes("/objects/"));
  return objects.map((name) => fs.readFileSync(join(state, name), "utf8"));
}
