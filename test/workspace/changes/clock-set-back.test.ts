import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { createState } from "../../../src/storage/local/state/state.ts";
import type { SafePath } from "../../../src/storage/storage.ts";
import { newChangeId } from "../../../src/workspace/changes/journal/change-id.ts";
import { createJournal } from "../../../src/workspace/changes/journal/journal.ts";
import { createRecentChanges } from "../../../src/workspace/changes/recent-changes.ts";
import { appOn, callerOf, scratch, stateBeside } from "../../runtime/scratch.ts";

const HOUR_MS = 3_600_000;

/** Sets the clock of the process back until the test ends. */
function setBack(byMs: number): void {
  const { now } = Date;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - byMs);
  onTestFinished(() => clock.mockRestore());
}

it("an undo since a time finds the changes from before the clock was set back", async () => {
  const call = callerOf(appOn(scratch(), { loopDetection: false }));
  const since = new Date(Date.now() - 60_000).toISOString();
  const first = await call("write", { path: "a.txt", content: "a" });
  setBack(HOUR_MS);
  await call("write", { path: "b.txt", content: "b" });
  expect((await call("undo", { since })).data["undone"]).toEqual([first.data["change_id"]]);
});

it("a watch names changes that were made after the clock was set back", async () => {
  const root = scratch();
  const state = createState(stateBeside(root));
  const journal = createJournal(state, () => []);
  const place = join(root, "gone") as SafePath;
  const remove = (path: SafePath): string => {
    const id = newChangeId(state);
    const effects = [{ action: "delete", path, before: null, after: null }] as const;
    const author = { session: "s", principal: "agent", tool: "delete" } as const;
    const entry = journal.beginEntry();
    entry.commit({ id, timeMs: Date.now(), ...author, effects }, []);
    entry.end();
    return id;
  };
  const recent = createRecentChanges(journal);
  remove(join(root, "before") as SafePath);
  recent.startTracking();
  setBack(HOUR_MS);
  const id = remove(place);
  await recent.catchUp();
  expect(recent.madeBy(place, null)?.id).toBe(id);
});
