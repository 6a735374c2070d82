import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ChangeList, UndoOutcome, UndoRequest } from "../../../src/faces/console/contract.ts";
import { appOn, callerOf, scratch, stateBeside } from "../../runtime/scratch.ts";
import { changeIn, consoleOn } from "./console.ts";

const LINES = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

const part = (name: string) => `*** Update File: ${name}\n-1\n+one\n 2\n`;

/** A change of two files, after which somebody else changed what is in the way in one of them. */
async function withConflict() {
  const root = scratch({ "a.txt": LINES, "b.txt": LINES });
  const server = await consoleOn(root);
  const input = `*** Begin Patch\n${part("a.txt")}${part("b.txt")}*** End Patch`;
  const id = changeIn(await server.agent("apply_patch", { input }));
  writeFileSync(join(root, "b.txt"), LINES.replace("1\n", "mine\n"));
  const undo = async (body: UndoRequest): Promise<UndoOutcome> => {
    const { status, body: outcome } = await server.post("/api/undo", body);
    expect(status).toBe(200);
    return outcome as UndoOutcome;
  };
  return { ...server, root, id, undo, text: (name: string) => readFileSync(join(root, name), "utf8") };
}

describe("undo", () => {
  it("names the last change of a file in conflict", async () => {
    const root = scratch({ "a.txt": LINES });
    const { agent, post } = await consoleOn(root);
    const id = changeIn(await agent("edit", { path: "a.txt", old_text: "1\n", new_text: "one\n" }));
    const later = changeIn(await agent("edit", { path: "a.txt", old_text: "one\n", new_text: "uno\n" }));
    await agent("edit", { path: "a.txt", old_text: "9\n", new_text: "nine\n" });
    await agent("undo", {});
    expect((await post("/api/undo", { change: id, dryRun: true })).body).toMatchObject({
      files: [],
      conflicts: [{ path: "a.txt", later: { change: later, agent: "main", time: expect.any(String) } }],
    });
  });

  it("shows first what it would do, then does it, and can be undone itself", async () => {
    const root = scratch({ "a.txt": LINES });
    const { agent, post, session } = await consoleOn(root);
    const id = changeIn(await agent("edit", { path: "a.txt", old_text: "1\n", new_text: "one\n" }));
    writeFileSync(join(root, "a.txt"), LINES.replace("1\n", "one\n").replace("9\n", "nine\n"));
    const files = [{ path: "a.txt", action: "Merged", keeps: "later edits of it stay" }];
    const plan = await post("/api/undo", { change: id, dryRun: true });
    expect(plan.body).toEqual({ done: false, files, conflicts: [], notes: [] });
    const done = (await post("/api/undo", { session, dryRun: false })).body as UndoOutcome;
    expect(done).toEqual({ done: true, change: expect.any(String), files, conflicts: [], notes: [] });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(LINES.replace("9\n", "nine\n"));
    expect((await post("/api/undo", { change: done.change, dryRun: false })).body).toMatchObject({ done: true });
    expect(readFileSync(join(root, "a.txt"), "utf8")).toContain("one\n");
  });

  it("names the conflicts, and the files that can be undone alone", async () => {
    const { undo, id, text, session } = await withConflict();
    const conflict = { path: "b.txt", reason: expect.any(String) };
    for (const wanted of [{ change: id }, { session }])
      expect(await undo({ ...wanted, dryRun: true })).toEqual({
        done: false,
        files: [{ path: "a.txt", action: "Brought back" }],
        conflicts: [conflict],
        notes: [],
      });
    expect(await undo({ change: id, dryRun: false })).toEqual({
      done: false,
      files: [],
      conflicts: [conflict],
      notes: [],
    });
    expect([text("a.txt"), text("b.txt")]).toEqual([LINES.replace("1", "one"), LINES.replace("1", "mine")]);
    expect(await undo({ change: id, path: "a.txt", dryRun: false })).toMatchObject({ done: true, conflicts: [] });
    expect([text("a.txt"), text("b.txt")]).toEqual([LINES, LINES.replace("1", "mine")]);
  });

  it("says that nothing is left to undo", async () => {
    const { undo, id, root } = await withConflict();
    for (const name of ["a.txt", "b.txt"]) writeFileSync(join(root, name), LINES);
    const outcome = await undo({ change: id, dryRun: true });
    expect(outcome).toEqual({
      done: false,
      files: [],
      conflicts: [],
      notes: [expect.stringMatching(/^Cannot undo: /)],
    });
  });

  it("works in directories of other servers, by their own rules", async () => {
    const [root, elsewhere] = [scratch(), scratch({ "a.txt": LINES })];
    const { post, get } = await consoleOn(root);
    const other = appOn(elsewhere, { stateDirectory: stateBeside(root) });
    const id = changeIn(await callerOf(other)("write", { path: "a.txt", content: "new\n" }));
    const { changes } = await get<ChangeList>("/api/changes");
    expect(changes.map(({ id: each, files }) => [each, files[0]?.path])).toEqual([[id, "a.txt"]]);
    expect((await post("/api/undo", { change: id, path: "a.txt", dryRun: false })).body).toMatchObject({ done: true });
    expect(readFileSync(join(elsewhere, "a.txt"), "utf8")).toBe(LINES);
  });

  it("is in the history as the change of a person", async () => {
    const { undo, id, get } = await withConflict();
    await undo({ change: id, path: "a.txt", dryRun: false });
    const [newest] = (await get<ChangeList>("/api/changes")).changes;
    expect(newest).toMatchObject({ principal: "user", tool: "undo", undoes: [id] });
  });
});
