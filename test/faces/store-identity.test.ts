import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, objectStorage, type ObjectStore } from "../../src/index.ts";
import { scratch } from "../runtime/scratch.ts";
import { interfered } from "../../src/testing/objects/interference.ts";
import { shownObjects } from "../../src/testing/objects/change-set-fixture.ts";
import { pendingIn } from "../workspace/changes/conditional/object-scene.ts";
import { existsSync, readdirSync } from "node:fs";

/** A store that outlives the process, as far as Holdfast knows. */
const lasting = (text: string): ObjectStore => ({
  ...memoryObjects({ "a.txt": Buffer.from(text) }),
  isEphemeral: false,
});

/** A process with a store under the name "kv", and the state of this machine. */
function mounted(objects: ObjectStore, stateDirectory: string) {
  const holdfast = createHoldfast({
    roots: [{ name: "kv", storage: objectStorage(objects) }],
    stateDirectory,
    loopDetection: false,
    warn: () => {},
  });
  onTestFinished(() => holdfast.close());
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { isError, text, data, error } = await holdfast.call(tool, input);
    return { text: isError ? `failed: ${text}` : text, data, error };
  };
  return call;
}

const home = (): string => join(scratch(), "state");
const edit = { path: "a.txt", oldText: "one", newText: "two" };

describe("two stores under one name", () => {
  it("have no common history, trash or undo", async () => {
    const [state, one, other] = [home(), lasting("one\n"), lasting("one\n")];
    const first = mounted(one, state);
    const { data } = await first("edit", edit);
    await first("write", { path: "b.txt", content: "b\n" });
    await first("delete", { path: "b.txt" });
    const second = mounted(other, state);
    expect((await second("history")).data).toMatchObject({ changes: [] });
    const { change_id: id } = data as { change_id: string };
    expect((await second("undo", { change_id: id })).text).toContain("there is no such change");
    expect((await second("restore", { path: "b.txt" })).text).toContain("failed");
    expect(await shownObjects(other, () => true)).toEqual(["a.txt = one\n"]);
    expect((await mounted(one, state)("history")).data).toMatchObject({ changes: [{}, {}, {}] });
  });

  it("let the second be read, and refuse its changes with what to do next", async () => {
    const [state, one, other] = [home(), lasting("one\n"), lasting("one\n")];
    await mounted(one, state)("edit", edit);
    const second = mounted(other, state);
    expect((await second("read", { path: "a.txt" })).text).toContain("one");
    const { error } = await second("edit", edit);
    expect(error).toMatchObject({
      code: "root_gone",
      message: "Cannot change //kv: the history under this name belongs to another store",
      hint: expect.stringContaining("give this one another name"),
    });
    expect(await shownObjects(other, () => true)).toEqual(["a.txt = one\n"]);
  });

  it("leave what a killed process began to the store that it began in", async () => {
    const [state, one, other] = [home(), lasting("one\n"), lasting("one\n")];
    let isDown = false;
    const failing = interfered(one, {
      after({ method, key }) {
        if (method === "put" && key === "a.txt") isDown = true;
        if (isDown) throw new Error("down");
      },
    });
    await mounted(failing, state)("edit", edit);
    const storages = readdirSync(join(state, "storages")).map((name) => join(state, "storages", name));
    expect([await shownObjects(one), pendingIn(storages[0] ?? "").length]).toEqual([["a.txt = two\n"], 1]);
    await mounted(other, state)("edit", edit);
    expect([await shownObjects(other), pendingIn(storages[0] ?? "").length]).toEqual([["a.txt = one\n"], 1]);
    await mounted(one, state)("write", { path: "b.txt", content: "b\n" });
    expect([await shownObjects(one), pendingIn(storages[0] ?? "")]).toEqual([["a.txt = one\n", "b.txt = b\n"], []]);
  });

  it("are told apart when one is emptied, and when the id is lost", async () => {
    const [state, one] = [home(), lasting("one\n")];
    await mounted(one, state)("edit", edit);
    const facts = await one.head(".holdfast-store/id");
    await one.remove(".holdfast-store/id", facts?.tag ?? "");
    expect((await mounted(one, state)("write", { path: "b.txt", content: "b\n" })).error?.code).toBe("root_gone");
  });
});

describe("the id of a store", () => {
  it("is the same for all who change it first at the same moment", async () => {
    const objects = lasting("one\n");
    const texts = ["x", "y", "z"];
    const calls = texts.map((name) => mounted(objects, home())("write", { path: `${name}.txt`, content: name }));
    expect((await Promise.all(calls)).map(({ text }) => text.startsWith("failed"))).toEqual([false, false, false]);
    expect(await shownObjects(objects, (key) => key === ".holdfast-store/id")).toEqual([
      expect.stringMatching(/^\.holdfast-store\/id = [0-9a-f]{32}$/),
    ]);
  });

  it("is written by the first change, and by no read", async () => {
    const objects = lasting("one\n");
    const call = mounted(objects, home());
    for (const [tool, input] of [
      ["read", { path: "a.txt" }],
      ["history", {}],
      ["ls", {}],
    ] as const)
      await call(tool, input);
    expect(await objects.head(".holdfast-store/id")).toBeNull();
    await call("edit", edit);
    expect(await objects.head(".holdfast-store/id")).not.toBeNull();
  });

  it.each([
    ["read", { path: "//kv/.holdfast-store/id" }],
    ["ls", { path: "//kv/.holdfast-store" }],
    ["write", { path: "//kv/.holdfast-store/id", content: "mine", overwrite: true }],
    ["write", { path: "//kv/.holdfast-store/new", content: "mine" }],
    ["delete", { path: "//kv/.holdfast-store/id" }],
    ["delete", { path: "//kv/.holdfast-store", recursive: true }],
    ["move", { source: "//kv/.holdfast-store/id", destination: "//kv/b" }],
    ["move", { source: "//kv/a.txt", destination: "//kv/.holdfast-store/id", overwrite: true }],
    ["copy", { source: "//kv/.holdfast-store", destination: "//kv/b" }],
    ["mkdir", { path: "//kv/.holdfast-store/d" }],
  ] as const)("is out of reach of %s %j", async (tool, input) => {
    const objects = lasting("one\n");
    const call = mounted(objects, home());
    await call("edit", edit);
    const before = await shownObjects(objects, () => true);
    expect((await call(tool, input)).text).toContain("failed");
    expect(await shownObjects(objects, () => true)).toEqual(before);
  });
});

it("keeps the history of a store in memory in memory", async () => {
  const state = home();
  const objects = memoryObjects({ "a.txt": Buffer.from("one\n") });
  await mounted(objects, state)("edit", edit);
  expect((await mounted(objects, state)("history")).data).toMatchObject({ changes: [{ tool: "edit" }] });
  expect(existsSync(join(state, "storages"))).toBe(false);
});
