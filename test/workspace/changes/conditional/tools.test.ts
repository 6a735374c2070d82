import { describe, expect, it } from "vitest";
import { objectStorage } from "../../../../src/storage/objects/object-storage.ts";
import type { Storage } from "../../../../src/storage/storage.ts";
import type { ChangeRecord } from "../../../../src/workspace/changes/change.ts";
import { diffOfChange } from "../../../../src/workspace/changes/change-diff.ts";
import { objectLayout } from "../../../layout.ts";
import { ClassFile } from "../../../storage/classes.ts";
import { callerIn, workspaceOn } from "../../storages.ts";
import {
  ACCESS,
  at,
  HOW,
  isBackup,
  shownObjects,
  OBJECT_ROOT,
} from "../../../../src/testing/objects/change-set-fixture.ts";
import { objectScene, pendingIn } from "./object-scene.ts";

const TREE = ["a.txt = one\ntwo\n", "d/b.txt = b", "d/e/c.txt = c", "empty/"];
const SHOWN = ["a.txt = one\ntwo\n", "d/b.txt = b", "d/e/c.txt = c", "empty/ = "];

interface Step {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly minus?: readonly string[];
  readonly plus?: readonly string[];
}

const STEPS: readonly Step[] = [
  { tool: "write", input: { path: "new.txt", content: "n" }, plus: ["new.txt = n"] },
  { tool: "write", input: { path: "x/y/new.txt", content: "n" }, plus: ["x/ = ", "x/y/ = ", "x/y/new.txt = n"] },
  {
    tool: "write",
    input: { path: "a.txt", content: "all\n", overwrite: true },
    minus: ["a.txt = one\ntwo\n"],
    plus: ["a.txt = all\n"],
  },
  {
    tool: "edit",
    input: { path: "a.txt", oldText: "two", newText: "2" },
    minus: ["a.txt = one\ntwo\n"],
    plus: ["a.txt = one\n2\n"],
  },
  {
    tool: "write",
    input: { path: "a.txt", content: "three\n", append: true },
    minus: ["a.txt = one\ntwo\n"],
    plus: ["a.txt = one\ntwo\nthree\n"],
  },
  { tool: "mkdir", input: { path: "made" }, plus: ["made/ = "] },
  {
    tool: "move",
    input: { source: "a.txt", destination: "d/a.txt" },
    minus: ["a.txt = one\ntwo\n"],
    plus: ["d/a.txt = one\ntwo\n"],
  },
  {
    tool: "move",
    input: { source: "d", destination: "f" },
    minus: ["d/b.txt = b", "d/e/c.txt = c"],
    plus: ["f/b.txt = b", "f/e/c.txt = c"],
  },
  {
    tool: "move",
    input: { source: "a.txt", destination: "d/b.txt", overwrite: true },
    minus: ["a.txt = one\ntwo\n", "d/b.txt = b"],
    plus: ["d/b.txt = one\ntwo\n"],
  },
  { tool: "copy", input: { source: "a.txt", destination: "g.txt" }, plus: ["g.txt = one\ntwo\n"] },
  { tool: "copy", input: { source: "d", destination: "f" }, plus: ["f/b.txt = b", "f/e/c.txt = c"] },
  { tool: "delete", input: { path: "a.txt" }, minus: ["a.txt = one\ntwo\n"] },
  { tool: "delete", input: { path: "d", recursive: true }, minus: ["d/b.txt = b", "d/e/c.txt = c"] },
  { tool: "delete", input: { path: "empty", recursive: true }, minus: ["empty/ = "] },
];

const titled = STEPS.map((step) => ({ ...step, title: `${step.tool} ${JSON.stringify(step.input)}` }));

