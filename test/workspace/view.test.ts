import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/base/errors.ts";
import { directoryFrom } from "../../src/storage/memory/nodes.ts";
import { createMemoryStorage } from "../../src/storage/memory/storage.ts";
import type { AccessCallbacks } from "../../src/workspace/view.ts";
import { viewOn } from "./viewing.ts";
import { callerOn, scratch } from "../runtime/scratch.ts";

const ROOT = { given: "/given", real: "/real" };

const viewOf = (access: Partial<AccessCallbacks> = {}) =>
  viewOn(
    createMemoryStorage(
      "/real",
      directoryFrom({
        "a.txt": Buffer.from("a"),
        secret: { "key.txt": Buffer.from("k") },
        "to-a": "a.txt",
        "to-secret": "secret/key.txt",
        "to-nothing": "none",
        "to-outside": "/etc/passwd",
      }),
    ),
    [ROOT],
    access,
  );

/** Refuses one directory, the way the rules of a session do. */
const denySecret = (place: string): void => {
  if (place.startsWith("/real/secret")) throw new Fault("denied", "Cannot open it: a test says so");
};

describe("what the rules refuse", () => {
  it.each(["secret/key.txt", "/real/secret/key.txt", "/given/secret/key.txt", "to-secret"])(
    "opening %s",
    async (path) => {
      const view = viewOf({ checkAccess: denySecret });
      await expect(view.withFile(path, async () => "opened")).rejects.toMatchObject({ code: "denied" });
    },
  );

  it("is not listed, and no link to it is resolved", async () => {
    const view = viewOf({ checkAccess: denySecret });
    const names = await view.withDirectory(".", async (directory) =>
      (await view.entriesOf(directory)).map(({ name }) => name),
    );
    expect(names).toEqual(["a.txt", "to-a", "to-secret", "to-nothing", "to-outside"]);
    expect(await view.linkTargetOf("/real/to-secret" as never)).toEqual({ kind: "outside" });
  });
});

it.each([
  { link: "to-a", end: { kind: "inside", place: "/real/a.txt" } },
  { link: "to-nothing", end: { kind: "dangling" } },
  { link: "to-outside", end: { kind: "outside" } },
  { link: "none", end: { kind: "dangling" } },
])("$link leads to $end.kind", async ({ link, end }) => {
  expect(await viewOf().linkTargetOf(join("/real", link) as never)).toEqual(end);
});

it.each([
  { place: "/real", name: "." },
  { place: "/real/a.txt", name: "a.txt" },
  { place: "/real/secret/key.txt", name: "secret/key.txt" },
])("calls $place $name", ({ place, name }) => {
  expect(viewOf().nameOf(place as never)).toBe(name);
});

it.each(["look", "withFile", "withDirectory"] as const)("%s does nothing once the call is cancelled", async (act) => {
  const view = viewOf({ signal: AbortSignal.abort() });
  const done = act === "look" ? view.stat("a.txt", "keep") : view[act]("a.txt", async () => "opened");
  await expect(done).rejects.toMatchObject({ code: "cancelled" });
});

const both = () => {
  const first = scratch({ "only-first.txt": "1", "both.txt": "first" });
  const second = scratch({ "only-second.txt": "2", "both.txt": "second", sub: null, link: { link: "both.txt" } });
  return { first, second, caller: callerOn(first, { roots: [first, second] }) };
};

describe("several roots", () => {
  it.each([
    { path: "only-first.txt", content: "1" },
    { path: "only-second.txt", content: "2" },
    { path: "both.txt", content: "first" },
    { path: "./both.txt", content: "first" },
    { path: "sub/../both.txt", content: "second" },
  ])("$path is found in the first root that has it", async ({ path, content }) => {
    expect((await both().caller("read", { path })).data["content"]).toBe(content);
  });

  it("an absolute path means exactly one", async () => {
    const { second, caller } = both();
    expect((await caller("read", { path: join(second, "both.txt") })).data["content"]).toBe("second");
  });

  it("a path that exists in no root is missing in the first", async () => {
    const { first, caller } = both();
    const { data } = await caller("read", { path: "none.txt" });
    expect(data["error"]).toMatchObject({ code: "not_found", path: join(first, "none.txt") });
  });

  it("a link is named by its absolute path", async () => {
    const { second, caller } = both();
    expect((await caller("stat", { path: "link" })).data["target"]).toBe(join(second, "both.txt"));
  });
});
