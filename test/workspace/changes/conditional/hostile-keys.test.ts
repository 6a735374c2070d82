import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../../src/base/limits.ts";
import { memoryObjects } from "../../../../src/storage/objects/memory-objects.ts";
import type { Change } from "../../../../src/workspace/changes/change.ts";
import { interfered } from "../../../../src/testing/objects/interference.ts";
import { ACCESS, at, HOW, shownObjects, writeForeign } from "../../../../src/testing/objects/change-set-fixture.ts";
import { objectScene } from "./object-scene.ts";

const HOSTILE = ["d/../../up", "d/./x", "d//y", "d/e/..", "d/../.holdfast-store/trash/z"];

const CHANGES: readonly Change[] = [
  { kind: "remove", path: at("d"), into: "trash" },
  { kind: "move", path: at("d"), to: at("f"), replaces: null },
  { kind: "copy", path: at("d"), to: at("f"), replaces: null },
];

describe("keys of somebody else that are no paths", () => {
  it.each(CHANGES)("are neither written nor removed by a $kind of their directory", async (change) => {
    const contents = [...HOSTILE, "d/plain"].map((key) => [key, Buffer.from(key)]);
    const objects = memoryObjects(Object.fromEntries(contents) as Record<string, Uint8Array>);
    const changed: string[] = [];
    const before = ({ method, key }: { method: string; key: string }): void => {
      if (method === "put" || method === "remove") changed.push(key);
    };
    const { workspace } = objectScene(interfered(objects, { before }));
    await workspace.writing?.commit({ changes: [change] }, HOW);
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.filter((key) => /(?:^|\/)\.{0,2}(?:\/|$)/.test(key))).toEqual([]);
    const shown = await shownObjects(objects, () => true);
    expect(shown).toEqual(expect.arrayContaining(HOSTILE.map((key) => `${key} = ${key}`)));
  });
});

const many = (): Record<string, Uint8Array> =>
  Object.fromEntries(
    Array.from({ length: LIMITS.objectsPerSet + 1 }, (_, nth) => [`d/${nth}`, new Uint8Array()] as const),
  );

describe("a directory with more objects than one change set may touch", () => {
  it("is refused as a whole", async () => {
    const { workspace } = objectScene(memoryObjects(many()));
    const commit = workspace.writing?.commit({ changes: [{ kind: "remove", path: at("d"), into: "trash" }] }, HOW);
    await expect(commit).rejects.toMatchObject({ code: "too_large" });
  });

  it("is there already for mkdir", async () => {
    const { workspace } = objectScene(memoryObjects(many()));
    const record = await workspace.writing?.commit({ changes: [{ kind: "mkdir", path: at("d") }] }, HOW);
    expect(record?.effects).toEqual([]);
  });
});

it("does not put the mark of a directory into the trash", async () => {
  const objects = memoryObjects({ "m/": new Uint8Array(), a: Buffer.from("1") });
  let isWritten = false;
  const { workspace } = objectScene(
    interfered(objects, {
      async before({ method, key }) {
        if (method !== "remove" || key !== "m/" || isWritten) return;
        isWritten = true;
        await objects.remove("m/", (await objects.head("m/"))?.tag ?? "");
        throw new Error("unknown outcome");
      },
      async after({ method, key }) {
        if (method === "head" && key === "m/" && isWritten) await writeForeign(objects, "m/", "foreign");
      },
    }),
  );
  const changes: readonly Change[] = [
    { kind: "write", path: at("a"), content: Buffer.from("2") },
    { kind: "remove", path: at("m"), into: "history" },
  ];
  await expect(workspace.writing?.commit({ changes }, HOW)).rejects.toMatchObject({
    code: "io",
    cause: new Error("unknown outcome"),
  });
  expect(workspace.view(ACCESS).history.trash()).toEqual([]);
  expect(await shownObjects(objects)).toEqual(["a = 1", "m/ = foreign"]);
});
