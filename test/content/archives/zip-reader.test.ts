import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needs } from "../../programs.ts";
import { scratch } from "../../runtime/scratch.ts";
import { makeZip } from "./make-zip.ts";
import { unpackedFrom } from "./unpacked.ts";

const damaged = (state: string): string => `io: Cannot read the archive: ${state}`;

/** Is too large to be unpacked in one step, and does not shrink beyond belief. */
const LARGE = Array.from({ length: 20_000 }, (_, nth) => `line ${nth}\n`).join("");

/** Declares the only entry of a zip as deflated. */
function asDeflated(zip: Buffer): Buffer {
  zip.writeUInt16LE(8, 8);
  zip.writeUInt16LE(8, zip.readUInt32LE(zip.length - 6) + 10);
  return zip;
}

describe("a zip", () => {
  it.each([
    { name: "without entries", zip: makeZip([]), gives: {} },
    {
      name: "stored and deflated, with directories and modes",
      zip: makeZip([
        { name: "d/", mode: 0o40750 },
        { name: "d/a.txt", content: "one", mode: 0o100600 },
        { name: "./d//b.txt", content: "two", method: 0, mode: 0o104755 },
      ]),
      gives: { d: "directory 750", "d/a.txt": "file 600 one", "d/b.txt": "file 755 two" },
    },
    {
      name: "with 64-bit fields",
      zip: makeZip([{ name: "a", content: "wide", isWide: true }], { isWide: true }),
      gives: { a: "file 644 wide" },
    },
    {
      name: "with a comment that looks like its end",
      zip: makeZip([{ name: "a", content: "x" }], { comment: `PK\x05\x06${"\0".repeat(40)}` }),
      gives: { a: "file 644 x" },
    },
    {
      name: "behind a program that unpacks it",
      zip: Buffer.concat([Buffer.from("#!/bin/sh\nexit\n"), makeZip([{ name: "a", content: "x" }])]),
      gives: { a: "file 644 x" },
    },
    {
      name: "with 64-bit fields behind a program",
      zip: Buffer.concat([Buffer.from("MZ"), makeZip([{ name: "a", content: "x", isWide: true }], { isWide: true })]),
      gives: { a: "file 644 x" },
    },
    {
      name: "with bytes behind its end",
      zip: Buffer.concat([makeZip([{ name: "a", content: "x" }]), Buffer.alloc(100, "junk")]),
      gives: { a: "file 644 x" },
    },
    {
      name: "with links and devices",
      zip: makeZip([
        { name: "link", content: "../../etc/passwd", mode: 0o120777 },
        { name: "fifo", mode: 0o10644 },
      ]),
      gives: { link: "symlink 777 ../../etc/passwd", fifo: "other 644" },
    },
    {
      name: "with an encrypted entry",
      zip: makeZip([{ name: "a", flags: 0x801 }]),
      gives: { a: "file 644 it is encrypted" },
    },
    {
      name: "with an unknown method",
      zip: makeZip([{ name: "a", method: 14 }]),
      gives: { a: "file 644 it is compressed by method 14, which is not supported" },
    },
  ])("$name", async ({ zip, gives }) => {
    expect(await unpackedFrom(zip)).toEqual(gives);
  });

  it.each([
    { name: "../up", problem: 'its name contains ".."' },
    { name: "a/../../up", problem: 'its name contains ".."' },
    { name: "/etc/passwd", problem: "its name is an absolute path" },
    { name: "C:/boot.ini", problem: "its name begins with a drive letter" },
    { name: "c:x", problem: "its name begins with a drive letter" },
    { name: "a\\..\\b", problem: "its name contains a backslash" },
    { name: "a\0.txt", problem: "its name contains control characters" },
    { name: "a\nb", problem: "its name contains control characters" },
    { name: "x/".repeat(65) + "y", problem: "its name has too many directories" },
    { name: "n".repeat(256), problem: "its name is too long" },
    { name: "n/".repeat(1100), problem: "its name is too long" },
  ])("refuses the name $name", async ({ name, problem }) => {
    const shown = name.slice(0, 128);
    expect(await unpackedFrom(makeZip([{ name }]))).toEqual({ [`!${shown}`]: problem });
  });

  it("refuses a name that is not UTF-8, and one without a name", async () => {
    expect(await unpackedFrom(makeZip([{ name: Buffer.from([0x61, 0xff]) }, { name: "" }]))).toEqual({
      "!a\ufffd": "its name is not UTF-8",
      "!": "it has no name",
    });
  });
});

