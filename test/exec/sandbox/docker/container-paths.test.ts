import { expect, it } from "vitest";
import { toContainerPath } from "../../../../src/exec/sandbox/docker/container-paths.ts";

const SHARED = [
  { host: "/home/me/project", container: "/workspace" },
  { host: "/home/me/project/data", container: "/data" },
  { host: "/srv/own", container: "/srv/own" },
];

it.each([
  { host: "/home/me/project", container: "/workspace" },
  { host: "/home/me/project/src/a b.ts", container: "/workspace/src/a b.ts" },
  { host: "/home/me/project/data/x", container: "/data/x" },
  { host: "/srv/own/x", container: "/srv/own/x" },
])("translates $host to $container", ({ host, container }) => {
  expect(toContainerPath(SHARED, host)).toBe(container);
});

it("knows what is not shared", () => {
  expect([toContainerPath(SHARED, "/home/me/projects"), toContainerPath(SHARED, "/")]).toEqual([null, null]);
});

it("refuses a path that may climb out", () => {
  expect(() => toContainerPath(SHARED, "/home/me/project/../etc")).toThrow('it holds ".."');
  expect(toContainerPath(SHARED, "/home/me/project/..a")).toBe("/workspace/..a");
});
