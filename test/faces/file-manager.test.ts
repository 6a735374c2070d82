import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFileManager, FileError, type FileManager, type FileManagerOptions } from "../../src/index.ts";
import { scratch, stateBeside } from "../runtime/scratch.ts";

const BINARY = Buffer.from([0, 0xff, 0xfe, 0x80, 0x0d, 0x0a, 0xc3, 0x28]);

async function open(basePath: string, options: Partial<FileManagerOptions> = {}): Promise<FileManager> {
  const files = await createFileManager({ basePath, stateDirectory: stateBeside(basePath), ...options });
  onTestFinished(files.close);
  return files;
}

it("reads, writes, lists, copies, moves and deletes", async () => {
  const root = scratch({ "config.json": "{}" });
  const files = await open(root);
  expect(await files.read("config.json")).toBe("{}");
  expect(await files.write("d/a", "déjà", { encoding: "latin1" })).toEqual({
    path: "d/a",
    fullPath: join(root, "d/a"),
    size: 4,
  });
  expect(await files.read("d/a", { encoding: "latin1" })).toBe("déjà");
  expect(await files.copy("d/a", "d/b")).toMatchObject({ destination: "d/b", fullPath: join(root, "d/b"), size: 4 });
  expect(await files.move("d/b", "c", { overwrite: true })).toMatchObject({ source: "d/b", destination: "c" });
  await files.delete("d/a");
  expect(await files.exists("d/a")).toBe(false);
  const named = (await files.list()).map(({ path, isDirectory }) => [path, isDirectory]);
  expect(named).toEqual([
    ["c", false],
    ["config.json", false],
    ["d/", true],
  ]);
  expect((await files.list("", { pattern: "*.json", recursive: true })).map(({ path }) => path)).toEqual([
    "config.json",
  ]);
  expect(await files.getUrl("c")).toBe(`file://${join(root, "c")}`);
});

it("damages no bytes", async () => {
  const files = await open(scratch());
  await files.write("a", BINARY);
  await files.copy("a", "b");
  await files.move("b", "c");
  expect(await files.readBytes("c")).toEqual(BINARY);
  await expect(files.read("c")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  await files.write("empty", Buffer.of());
  await files.copy("empty", "empty2");
  expect(await files.readBytes("empty2")).toEqual(Buffer.of());
});

it("writes and reads files that no single call could carry, and leaves nothing beside them", async () => {
  const root = scratch({ taken: "old" });
  const files = await open(root);
  const large = Buffer.alloc(30 * 1024 * 1024, BINARY);
  expect(await files.write("d/large", large)).toEqual({
    path: "d/large",
    fullPath: join(root, "d/large"),
    size: large.length,
  });
  expect(large.equals(readFileSync(join(root, "d/large")))).toBe(true);
  expect(large.equals(await files.readBytes("d/large"))).toBe(true);
  await expect(files.write("taken", large)).rejects.toMatchObject({
    code: "ALREADY_EXISTS",
    message: "File 'taken' already exists; set overwrite to true to replace it",
  });
  await files.write("taken", large, { overwrite: true });
  expect([readdirSync(root), readdirSync(join(root, "d"))]).toEqual([["d", "taken"], ["large"]]);
});

it.each([
  { code: "NOT_FOUND", act: (files: FileManager) => files.read("none") },
  { code: "NOT_FOUND", act: (files: FileManager) => files.getUrl("none") },
  { code: "NOT_FOUND", act: (files: FileManager) => files.delete("none") },
  { code: "NOT_FOUND", act: (files: FileManager) => files.list("none") },
  { code: "NOT_FOUND", act: (files: FileManager) => files.exists("a", { source: "gone" }) },
  { code: "ALREADY_EXISTS", act: (files: FileManager) => files.write("a", "x") },
  { code: "ALREADY_EXISTS", act: (files: FileManager) => files.copy("b", "a") },
  { code: "ALREADY_EXISTS", act: (files: FileManager) => files.move("b", "a") },
  { code: "PATH_TRAVERSAL", act: (files: FileManager) => files.readBytes("../x") },
  { code: "PATH_TRAVERSAL", act: (files: FileManager) => files.write("/etc/x", BINARY) },
  { code: "IS_DIRECTORY", act: (files: FileManager) => files.read("d") },
  { code: "IS_FILE", act: (files: FileManager) => files.list("a") },
  { code: "INVALID_ARGUMENT", act: (files: FileManager) => files.write("c", "x", { source: "none" }) },
  { code: "INVALID_ARGUMENT", act: (files: FileManager) => files.read("") },
])("throws a FileError $code", async ({ code, act }) => {
  const root = scratch({ a: "a", b: "b", d: null });
  const files = await open(root, { sources: { gone: join(root, "gone") } });
  const error = await act(files).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FileError);
  expect(error).toMatchObject({ name: "FileError", code, message: expect.any(String) });
  expect(readdirSync(root)).toEqual(["a", "b", "d"]);
});

it("keeps storages apart", async () => {
  const [root, archive] = [scratch({ a: "ours" }), scratch({ a: "theirs" })];
  const files = await open(root, { sources: { archive } });
  await files.write("b", "x", { source: "archive" });
  await files.move("b", "c", { source: "archive" });
  expect(await files.read("a", { source: "archive" })).toBe("theirs");
  expect(await files.getUrl("c", { source: "archive" })).toBe(`file://${join(archive, "c")}`);
  expect([readdirSync(root), readdirSync(archive)]).toEqual([["a"], ["a", "c"]]);
});

it("changes nothing when it is read-only", async () => {
  const root = scratch({ a: "x" });
  const files = await open(root, { readOnly: true });
  await expect(files.delete("a")).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  expect(await files.read("a")).toBe("x");
});

it("asks again and again without being taken for a loop", async () => {
  const files = await open(scratch());
  for (let times = 0; times < 50; times++) expect(await files.exists("a")).toBe(false);
});