describe("the tools on an object store", () => {
  it.each(titled)("$title is made, recorded, undone and made again", async ({ tool, input, minus = [], plus = [] }) => {
    const objects = objectLayout(TREE);
    const { call, stateHome } = objectScene(objects);
    const after = [...SHOWN.filter((line) => !minus.includes(line)), ...plus].toSorted();
    expect(await call(tool, input)).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(after);
    expect((await call("history")).data).toMatchObject({ changes: [{ tool }] });
    expect(await call("undo")).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(SHOWN);
    const [{ change_id: undo }] = ((await call("history")).data as { changes: [{ change_id: string }] }).changes;
    expect(await call("undo", { change_id: undo })).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(after);
    expect(pendingIn(stateHome)).toEqual([]);
  });

  it("restores from the trash what was deleted, once", async () => {
    const objects = objectLayout(TREE);
    const { call } = objectScene(objects);
    await call("delete", { path: "d", recursive: true });
    await call("delete", { path: "a.txt" });
    expect(await call("restore", { path: "d" })).toMatchObject({ isError: false, code: "ok" });
    expect(await call("restore", { path: "a.txt" })).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(SHOWN);
    expect(await shownObjects(objects, (key) => isBackup(key) && key.includes("/trash/"))).toEqual([]);
    expect((await call("restore", { path: "d" })).code).toBe("not_found");
  });

  it("shows diffs of the past, and refuses a stale edit", async () => {
    const objects = objectLayout(TREE);
    const { call, workspace } = objectScene(objects);
    const { data } = await call("edit", { path: "a.txt", oldText: "two", newText: "2" });
    const { change_id: id, version } = data as { change_id: string; version: string };
    const view = workspace.view(ACCESS);
    const record = view.history.read(id) as ChangeRecord;
    expect((await diffOfChange(record, view))[0]?.diff).toContain("-two\n+2\n");
    await call("write", { path: "a.txt", content: "other", overwrite: true });
    const again = await call("write", { path: "a.txt", content: "mine", if_match: version });
    expect(again.code).toMatch(/stale|conflict/);
    expect(workspace.writing?.counts()).toEqual({ changes: 2, pending: 0 });
  });

  it("applies a patch that swaps and edits files in one set", async () => {
    const objects = objectLayout(["a = 1\n", "b = 2\n"]);
    const { call } = objectScene(objects);
    const patch = [
      "*** Begin Patch",
      "*** Update File: a",
      "@@",
      "-1",
      "+one",
      "*** Add File: c",
      "+new",
      "*** Delete File: b",
      "*** End Patch",
    ].join("\n");
    expect(await call("apply_patch", { input: patch })).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(["a = one\n", "c = new\n"]);
    expect(await call("undo")).toMatchObject({ isError: false, code: "ok" });
    expect(await shownObjects(objects)).toEqual(["a = 1\n", "b = 2\n"]);
  });

  it("reads files that are instances of a class", async () => {
    const storage = objectStorage(objectLayout([".gitignore = hidden", "hidden", "shown"])).mount(OBJECT_ROOT);
    const withFile: Storage["withFile"] = (path, use) => storage.withFile(path, (file) => use(new ClassFile(file)));
    const call = callerIn(workspaceOn({ ...storage, withFile }));
    expect((await call("read", { path: "shown" })).text).toContain("shown");
    const found = (await call("find", { pattern: "*" })).text;
    expect([found.includes("shown"), found.includes("hidden")]).toEqual([true, false]);
  });

  it.each([
    { key: "a.txt", mode: 0o600 },
    { key: "a.txt", mode: 0o755 },
    { key: "d", mode: 0o644 },
  ])("refuses the permissions $mode for $key: objects have none", async ({ key, mode }) => {
    const { writing } = objectScene(objectLayout(TREE)).workspace;
    const set = { changes: [{ kind: "chmod", path: at(key), mode }] } as const;
    const refused = { code: "denied", message: `Cannot set the permissions of "//ROOT/${key}": its storage has none` };
    await expect(writing?.commit(set, HOW)).rejects.toMatchObject(refused);
    await expect((async () => writing?.dryRun(set))()).rejects.toMatchObject(refused);
  });

  it.each([
    { key: "a.txt", mode: 0o100644 },
    { key: "d", mode: 0o755 },
  ])("takes the permissions $mode, which $key seems to have", async ({ key, mode }) => {
    const { writing } = objectScene(objectLayout(TREE)).workspace;
    const { effects } = (await writing?.commit({ changes: [{ kind: "chmod", path: at(key), mode }] }, HOW)) ?? {};
    expect(effects).toEqual([]);
  });
});
