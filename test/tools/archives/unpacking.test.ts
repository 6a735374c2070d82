import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { RuleEntry } from "../../../src/config/rule.ts";
import { makeTar, paxPart } from "../../content/archives/make-tar.ts";
import { makeZip } from "../../content/archives/make-zip.ts";
import { needs } from "../../programs.ts";
import { appOn, callerOf, callerOn, scratch } from "../../runtime/scratch.ts";

const filesBelow = (directory: string): readonly string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8" }).toSorted();

/** Unpacks an archive, and returns what was said and what is there. */
async function unpackedOn(archive: Uint8Array, name = "data.bin") {
  const root = scratch({ [name]: Buffer.from(archive) });
  const { code, text } = await callerOn(root, { profile: "coding" })("extract", { archive: name, into: "out" });
  const out = join(root, "out");
  return { code, text, files: existsSync(out) ? filesBelow(out) : null, beside: readdirSync(root) };
}

const blocked = (rule: RuleEntry, root: string) =>
  callerOf(
    appOn(root, {
      profile: "coding",
      ruleSource: { layers: [{ name: "user", rules: [{ ...rule, origin: "test" }] }] },
    }),
  );

const run = (root: string, program: string, args: readonly string[]) =>
  execFileSync(program, [...args], { cwd: root, env: { ...process.env, LC_ALL: "C.UTF-8", TZ: "Asia/Tokyo" } });

describe("a hostile archive", () => {
  it.each([
    ["../up", "zip"],
    ["a/../../up", "zip"],
    ["a/../b", "tar"],
    ["/etc/x", "tar"],
    ["C:\\x", "zip"],
    ["..\\up", "zip"],
    ["a\\..\\..\\up", "tar"],
    ["c:evil", "zip"],
    ["nul\0.txt", "zip"],
    ["n".repeat(300), "zip"],
  ])("places nothing for the name %j in a %s", async (name, format) => {
    const entries = [
      { name, content: "evil" },
      { name: "good", content: "x" },
    ];
    const unpacked = await unpackedOn(format === "zip" ? makeZip(entries) : makeTar(entries));
    expect(unpacked).toMatchObject({ code: "ok", files: ["good"], beside: ["data.bin", "out"] });
    expect(unpacked.text).toContain("Note: skipped");
  });

  it.each([
    [
      "tar",
      makeTar([
        { name: "l", type: "2", link: ".." },
        { name: "l/x", content: "evil" },
      ]),
      ["l", "l/x"],
    ],
    [
      "zip",
      makeZip([
        { name: "l", content: "..", mode: 0o120777 },
        { name: "l/x", content: "evil" },
      ]),
      ["l", "l/x"],
    ],
    ["tar", makeTar([{ name: "h", type: "1", link: "../../etc/passwd" }, { name: "ok" }]), ["ok"]],
    [
      "tar",
      makeTar([
        { name: "f", type: "6" },
        { name: "d", type: "3" },
        { name: "b", type: "4" },
      ]),
      [],
    ],
  ] as const)("a link, a hard link, a device in a %s leads nowhere", async (_, archive, files) => {
    expect(await unpackedOn(archive)).toMatchObject({ code: "ok", files, beside: ["data.bin", "out"] });
  });

  it("keeps no setuid, setgid or sticky bit, and gives nobody else the right to write", async () => {
    const root = scratch({
      "a.tar": makeTar([
        { name: "s", mode: 0o7777 },
        { name: "d/", type: "5", mode: 0o7777 },
      ]),
    });
    await callerOn(root, { profile: "coding" })("extract", { archive: "a.tar", into: "out" });
    expect(["s", "d"].map((name) => (statSync(join(root, "out", name)).mode & 0o7777).toString(8))).toEqual([
      "755",
      "755",
    ]);
  });

  it.each([
    [
      "names that differ in case",
      makeZip([{ name: "A", content: "1" }, { name: "a", content: "2" }, { name: "b" }]),
      ["b"],
    ],
    ["names that differ in accents", makeZip([{ name: "\u00e9" }, { name: "e\u0301" }, { name: "b" }]), ["b"]],
    [
      "names that a zip has twice",
      makeZip([{ name: "a", content: "1" }, { name: "a", content: "2" }, { name: "b" }]),
      ["b"],
    ],
    ["an encrypted entry", makeZip([{ name: "a", flags: 0x801 }, { name: "b" }]), ["b"]],
    ["a sparse file", makeTar([paxPart({ "GNU.sparse.major": "1" }), { name: "a" }, { name: "b" }]), ["b"]],
  ])("is unpacked without %s", async (_, archive, files) => {
    expect(await unpackedOn(archive)).toMatchObject({ code: "ok", files });
  });

  const shared = { name: "a", content: "x".repeat(5000), method: 0 };
  it.each([
    ["entries that overlap", makeZip([shared, { ...shared, name: "b", offset: 0 }]), "io"],
    ["a wrong checksum", makeZip([{ name: "a", content: "abc", crc: 7 }]), "io"],
    ["a wrong size", makeZip([{ name: "a", content: "abc", size: 9 }]), "io"],
    ["a cut tar", makeTar([{ name: "a", content: "x".repeat(3000) }]).subarray(0, 1500), "io"],
    ["a cut gzip", gzipSync(makeTar([{ name: "a", content: "x".repeat(3000) }])).subarray(0, 60), "io"],
    [
      "a thousand times its size",
      gzipSync(makeTar([{ name: "a", content: Buffer.alloc(80 * 1024 ** 2) }])),
      "too_large",
    ],
    ["bzip2", Buffer.from("BZh91AY&SY"), "not_text"],
    ["xz", Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4]), "not_text"],
  ])("leaves nothing because of %s", async (_, archive, code) => {
    expect(await unpackedOn(archive)).toMatchObject({ code, files: null, beside: ["data.bin"] });
  });

  it("is unpacked only one level deep", async () => {
    const inner = makeZip([{ name: "x", content: "deep" }]);
    expect((await unpackedOn(makeZip([{ name: "inner.zip", content: inner }]))).files).toEqual(["inner.zip"]);
  });
});

