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

/** How another program, that knows nothing of us, writes a file. */
const WRITERS = [
  { name: "in place", write: (file: string) => fs.writeFileSync(file, THEIRS) },
  {
    name: "by a rename",
    write(file: string) {
      fs.writeFileSync(`${file}.theirs`, THEIRS);
      fs.renameSync(`${file}.theirs`, file);
    },
  },
];

/** Another program writes the file just before one call to the system, for each call that an edit makes. */
it.each(WRITERS)("what another program writes $name during an edit is merged, kept or told", async ({ write }) => {
  const fates = new Set<string>();
  const calls = await callsInEdit();
  for (let nth = 1; nth <= calls; nth++) fates.add(await fateAt(nth, write));
  expect(fates).toContain("merged");
  expect(fates).not.toContain("told ok, and gone for good");
});

async function callsInEdit(): Promise<number> {
  const caller = callerOn(scratch({ "a.txt": BEFORE }));
  return (await callsOf(() => caller("edit", EDIT))).length;
}

async function fateAt(nth: number, write: (file: string) => void): Promise<string> {
  const root = scratch({ "a.txt": BEFORE });
  const caller = callerOn(root);
  const file = join(root, "a.txt");
  const unhook = hookSystem((call) => {
    if (call.nth === nth) write(file);
  });
  const { code } = await caller("edit", EDIT).finally(unhook);
  const now = fs.readFileSync(file, "utf8");
  if (now === BOTH) return "merged";
  if (now === THEIRS) return code === "ok" ? "theirs came after ours" : "told";
  return keptBy(root).includes(THEIRS) ? "kept" : "told ok, and gone for good";
}

/** Everything in our store. */
function keptBy(root: string): readonly string[] {
  const state = stateBeside(root);
  const names = fs.readdirSync(state, { recursive: true, encoding: "utf8" });
  const objects = names.filter((name) => name.includes("/objects/"));
  return objects.map((name) => fs.readFileSync(join(state, name), "utf8"));
}
