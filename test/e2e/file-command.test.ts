import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratch, stateBeside } from "../runtime/scratch.ts";
import { run, type RunOptions, saying } from "./bin.ts";

const BINARY = Buffer.from([0, 0x41, 0x0d, 0x0a, 0x7f]);

const file = (root: string, args: readonly string[], { env = {}, ...options }: RunOptions = {}) =>
  run(["file", ...args], { cwd: root, env: { HOLDFAST_STATE: stateBeside(root), ...env }, ...options });

const json = async (root: string, args: readonly string[], options?: RunOptions) => {
  const { code, out, err } = await file(root, [...args, "--json"], options);
  return { code, out: out === "" ? undefined : JSON.parse(out), err: err === "" ? undefined : JSON.parse(err) };
};

describe("each action says what it did, or that it could not, by its exit code", () => {
  it.each([
    { args: ["read", "a.txt"], out: "one\n" },
    { args: ["read", "l", "--encoding", "latin1"], out: "é" },
    {
      args: ["read", "none"],
      code: 3,
      err: "holdfast: File 'none' not found; holdfast file list shows the files\n",
    },
    { args: ["read", "d"], code: 2, err: /is a directory/ },
    { args: ["read", "../x"], code: 4, err: /^holdfast: Path traversal detected: '\.\.\/x'/ },
    { args: ["write", "new/b", "--content", "x"], out: /^Wrote .*new\/b: 1 byte\n$/ },
    { args: ["write", "b", "--file", "a.txt"], out: /: 4 bytes\n$/ },
    { args: ["write", "b", "--file", "none"], code: 3, err: /^holdfast: Cannot use the local file 'none': / },
    {
      args: ["write", "b", "--content", "x", "--file", "a.txt"],
      code: 2,
      err: /Cannot write both --content and --file/,
    },
    { args: ["write", "b", "--file", "a.txt", "--encoding", "latin1"], code: 2, err: /it applies to --content only/ },
    { args: ["write", "a.txt", "--content", "x"], code: 5, err: /already exists/ },
    { args: ["write", "a.txt", "--content", "x", "--overwrite"], out: /: 1 byte\n$/ },
    { args: ["write", "a.txt", "--content", "x", "--overwrite", "--read-only"], code: 4, err: /is not allowed here/ },
    { args: ["list"], out: /^4 bytes  .*  a\.txt\n-        -                    d\/\n1 byte   .*  l\n$/ },
    { args: ["list", "d"], out: "[No files]\n" },
    { args: ["list", "none"], code: 3, err: /Directory 'none' not found/ },
    { args: ["list", "a.txt"], code: 2, err: "holdfast: 'a.txt' is a file, not a directory\n" },
    { args: ["delete", "a.txt"], out: "Deleted a.txt; holdfast undo brings it back\n" },
    { args: ["delete", "none"], code: 3, err: /not found/ },
    { args: ["exists", "a.txt"], out: "true\n" },
    { args: ["exists", "none"], code: 3, out: "false\n" },
    { args: ["copy", "a.txt", "b"], out: "Copied a.txt to b\n" },
    { args: ["copy", "a.txt", "l"], code: 5, err: /'l' already exists/ },
    { args: ["move", "a.txt", "a.txt"], out: "Moved a.txt to a.txt\n" },
    { args: ["move", "none", "b"], code: 3, err: /'none' not found/ },
    { args: ["upload", "a.txt", "up/a"], out: "Uploaded a.txt to up/a: 4 bytes\n" },
    { args: ["upload", "none", "up/a"], code: 3, err: /local file 'none'/ },
    { args: ["upload", "d", "up/a"], code: 2, err: /it is a directory/ },
    { args: ["download", "a.txt", "copy"], out: "Downloaded a.txt to copy: 4 bytes\n" },
    { args: ["download", "a.txt", "l"], code: 5, err: /'l': it exists already; --overwrite replaces it/ },
    { args: ["download", "a.txt", "a.txt/x"], code: 2, err: /a file is where a directory should be/ },
    { args: ["get-url", "a.txt"], out: /^file:\/\/\/.*\/a\.txt\n$/ },
    { args: ["get-url", "none"], code: 3, err: /not found/ },
    { args: ["test-connection"], out: "Connection test passed: list, write, read, delete\n" },
    { args: ["test-connection", "--read-only"], code: 4, err: /is not allowed here/ },
    { args: ["test-connection", "--source", "x"], code: 2, err: /Unknown source 'x': none is configured/ },
    { args: ["show-config"], out: /^base       \/.*\nread-only  false\n$/ },
  ])("$args", async ({ args, code = 0, out = "", err = "" }) => {
    const root = scratch({ "a.txt": "one\n", l: Buffer.from("é", "latin1"), d: null });
    const before = readFileSync(join(root, "l"));
    expect(await file(root, args)).toEqual({ code, out: saying(out), err: saying(err) });
    expect(readFileSync(join(root, "l"))).toEqual(before);
    expect(readdirSync(root).filter((name) => /part|probe/.test(name))).toEqual([]);
  });
});

