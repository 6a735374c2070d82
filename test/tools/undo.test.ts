import { chmodSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { treeOf } from "../crash/home.ts";
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
    (await call("write", { path: "b.txt", content: "b2", append: true })).data["change_id"],
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
  writeFileSync(join(root, "b.txt"), "other\n");
  const { text } = await call("undo", {});
  expect(text).toContain('or only some files of this one, such as path "a.txt"; history lists all changes');
  expect((await call("undo", { change_id, path: "a.txt" })).code).toBe("ok");
});

it("leads back over a file that another program deleted between changes", async () => {
  const root = scratch({});
  const app = appOn(root);
  const call = callerOf(app);
  for (const content of ["one", "two", "three"]) await call("write", { path: "d/todo.md", content });
  rmSync(join(root, "d/todo.md"));
  await call("write", { path: "d/todo.md", content: "four" });
  const dry = await call("undo", { session: app.session.facts.id, dry_run: true });
  const real = await call("undo", { session: app.session.facts.id });
  expect([dry.code, real.code, existsSync(join(root, "d"))]).toEqual(["ok", "ok", false]);
  expect(real.data["files"]).toEqual(dry.data["files"]);
  expect((await call("undo", { change_id: real.data["change_id"] })).code).toBe("ok");
  expect(readFileSync(join(root, "d/todo.md"), "utf8")).toBe("four");
});

const REPLACING = [
  {
    tool: "write",
    input: { path: "d/a", content: "new\n", overwrite: true },
    what: "its content from before the change",
  },
  { tool: "edit", input: { path: "d/a", oldText: "old", newText: "new" }, what: "its content from before the change" },
  { tool: "move", input: { source: "b", destination: "d/a", overwrite: true }, what: "only what the move replaced" },
];

it.each(REPLACING)("brings back what a $tool replaced and another program deleted", async ({ tool, input, what }) => {
  const root = scratch({ "d/a": "old\n", b: "b\n" });
  chmodSync(join(root, "d/a"), 0o640);
  const call = callerOf(appOn(root));
  await call("read", { path: "d/a" });
  await call(tool, input);
  rmSync(join(root, "d"), { recursive: true });
  const free = treeOf(root);
  const dry = await call("undo", { dry_run: true });
  const real = await call("undo");
  const note = `Note: d/a: another program moved or deleted it since; ${what} is restored`;
  expect(real.text).toBe(`Brought back d/a\n${note}`);
  expect(dry.text).toBe(`Nothing was changed; this is a dry run:\nWould bring back d/a\n${note}`);
  expect(treeOf(root)).toMatchObject({ "d/a": "640 old\n" });
  expect((await call("undo", { change_id: real.data["change_id"] })).code).toBe("ok");
  expect(treeOf(root)).toEqual(free);
});

it.each([
  { tool: "write", input: { path: "d/a", content: "new\n", overwrite: true } },
  { tool: "delete", input: { path: "d/a" } },
  { tool: "move", input: { source: "d/a", destination: "b" } },
])("refuses to take back a $tool where a file has the place of the directory", async ({ tool, input }) => {
  const root = scratch({ "d/a": "old\n" });
  const call = callerOf(appOn(root));
  await call(tool, input);
  rmSync(join(root, "d"), { recursive: true });
  writeFileSync(join(root, "d"), "a file\n");
  const dry = await call("undo", { dry_run: true });
  const real = await call("undo");
  expect(real.text).toContain('"d/a": something else has the name of its directory');
  expect([dry.code, dry.text]).toEqual(["conflict", real.text]);
});

/** Returns a time after all that was done so far and before all that follows. */
async function moment(): Promise<string> {
  const timeMs = Date.now() + 1;
  await vi.waitUntil(() => Date.now() > timeMs);
  return new Date(timeMs).toISOString();
}

const write = (content: string) => ["write", { path: "a", content, overwrite: true }] as const;

describe("since a time", () => {
  it("an undo is taken back as well", async () => {
    const root = scratch({ a: "start" });
    const call = callerOf(appOn(root));
    await call(...write("one"));
    const since = await moment();
    const undone = await call("undo");
    const dry = await call("undo", { since, dry_run: true });
    const real = await call("undo", { since });
    expect([dry.code, real.code]).toEqual(["ok", "ok"]);
    const ids = [undone.data["change_id"]];
    expect([dry.data["undone"], real.data["undone"]]).toEqual([ids, ids]);
    expect(readFileSync(join(root, "a"), "utf8")).toBe("one");
    expect((await call("undo")).code).toBe("ok");
    expect(readFileSync(join(root, "a"), "utf8")).toBe("start");
  });

  it("an undo of changes from before and after leads back to the state between them", async () => {
    const root = scratch({ a: "start" });
    const app = appOn(root);
    const call = callerOf(app);
    await call(...write("one"));
    const since = await moment();
    await call(...write("two"));
    await call("undo", { session: app.session.facts.id });
    await call("write", { path: "b", content: "b" });
    expect((await call("undo", { since })).code).toBe("ok");
    expect(treeOf(root)).toEqual({ a: expect.stringMatching(/ one$/) });
  });

  it("a redo is taken back too, and an undo of a later change is not", async () => {
    const root = scratch({ a: "start" });
    const call = callerOf(appOn(root));
    await call(...write("one"));
    const undone = await call("undo");
    const since = await moment();
    await call("undo", { change_id: undone.data["change_id"] });
    await call("write", { path: "b", content: "b" });
    await call("undo");
    expect((await call("undo", { since })).code).toBe("ok");
    expect(treeOf(root)).toEqual({ a: expect.stringMatching(/ start$/) });
  });
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
