import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/base/errors.ts";
import { createLocalStorage } from "../../../src/storage/local/local.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import type { AccessCallbacks } from "../../../src/workspace/view.ts";
import { type Visit, walk, type WalkOptions } from "../../../src/workspace/walk/walk.ts";
import { layout, memoryLayout } from "../../layout.ts";
import { viewOn } from "../viewing.ts";

const TREE = ["a/b/c/d", "a/e", "f", "g/", "to-a => a", "loop => .", "out => ..", ".hidden/h", "node_modules/n"];

const ALL: WalkOptions = { exclude: [], includeIgnored: false, includeHidden: false, order: "deep" };

/** Walks, and gives all that was met beside what the walk says. */
async function met(
  storage: Storage,
  wish: Partial<WalkOptions> = {},
  viewer: Partial<AccessCallbacks> = {},
  visit?: Visit,
) {
  const [root = ""] = storage.roots;
  const view = viewOn(storage, [{ given: root, real: root }], viewer);
  const ways: string[] = [];
  const walked = await walk(view, ".", { ...ALL, ...wish }, (directory) => {
    for (const { name } of directory.entries)
      ways.push(directory.relativePath === "" ? name : `${directory.relativePath}/${name}`);
    return visit?.(directory);
  });
  return { ways: ways.toSorted(), walked };
}

const onDisk = (lines: readonly string[]) => createLocalStorage([layout(lines)]);
const checked = (lines: readonly string[]) => createLocalStorage([layout(lines)], { containment: "best-effort" });

const refuseSome = (place: string): void => {
  if (/\/(?:b|f)$/.test(place)) throw new Fault("denied", "Cannot open it: a test says so");
};

describe.each([
  ["held by descriptors", onDisk],
  ["checked by name", checked],
  ["in memory", memoryLayout],
])("%s", (_name, make) => {
  it.each(["deep", "near"] as const)("%s: everything once, and no link is followed", async (order) => {
    const { ways, walked } = await met(make(TREE), { order });
    expect(ways).toEqual(["a", "a/b", "a/b/c", "a/b/c/d", "a/e", "f", "g", "loop", "out", "to-a"]);
    expect(walked).toEqual({ entries: 10, directories: 5, unreadable: 0, blocked: 0, leftOut: 2 });
  });

  it("shows what is hidden and ignored when asked", async () => {
    const { ways } = await met(make(TREE), { includeHidden: true, includeIgnored: true });
    expect(ways).toEqual(expect.arrayContaining([".hidden", ".hidden/h", "node_modules", "node_modules/n"]));
  });

  it("what the rules block is skipped and counted", async () => {
    const { ways, walked } = await met(make(TREE), {}, { checkAccess: refuseSome });
    expect(ways).toEqual(["a", "a/e", "g", "loop", "out", "to-a"]);
    expect(walked).toMatchObject({ blocked: 2 });
  });

  it.each([
    { budget: { entries: 1 }, stopped: { by: "entries", at: "a" } },
    { budget: { directories: 1 }, stopped: { by: "directories", at: "a" } },
    { budget: { ms: 0 }, stopped: { by: "ms", at: "a" } },
  ])("stops when $stopped.by run out, and says where", async ({ budget, stopped }) => {
    const { walked } = await met(make(["a/b/c"]), { budget });
    expect(walked).toMatchObject({ entries: 1, directories: 1, stopped });
  });

  it("opens more directories than it may hold, at any depth", async () => {
    const wide = Array.from({ length: 150 }, (_, n) => `w${n}/x/y`);
    const deep = `${Array.from({ length: 150 }, (_, n) => `d${n}`).join("/")}/bottom`;
    for (const order of ["deep", "near"] as const) {
      const { walked } = await met(make([...wide, deep]), { order });
      expect(walked).toEqual({ entries: 601, directories: 451, unreadable: 0, blocked: 0, leftOut: 0 });
    }
  });

  it("does not enter what is not wanted, and ends when enough was seen", async () => {
    const { ways } = await met(make(TREE), { enters: (way, depth) => way === "a" && depth === 1 });
    expect(ways).not.toContain("a/b/c");
    const { walked } = await met(make(TREE), {}, {}, () => false);
    expect(walked.directories).toBe(1);
  });

  it("stops where it is once it is cancelled", async () => {
    const controller = new AbortController();
    let visits = 0;
    const visit = () => {
      visits++;
      controller.abort();
    };
    await expect(met(make(TREE), {}, { signal: controller.signal }, visit)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(visits).toBe(1);
  });
});

it("a directory that goes away, or becomes a link, spoils nothing else", async () => {
  for (const order of ["deep", "near"] as const) {
    const root = layout(["gone/x", "swapped/x", "stays/x", "../outside/secret"]);
    const { ways, walked } = await met(createLocalStorage([root]), { order }, {}, ({ relativePath }) => {
      if (relativePath !== "") return;
      rmSync(join(root, "gone"), { recursive: true });
      rmSync(join(root, "swapped"), { recursive: true });
      symlinkSync(join(root, "../outside"), join(root, "swapped"));
    });
    expect(ways).toEqual(["gone", "stays", "stays/x", "swapped"]);
    expect(walked).toMatchObject({ unreadable: 2 });
  }
});

it("leaves no descriptor open, however it ends", async () => {
  const { readdirSync } = await import("node:fs");
  const count = () => readdirSync("/proc/self/fd").length;
  const storage = onDisk(TREE);
  const signal = AbortSignal.abort();
  await met(storage);
  const before = count();
  await met(storage);
  await met(storage, {}, {}, () => false);
  await met(storage, { budget: { directories: 2 } });
  await met(storage, {}, {}, () => Promise.reject(new Error("no"))).catch(() => {});
  await met(storage, {}, { signal }).catch(() => {});
  expect(count()).toBe(before);
});

it("passes over names that are no text", async () => {
  const root = layout(["a"]);
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x64, 0xff])]));
  const { walked } = await met(createLocalStorage([root]));
  expect(walked).toMatchObject({ entries: 2, unreadable: 1 });
});