describe("a wrong command line is exit code 2", () => {
  it.each([
    { args: [], says: /^holdfast: Cannot use holdfast file: give read, write, .*test-connection; example: / },
    { args: ["toString"], says: /^holdfast: Cannot use holdfast file: give read/ },
    { args: ["read"], says: /^holdfast: Cannot use holdfast file read: give a path; example: holdfast file read / },
    { args: ["copy", "a"], says: /give a path and a destination; / },
    { args: ["list", "a", "b"], says: /give a directory, or nothing; / },
    { args: ["show-config", "x"], says: /it takes no arguments; / },
    { args: ["read", "a", "--overwrite"], says: /--overwrite does not apply here; / },
    {
      args: ["read", "a", "--root", ".", "--root", ".."],
      says: /give one directory; use --source for others; /,
    },
    { args: ["read", "a", "--root", "none"], says: /^holdfast: Cannot start without a directory/ },
  ])("$args", async ({ args, says }) => {
    expect(await file(scratch(), args)).toEqual({ code: 2, out: "", err: saying(says) });
  });
});

describe("for programs", () => {
  it("puts data in an envelope on standard output, errors on standard error", async () => {
    const root = scratch({ "a.txt": "one\n" });
    expect(await json(root, ["read", "a.txt"])).toEqual({
      code: 0,
      out: { status: "success", data: { path: "a.txt", content: "one\n" } },
    });
    expect(await json(root, ["read", "none"])).toEqual({
      code: 3,
      err: { status: "error", error: { code: "NOT_FOUND", message: "File 'none' not found" } },
    });
    for (const wrong of [
      ["read"],
      ["reed", "a.txt"],
      ["zzz"],
      ["read", "a.txt", "--bogus"],
      ["read", "a.txt", "--content", "x"],
    ])
      expect(await json(root, wrong)).toEqual({
        code: 2,
        err: { status: "error", error: { code: "INVALID_ARGUMENT", message: expect.stringMatching(/^Cannot /) } },
      });
    for (const wrong of [
      ["read"],
      ["read", "a.txt", "--bogus"],
      ["read", "a.txt", "--content"],
      ["read", "--limit", "1"],
    ]) {
      const { code, err } = await file(root, wrong, { env: { HOLDFAST_JSON: "1" } });
      expect([code, JSON.parse(err)]).toMatchObject([2, { status: "error", error: { code: "INVALID_ARGUMENT" } }]);
    }
    expect(await json(root, ["exists", "none"])).toMatchObject({ code: 3, out: { data: { exists: false } } });
    expect(await json(root, ["list", "--pattern", "*.txt"])).toMatchObject({
      out: { data: { files: [{ path: "a.txt", name: "a.txt", size: 4, isDirectory: false }] } },
    });
  });

  it("uploads and downloads bytes with their checksum, also to and from a source", async () => {
    const [root, archive] = [scratch(), scratch()];
    writeFileSync(join(root, "local"), BINARY);
    const checksum = `sha256:${createHash("sha256").update(BINARY).digest("hex")}`;
    const env = { HOLDFAST_SOURCE: `archive=${archive}` };
    expect(await json(root, ["upload", "local", "d/x", "--source", "archive"], { env })).toEqual({
      code: 0,
      out: {
        status: "success",
        data: {
          source: "archive",
          localPath: "local",
          remotePath: "d/x",
          url: `file://${join(archive, "d/x")}`,
          sizeBytes: BINARY.length,
          checksum,
          uploadedAt: expect.stringMatching(/Z$/),
        },
      },
    });
    expect(readFileSync(join(archive, "d/x"))).toEqual(BINARY);
    const back = ["download", "d/x", "local", "--overwrite", "--source", "archive"];
    expect(await json(root, back, { env })).toMatchObject({ code: 0, out: { data: { checksum, source: "archive" } } });
    expect([readFileSync(join(root, "local")), readdirSync(root)]).toEqual([BINARY, ["local"]]);
  });

  it("shows its storages", async () => {
    const root = scratch({ archive: null });
    const sources = ["--source", "in=archive", "--source", "gone=none"];
    const { code, out } = await file(root, ["show-config", "--json", ...sources]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        status: "success",
        data: {
          type: "local",
          basePath: root,
          readOnly: false,
          sources: [
            { name: "in", type: "local", basePath: join(root, "archive"), usable: true },
            { name: "gone", type: "local", basePath: join(root, "none"), usable: false },
          ],
        },
      },
    ]);
  });
});

it("writes what comes in, and gives bytes back as they are", async () => {
  const root = scratch();
  await file(root, ["write", "a"], { input: "né\r\n\0" });
  expect(readFileSync(join(root, "a"))).toEqual(Buffer.from("né\r\n\0"));
  expect(await file(root, ["read", "a"])).toEqual({ code: 0, out: "né\r\n\0", err: "" });
});

it("can be taken back by holdfast undo", async () => {
  const root = scratch({ a: "old" });
  const options = { cwd: root, env: { HOLDFAST_STATE: stateBeside(root) } };
  await file(root, ["write", "a", "--content", "new", "--overwrite"]);
  expect((await run(["undo"], options)).code).toBe(0);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("old");
});

it("does not take a name for a directory elsewhere", async () => {
  const { code, err } = await run(["history", "--source", "archive"], { cwd: scratch() });
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('Cannot use --source "archive": give a name and a directory'),
  ]);
});
