import { existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { appOn, callerOf, scratch } from "../runtime/scratch.ts";

it("names only changes of the path that it was asked for", async () => {
  const call = callerOf(appOn(scratch({ "a.txt": "a", "b.txt": "b" })));
  const since = new Date(Date.now() - 1000).toISOString();
  const { data } = await call("write", { path: "a.txt", content: "a2" });
  await call("write", { path: "b.txt", content: "b2" });
  expect((await call("undo", { since, path: "a.txt" })).data["undone"]).toEqual([data["change_id"]]);
});

it.each([
  { tool: "history", gives: "changes" },
  { tool: "undo", gives: "undone" },
])("$tool takes an age for a time", async ({ tool, gives }) => {
  const call = callerOf(appOn(scratch({ "a.txt": "a" })));
  await call("write", { path: "a.txt", content: "a2" });
  expect((await call(tool, { since: "10m" })).data[gives]).toHaveLength(1);
  expect((await call(tool, { since: "10 minutes" })).text).toContain("or an age such as 90s, 10m, 2h or 1d");
});

it("a search takes an age for a time", async () => {
  const root = scratch({ "new.txt": "a", "old.txt": "a" });
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(join(root, "old.txt"), anHourAgo, anHourAgo);
  const call = callerOf(appOn(root));
  expect((await call("find", { pattern: "*", modified_after: "10m" })).text).toContain("new.txt");
  expect((await call("find", { pattern: "*", modified_after: "10m" })).data["total_matches"]).toBe(1);
});

it("finds a move by the name that a file had before", async () => {
  const root = scratch({ "a.txt": "a" });
  const call = callerOf(appOn(root));
  await call("write", { path: "a.txt", content: "a2" });
  await call("move", { source: "a.txt", destination: "b.txt" });
  expect((await call("undo", { path: "a.txt" })).code).toBe("ok");
  expect(["a.txt", "b.txt"].map((name) => existsSync(join(root, name)))).toEqual([true, false]);
});

it("names the change that is in the way, and the one before it", async () => {
  const root = scratch({ "a.txt": "a", "b.txt": "b" });
  const call = callerOf(appOn(root));
  const [first, second] = [
    (await call("write", { path: "a.txt", content: "a2" })).data["change_id"],
    (await call("write", { path: "b.txt", content: "b2" })).data["change_id"],
  ];
  rmSync(join(root, "b.txt"));
  const { text } = await call("undo", {});
  expect(text).toBe(
    `Cannot undo: something is in the way\n"b.txt": another program moved or deleted it since (write ${String(second)})\n` +
      `Nothing was changed: put that right, or undo change_id "${String(first)}"; history lists all changes`,
  );
  expect((await call("undo", { change_id: first })).code).toBe("ok");
});

const update = (name: string) => `*** Update File: ${name}.txt\n@@\n-${name}\n+new\n`;

it("names a file of the change that nothing stops", async () => {
  const root = scratch({ "a.txt": "a\n", "b.txt": "b\n" });
  const call = callerOf(appOn(root));
  const input = `*** Begin Patch\n${update("a")}${update("b")}*** End Patch\n`;
  const { change_id } = (await call("apply_patch", { input })).data;
  rmSync(join(root, "b.txt"));
  const { text } = await call("undo", {});
  expect(text).toContain('or only some files of this one, such as path "a.txt"; history lists all changes');
  expect((await call("undo", { change_id, path: "a.txt" })).code).toBe("ok");
});

it("says once that a file was deleted between changes, although it is there again", async () => {
  const root = scratch({});
  const app = appOn(root);
  const call = callerOf(app);
  await call("write", { path: "todo.md", content: "one" });
  const edits = [
    (await call("write", { path: "todo.md", content: "two" })).data["change_id"],
    (await call("write", { path: "todo.md", content: "three" })).data["change_id"],
  ];
  rmSync(join(root, "todo.md"));
  const { change_id: last } = (await call("write", { path: "todo.md", content: "four" })).data;
  const { text } = await call("undo", { session: app.session.facts.id });
  expect(text).toBe(
    'Cannot undo: something is in the way\n"todo.md": another program moved or deleted it between these changes ' +
      `(write ${String(edits[1])}, write ${String(edits[0])})\nNothing was changed: put that right, or undo change_id "${String(last)}"; history lists all changes`,
  );
});

it.each([
  { tool: "move", input: { source: "d", destination: "e" }, reason: 'a later change moved its directory to "e"' },
  { tool: "delete", input: { path: "d", recursive: true }, reason: "a later change deleted it" },
])("says what a later $tool of a directory did to a file in it", async ({ tool, input, reason }) => {
  const call = callerOf(appOn(scratch({ "d/a.txt": "a" })));
  const { change_id } = (await call("write", { path: "d/a.txt", content: "a2" })).data;
  await call(tool, input);
  expect((await call("undo", { change_id })).text).toContain(`"d/a.txt": ${reason} (write ${String(change_id)})`);
});

it("does not claim an undo where another program removed the new file", async () => {
  const root = scratch({ "a.txt": "a" });
  const call = callerOf(appOn(root));
  const { change_id: first } = (await call("write", { path: "a.txt", content: "a2" })).data;
  const { change_id } = (await call("write", { path: "new.txt", content: "new" })).data;
  rmSync(join(root, "new.txt"));
  expect((await call("undo", { change_id })).text).toBe(
    "Cannot undo: the files are already as they were before that change\n" +
      `Undo the change before by change_id "${String(first)}"; history lists all changes`,
  );
});

const SAME_AGAIN = "*** Begin Patch\n*** Delete File: n\n*** Add File: n\n+new\n*** End Patch\n";

it("goes on to the next change where the last one has nothing left to undo", async () => {
  const root = scratch({ a: "old" });
  const call = callerOf(appOn(root));
  const made = await call("mkdir", { path: "z" });
  const written = await call("write", { path: "a", content: "n", overwrite: true });
  writeFileSync(join(root, "a"), "old");
  const dry = await call("undo", { dry_run: true });
  const real = await call("undo");
  expect(existsSync(join(root, "z"))).toBe(false);
  expect(real.data["undone"]).toEqual([made.data["change_id"], written.data["change_id"]]);
  expect(dry.data["undone"]).toEqual(real.data["undone"]);
  const note = `Note: the later change ${String(written.data["change_id"])} (write) had nothing left to undo`;
  expect([dry.text.includes(note), real.text.includes(note)]).toEqual([true, true]);
  expect((await call("undo")).code).toBe("no_change");
  expect((await call("undo", { change_id: real.data["change_id"] })).code).toBe("ok");
  expect((await call("undo")).data["undone"]).toEqual(real.data["undone"]);
});

it("a patch that deletes a file and adds the same one again changes nothing", async () => {
  const root = scratch({});
  const call = callerOf(appOn(root));
  await call("write", { path: "n", content: "new\n" });
  const patched = await call("apply_patch", { input: SAME_AGAIN });
  expect([patched.code, patched.data["change_id"], patched.data["files"]]).toEqual(["ok", undefined, []]);
  expect(patched.text).toBe('Note: "n" was left alone: the patch deletes it and adds it again with the same content');
  expect((await call("undo")).code).toBe("ok");
  expect(existsSync(join(root, "n"))).toBe(false);
});