describe("a zip that lies", () => {
  const honest = makeZip([{ name: "a", content: "hello hello hello" }]);
  it.each([
    { name: "cut off", zip: honest.subarray(0, -1), gives: damaged("it has no end record; it may be cut off") },
    {
      name: "with bytes between its entries and its directory",
      zip: makeZip([{ name: "a" }], { between: Buffer.from("hidden") }),
      gives: { a: `file 644 ${damaged("an entry is not where it should be")}` },
    },
    {
      name: "about where its directory is",
      zip: makeZip([{ name: "a" }], { at: 9999 }),
      gives: damaged("its central directory is not where it should be"),
    },
    {
      name: "about its number of entries",
      zip: makeZip([{ name: "a" }], { count: 9 }),
      gives: damaged("it declares more entries than it can hold"),
    },
    {
      name: "about fewer entries than there are",
      zip: makeZip([{ name: "a" }, { name: "b" }], { count: 1 }),
      gives: damaged("its central directory has another size than declared"),
    },
    {
      name: "with entries that share their bytes",
      zip: makeZip([
        { name: "a", content: "x".repeat(99), method: 0 },
        { name: "a", content: "x".repeat(99), method: 0, offset: 0 },
      ]),
      gives: damaged("its entries overlap"),
    },
    {
      name: "with an entry that reaches into the directory",
      zip: makeZip([{ name: "a", content: "x", method: 0, packedSize: 500, size: 500 }]),
      gives: damaged("its entries overlap"),
    },
    {
      name: "about a larger size",
      zip: makeZip([{ name: "a", content: "abc", size: 4 }]),
      gives: { a: `file 644 ${damaged("an entry is shorter than it declares")}` },
    },
    {
      name: "about a smaller size",
      zip: makeZip([{ name: "a", content: "abc", size: 2 }]),
      gives: { a: `file 644 ${damaged("an entry is longer than it declares")}` },
    },
    {
      name: "about a much smaller size",
      zip: makeZip([{ name: "a", content: LARGE, size: 2 }]),
      gives: { a: `file 644 ${damaged("an entry is longer than it declares")}` },
    },
    {
      name: "about a larger size of a large entry",
      zip: makeZip([{ name: "a", content: LARGE, size: LARGE.length + 1 }]),
      gives: { a: `file 644 ${damaged("an entry is shorter than it declares")}` },
    },
    {
      name: "about a smaller size of a large entry",
      zip: makeZip([{ name: "a", content: LARGE, size: LARGE.length - 1 }]),
      gives: { a: `file 644 ${damaged("an entry is longer than it declares")}` },
    },
    {
      name: "about its checksum",
      zip: makeZip([{ name: "a", content: "abc", crc: 7 }]),
      gives: { a: `file 644 ${damaged("the checksum of an entry is wrong")}` },
    },
    {
      name: "about the checksum of a large entry",
      zip: makeZip([{ name: "a", content: LARGE, crc: 7 }]),
      gives: { a: `file 644 ${damaged("the checksum of an entry is wrong")}` },
    },
    {
      name: "about what is compressed",
      zip: asDeflated(makeZip([{ name: "a", content: "\xff not deflated", method: 0 }])),
      gives: { a: `file 644 ${damaged("its compressed data is damaged")}` },
    },
    {
      name: "about what is compressed in a large entry",
      zip: asDeflated(makeZip([{ name: "a", content: `\xff${LARGE}`, method: 0 }])),
      gives: { a: `file 644 ${damaged("its compressed data is damaged")}` },
    },
    {
      name: "about a name",
      zip: makeZip([{ name: "a.txt", localName: "b.exe" }]),
      gives: { "a.txt": `file 644 ${damaged("an entry has two names or two methods")}` },
    },
    {
      name: "about stored sizes",
      zip: makeZip([{ name: "a", content: "abc", method: 0, size: 9 }]),
      gives: { a: "file 644 its two sizes differ although it is not compressed" },
    },
    {
      name: "about a size of 5 GiB",
      zip: makeZip([{ name: "a", content: "abc", size: 5 * 1024 ** 3, isWide: true }]),
      gives: { a: "file 644 too_large: Cannot unpack it: 5 bytes unpack to 5368709120" },
    },
  ])("$name", async ({ zip, gives }) => {
    expect(await unpackedFrom(zip)).toEqual(gives);
  });

  it("is a bomb", async () => {
    const bomb = makeZip([{ name: "zeros", content: Buffer.alloc(80 * 1024 ** 2) }]);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await unpackedFrom(bomb)).toEqual({
      zeros: expect.stringMatching(/^file 644 too_large: Cannot unpack it: \d+ bytes unpack to 83886080$/),
    });
  });
});

describe("zips of other programs", () => {
  it.each([
    { program: "zip", args: ["-qry", "out.zip", "."] },
    {
      program: "python3",
      args: ["-c", "import zipfile,os\nz=zipfile.ZipFile('out.zip','w',8)\nz.write('a.txt')\nz.write('d/b.txt')"],
    },
  ] as const)("$program", async ({ program, args }) => {
    needs(program);
    const root = scratch();
    mkdirSync(join(root, "d"));
    writeFileSync(join(root, "a.txt"), "first");
    writeFileSync(join(root, "d/b.txt"), "second\n".repeat(5000));
    if (program === "zip") symlinkSync("a.txt", join(root, "link"));
    execFileSync(program, args, { cwd: root });
    expect(await unpackedFrom(readFileSync(join(root, "out.zip")))).toEqual({
      ...(program === "zip" && { d: "directory 755", link: "symlink 777 a.txt" }),
      "a.txt": "file 644 first",
      "d/b.txt": `file 644 ${"second\n".repeat(5000)}`.trimEnd(),
    });
  });
});
