import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { scratch } from "../../runtime/scratch.ts";
import { makeTar, paxPart } from "./make-tar.ts";
import { unpackedFrom } from "./unpacked.ts";

const damaged = (state: string): string => `io: Cannot read the archive: ${state}`;
const LONG = `${"long/".repeat(30)}name.txt`;

describe("a tar", () => {
  it.each([
    {
      name: "with directories, modes and repeated slashes",
      tar: makeTar([
        { name: "./", type: "5" },
        { name: "./d/", type: "5", mode: 0o2750 },
        { name: "d//a.txt", content: "one", mode: 0o4755 },
      ]),
      gives: { d: "directory 750", "d/a.txt": "file 755 one" },
    },
    {
      name: "with a prefix",
      tar: makeTar([{ name: "a", prefix: "p/q", content: "x" }]),
      gives: { "p/q/a": "file 644 x" },
    },
    {
      name: "with long names of GNU",
      tar: makeTar([
        { name: "././@LongLink", type: "L", content: `${LONG}\0` },
        { name: "cut", content: "x" },
      ]),
      gives: { [LONG]: "file 644 x" },
    },
    {
      name: "with records of POSIX",
      tar: makeTar([paxPart({ path: LONG, comment: "a=b" }), { name: "cut", content: "x" }]),
      gives: { [LONG]: "file 644 x" },
    },
    {
      name: "with links and devices",
      tar: makeTar([
        { name: "a", content: "x" },
        { name: "soft", type: "2", link: "/etc/passwd" },
        { name: "hard", type: "1", link: "./a" },
        { name: "evil", type: "1", link: "../../etc/passwd" },
        { name: "fifo", type: "6" },
        { name: "disk", type: "4" },
      ]),
      gives: {
        a: "file 644 x",
        soft: "symlink 644 /etc/passwd",
        hard: "file 644 x",
        evil: "file 644 it is a hard link to something that is not in the archive before it",
        fifo: "other 644",
        disk: "other 644",
      },
    },
    {
      name: "with a sparse file",
      tar: makeTar([paxPart({ "GNU.sparse.major": "1" }), { name: "a", content: "x" }]),
      gives: { a: "file 644 it is a sparse file, which is not supported" },
    },
    {
      name: "with names that lead elsewhere",
      tar: makeTar([{ name: "../up" }, { name: "/etc/x" }, paxPart({ path: "a/../../b" }), { name: "ok" }]),
      gives: {
        "!../up": 'its name contains ".."',
        "!/etc/x": "its name is an absolute path",
        "!a/../../b": 'its name contains ".."',
      },
    },
  ])("$name", async ({ tar, gives }) => {
    expect(await unpackedFrom(tar)).toEqual(gives);
    expect(await unpackedFrom(gzipSync(tar))).toEqual(gives);
  });

  it.each([
    {
      name: "with a damaged header",
      tar: makeTar([{ name: "a" }, { name: "b", isDamaged: true }]),
      gives: damaged("a header in it is damaged"),
    },
    {
      name: "cut off in a file",
      tar: makeTar([{ name: "a", content: "x".repeat(600) }]).subarray(0, 700),
      gives: damaged("it ends in the middle of an entry"),
    },
    {
      name: "about a size",
      tar: makeTar([{ name: "a", content: "x", size: 10 ** 9 }]),
      gives: damaged("it ends in the middle of an entry"),
    },
    {
      name: "with a damaged record",
      tar: makeTar([{ name: "x", type: "x", content: "99 path=a\n" }, { name: "a" }]),
      gives: damaged("a record that describes an entry is damaged"),
    },
    {
      name: "with a name of 2 MiB",
      tar: makeTar([{ name: "x", type: "L", size: 2 ** 21 }]),
      gives: damaged("a name in it is too long"),
    },
  ])("that lies: $name", async ({ tar, gives }) => {
    expect(await unpackedFrom(tar)).toEqual(gives);
  });
});

describe("packed files", () => {
  it.each([
    { name: "notes.txt.gz", bytes: gzipSync("text"), gives: { "notes.txt": "file 644 text" } },
    { name: "notes", bytes: gzipSync("text"), gives: { notes: "file 644 text" } },
    { name: ".gz", bytes: gzipSync(""), gives: { content: "file 644" } },
    {
      name: "cut.gz",
      bytes: gzipSync("text".repeat(1000)).subarray(0, 30),
      gives: damaged("its compressed data is damaged"),
    },
    {
      name: "inner.zip.gz",
      bytes: gzipSync(gzipSync("x")),
      gives: { "inner.zip": expect.stringContaining("file 644 \x1f\x8b") as string },
    },
    { name: "plain.txt", bytes: Buffer.from("hello"), gives: "not an archive" },
    { name: "empty", bytes: Buffer.alloc(0), gives: "not an archive" },
  ])("$name", async ({ name, bytes, gives }) => {
    expect(await unpackedFrom(bytes, name)).toEqual(gives);
  });

  it("refuses a bomb", async () => {
    const bomb = gzipSync(Buffer.alloc(80 * 1024 ** 2));
    expect(await unpackedFrom(bomb)).toMatch(/^too_large: Cannot unpack it: \d+ bytes unpack to \d+$/);
  });
});

describe("tars of other programs", () => {
  it.each([
    { format: "--format=gnu", packs: [] },
    { format: "--format=pax", packs: [] },
    { format: "--format=v7", packs: [] },
    { format: "--format=gnu", packs: ["--gzip"] },
    { format: "--format=gnu", packs: ["--zstd"] },
  ])("tar $format $packs", async ({ format, packs }) => {
    needs("tar");
    if (packs.includes("--zstd")) needs("zstd");
    const root = scratch();
    const long = format.endsWith("v7") ? "short" : "n".repeat(120);
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "d", long), "second\n".repeat(5000));
    writeFileSync(join(root, "d/a"), "first");
    linkSync(join(root, "d/a"), join(root, "d/hard"));
    symlinkSync("a", join(root, "d/soft"));
    execFileSync("tar", ["--sort=name", "-cf", "out", format, ...packs, "d"], { cwd: root });
    expect(await unpackedFrom(readFileSync(join(root, "out")))).toEqual({
      d: "directory 755",
      "d/a": "file 644 first",
      "d/hard": "file 644 first",
      [`d/${long}`]: `file 644 ${"second\n".repeat(5000)}`.trimEnd(),
      "d/soft": "symlink 777 a",
    });
  });
});
