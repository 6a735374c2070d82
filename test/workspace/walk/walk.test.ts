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

/** Walks, and returns all visited paths beside the result of the walk. */
async function visitedBy(
  storage: Storage,
  options: Partial<WalkOptions> = {},
  callbacks: Partial<AccessCallbacks> = {},
  visit?: Visit,
) {
  const [root = ""] = storage.roots;
  const view = viewOn(storage, [{ given: root, real: root }], callbacks);
  const paths: string[] = [];
  const walked = await walk(view, ".", { ...ALL, ...options }, (directory) => {
    for (const { name } of directory.entries)
      paths.push(directory.relativePath === "" ? name : `${directory.relativePath}/${name}`);
    return visit?.(directory);
  });
  return { paths: paths.toSorted(), walked };
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
  it.each(["deep", "near"] as const)("%s: visits everything once and follows no link", async (order) => {
    const { paths, walked } = await visitedBy(make(TREE), { order });
    expect(paths).toEqual(["a", "a/b", "a/b/c", "a/b/c/d", "a/e", "f", "g", "loop", "out", "to-a"]);
    expect(walked).toEqual({ entries: 10, directories: 5, unreadable: 0, blocked: 0, leftOut: 2 });
  });

  it("shows hidden and ignored entries on request", async () => {
    const { paths } = await visitedBy(make(TREE), { includeHidden: true, includeIgnored: true });
    expect(paths).toEqual(expect.arrayContaining([".hidden", ".hidden/h", "node_modules", "node_modules/n"]));
  });

  it("skips and counts entries that the rules block", async () => {
    const { paths, walked } = await visitedBy(make(TREE), {}, { checkAccess: refuseSome });
    expect(paths).toEqual(["a", "a/e", "g", "loop", "out", "to-a"]);
    expect(walked).toMatchObject({ blocked: 2 });
  });

  it.each([
    { budget: { entries: 1 }, stopped: { by: "entries", at: "a" } },
    { budget: { directories: 1 }, stopped: { by: "directories", at: "a" } },
    { budget: { ms: 0 }, stopped: { by: "ms", at: "a" } },
  ])("stops when $stopped.by run out, and says where", async ({ budget, stopped }) => {
    const { walked } = await visitedBy(make(["a/b/c"]), { budget });
    expect(walked).toMatchObject({ entries: 1, directories: 1, stopped });
  });

  it("opens more directories than it may keep open, at any depth", async () => {
    const wide = Array.from({ length: 150 }, (_, n) => `w${n}/x/y`);
    const deep = `${Array.from({ length: 150 }, (_, n) => `d${n}`).join("/")}/bottom`;
    for (const order of ["deep", "near"] as const) {
      const { walked } = await visitedBy(make([...wide, deep]), { order });
      expect(walked).toEqual({ entries: 601, directories: 451, unreadable: 0, blocked: 0, leftOut: 0 });
    }
  });

  it("does not enter unselected directories, and ends when the visitor has enough", async () => {
    const { paths } = await visitedBy(make(TREE), {
      enters: (relativePath, depth) => relativePath === "a" && depth === 1,
    });
    expect(paths).not.toContain("a/b/c");
    const { walked } = await visitedBy(make(TREE), {}, {}, () => false);
    expect(walked.directories).toBe(1);
  });

  it("stops where it is once it is cancelled", async () => {
    const controller = new AbortController();
    let visits = 0;
    const visit = () => {
      visits++;
      controller.abort();
    };
    await expect(visitedBy(make(TREE), {}, { signal: controller.signal }, visit)).rejects.toMatchObject({
      code: "cancelled",
    });
    expect(visits).toBe(1);
  });
});

it("a directory that vanishes or becomes a link does not end the walk", async () => {
  for (const order of ["deep", "near"] as const) {
    const root = layout(["gone/x", "swapped/x", "stays/x", "../outside/secret"]);
    const { paths, walked } = await visitedBy(createLocalStorage([root]), { order }, {}, ({ relativePath }) => {
      if (relativePath !== "") return;
      rmSync(join(root, "gone"), { recursive: true });
      rmSync(join(root, "swapped"), { recursive: true });
      symlinkSync(join(root, "../outside"), join(root, "swapped"));
    });
    expect(paths).toEqual(["gone", "stays", "stays/x", "swapped"]);
    expect(walked).toMatchObject({ unreadable: 2 });
  }
});

it("leaves no descriptor open, however it ends", async () => {
  const { readdirSync } = await import("node:fs");
  const count = () => readdirSync("/proc/self/fd").length;
  const storage = onDisk(TREE);
  const signal = AbortSignal.abort();
  await visitedBy(storage);
  const before = count();
  await visitedBy(storage);
  await visitedBy(storage, {}, {}, () => false);
  await visitedBy(storage, { budget: { directories: 2 } });
  await visitedBy(storage, {}, {}, () => Promise.reject(new Error("no"))).catch(() => {});
  await visitedBy(storage, {}, { signal }).catch(() => {});
  expect(count()).toBe(before);
});

it("skips names that are not valid UTF-8", async () => {
  const root = layout(["a"]);
  mkdirSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x64, 0xff])]));
  const { walked } = await visitedBy(createLocalStorage([root]));
  expect(walked).toMatchObject({ entries: 2, unreadable: 1 });
});