describe("rules", () => {
  it.each(["out", "."])("judge a hook of git where it would lie, into %s", async (into) => {
    const root = scratch({ "a.zip": makeZip([{ name: ".git/hooks/pre-commit", content: "evil" }, { name: "b" }]) });
    const result = await callerOn(root, { profile: "coding" })("extract", { archive: "a.zip", into });
    expect(result.isError).toBe(true);
    expect(readdirSync(root)).toEqual(["a.zip"]);
  });

  it("limit the size of each file", async () => {
    const archive = makeZip([{ name: "d/large", content: "x".repeat(5000) }, { name: "d/small" }]);
    const root = scratch({ "a.zip": archive, "out/d/mine": "" });
    const caller = blocked({ act: "create", path: "**", when: { content_size_gte: 4000 }, decide: "blocked" }, root);
    expect((await caller("extract", { archive: "a.zip", into: "out" })).code).toBe("denied");
    expect((await caller("extract", { archive: "a.zip", into: "out", members: ["d/small"] })).code).toBe("ok");
  });

  it("keep secrets redacted once they are unpacked", async () => {
    const root = scratch({ "a.zip": makeZip([{ name: ".env", content: "DB_PASSWORD=hunter2-and-more-of-it\n" }]) });
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("extract", { archive: "a.zip", into: "out" })).code).toBe("ok");
    expect((await caller("read", { path: "out/.env" })).text).not.toContain("hunter2");
    expect((await caller("read", { path: "a.zip!/.env" })).text).not.toContain("hunter2");
  });
});

describe("a large archive", () => {
  it("is unpacked in one pass, also where names repeat, and undone as a whole", async () => {
    const parts = Array.from({ length: 40 }, (_, nth) => ({
      name: `d${nth % 3}/${nth}`,
      content: Buffer.alloc(1024 ** 2, nth),
    }));
    const twin = { name: "twin", type: "1", link: "d0/0" };
    const root = scratch({ "a.tgz": gzipSync(makeTar([...parts, twin]), { level: 1 }), "out/d1/mine": "mine" });
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("extract", { archive: "a.tgz", into: "out" })).code).toBe("ok");
    for (const { name, content } of [...parts, { name: "twin", content: Buffer.alloc(1024 ** 2) }])
      expect(readFileSync(join(root, "out", name)).equals(content)).toBe(true);
    expect((await caller("undo", {})).code).toBe("ok");
    expect(filesBelow(join(root, "out"))).toEqual(["d1", "d1/mine"]);
  });

  it("leaves nothing when the call is cancelled in the middle", async () => {
    const root = scratch({
      "a.tgz": gzipSync(makeTar([{ name: "a", content: Buffer.alloc(48 * 1024 ** 2, "ab") }]), { level: 0 }),
    });
    const { session } = appOn(root, { profile: "coding" });
    const stop = new AbortController();
    const { call } = await import("../../../src/runtime/pipeline/call.ts");
    let steps = 0;
    const progress = (): void => void (++steps === 3 && stop.abort());
    const input = { archive: "a.tgz", into: "out" };
    const { code } = await call(session, { tool: "extract", input, signal: stop.signal, progress });
    expect({ code, left: readdirSync(root) }).toEqual({ code: "cancelled", left: ["a.tgz"] });
  });
});

describe("other programs", () => {
  const TIME = new Date(Date.UTC(2021, 4, 6, 7, 8, 10));
  const NAMES = ["empty", "sub", "sub/näme 日本.txt", "sub/run.sh", "z.bin"];
  function laidOut(): string {
    const root = scratch();
    mkdirSync(join(root, "src/empty"), { recursive: true });
    mkdirSync(join(root, "src/sub"));
    writeFileSync(join(root, "src/sub/näme 日本.txt"), "ünïcode\n");
    writeFileSync(join(root, "src/sub/run.sh"), "#!/bin/sh\n".repeat(200_000), { mode: 0o750 });
    writeFileSync(join(root, "src/z.bin"), Buffer.alloc(3 * 1024 ** 2, 7), { mode: 0o600 });
    for (const name of NAMES.toReversed()) utimesSync(join(root, "src", name), TIME, TIME);
    return root;
  }
  const described = (root: string) =>
    NAMES.map((name) => {
      const { mode, mtimeMs, size } = statSync(join(root, name));
      return [name, (mode & 0o777).toString(8), mtimeMs, size > 4096 ? readFileSync(join(root, name)).length : 0];
    });

  it.each([
    ["zip", "zip", ["-qr", "../a.zip", "."]],
    ["tar", "tar", ["-cf", "../a.tar", "."]],
    ["tar.gz", "tar", ["-czf", "../a.tar.gz", "."]],
    ["tar.zst", "tar", ["--zstd", "-cf", "../a.tar.zst", "."]],
    ["tar", "tar", ["--format=gnu", "-cf", "../a.tar", "."]],
    ["tar", "tar", ["--format=pax", "-cf", "../a.tar", "."]],
    ["tar", "bsdtar", ["-cf", "../a.tar", "."]],
    ["zip", "bsdtar", ["--format=zip", "-cf", "../a.zip", "."]],
  ] as const)("make a %s by %s that is unpacked with all it holds", async (format, program, args) => {
    needs(program);
    if (format === "tar.zst") needs("zstd");
    const root = laidOut();
    run(join(root, "src"), program, args);
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("extract", { archive: `a.${format}`, into: "out" })).code).toBe("ok");
    expect(described(join(root, "out"))).toEqual(described(join(root, "src")));
  });

  it.each([
    ["zip", "unzip", ["-q", "a.zip", "-d", "out"]],
    ["tar", "tar", ["-xpf", "a.tar", "-C", "out"]],
    ["tar.gz", "tar", ["-xpzf", "a.tar.gz", "-C", "out"]],
    ["zip", "bsdtar", ["-xpf", "a.zip", "-C", "out"]],
    ["tar.gz", "bsdtar", ["-xpf", "a.tar.gz", "-C", "out"]],
    [
      "zip",
      "python3",
      ["-c", "import zipfile\nz=zipfile.ZipFile('a.zip')\nassert z.testzip() is None\nz.extractall('out')"],
    ],
  ] as const)("unpack a %s of ours: %s", async (format, program, args) => {
    needs(program);
    const root = laidOut();
    const caller = callerOn(root, { profile: "coding" });
    expect((await caller("compress", { paths: ["src"], to: `a.${format}` })).code).toBe("ok");
    mkdirSync(join(root, "out"), { recursive: true });
    run(root, program, args);
    const names = (from: string) => filesBelow(join(root, from));
    expect(names("out/src")).toEqual(names("src"));
    // Python's module keeps neither permissions nor times.
    const isCompared = program !== "python3";
    expect(isCompared && described(join(root, "out/src"))).toEqual(isCompared && described(join(root, "src")));
  });
});
