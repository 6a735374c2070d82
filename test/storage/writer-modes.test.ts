import { chmodSync, chownSync, linkSync, lstatSync, readdirSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CONTAINMENTS, openWriter, statsAt } from "./writer-cases.ts";

const isRoot = process.getuid?.() === 0;
const bytes = Buffer.from("new");

describe.each(CONTAINMENTS)("modes, owners and times, %s", (containment) => {
  const open = (tree: readonly string[]) => openWriter(containment, tree);

  const MODES = [0o600, 0o755, 0o444, 0o640, 0o4755, 0o2711, 0o6755, 0o1644];

  it.each(MODES)("keeps mode %o, and the owner where it may", async (mode) => {
    const { writer, at, object } = open(["file", "dir/file"]);
    const owner = isRoot ? { uid: 12_345, gid: 54_321 } : { uid: process.getuid?.(), gid: process.getgid?.() };
    for (const way of ["file", "dir/file"]) {
      if (isRoot) chownSync(at(way), 12_345, 54_321);
      chmodSync(at(way), mode);
    }
    linkSync(at("file"), at("twin"));
    await writer.stage(at("like"), { bytes }, { like: at("file") });
    await writer.stage(at("copy"), { copyOf: at("file") }, {});
    await writer.stage(at("tree"), { copyOf: at("dir") }, {});
    writer.backUp(at("file"), object("copied"));
    writer.move(object("copied"), at("kept"), "new");
    const made = ["like", "copy", "tree/file", "kept"].map((way) => statsAt(at(way)));
    expect(made).toEqual(made.map(() => ({ mode, ...owner })));
  });

  it("gives new objects the default modes", async () => {
    const { writer, at } = open([]);
    const before = process.umask(0o027);
    try {
      await writer.stage(at("file"), { bytes }, {});
      await writer.stage(at("explicit"), { bytes }, { mode: 0o666 });
      writer.makeDirectory(at("dir"));
    } finally {
      process.umask(before);
    }
    expect(["file", "explicit", "dir"].map((way) => statsAt(at(way)).mode)).toEqual([0o640, 0o666, 0o750]);
  });

  it.each([{ mode: 0o600 }, {}])("makes a private file private from the first byte on, %j", async (options) => {
    const { writer, at } = open(["file"]);
    chmodSync(at("file"), 0o600);
    const before = process.umask(0);
    const modes: number[] = [];
    const staging = {
      ...options,
      /** Records the mode once the bytes are there, before anything else is done to them. */
      get like() {
        const isThere = readdirSync(at("")).includes("new");
        if (isThere) modes.push(statsAt(at("new")).mode);
        return "mode" in options ? undefined : at("file");
      },
    };
    await writer.stage(at("new"), { bytes }, staging).finally(() => process.umask(before));
    expect([modes, statsAt(at("new")).mode]).toEqual([[0o600], 0o600]);
  });

  it("keeps modes and owners of directories", async () => {
    const { writer, at } = open(["dir/below/"]);
    if (isRoot) chownSync(at("dir/below"), 12_345, 54_321);
    chmodSync(at("dir/below"), 0o2750);
    chmodSync(at("dir"), 0o500);
    await writer.stage(at("new"), { copyOf: at("dir") }, {});
    expect([statsAt(at("new")), statsAt(at("new/below"))]).toEqual([statsAt(at("dir")), statsAt(at("dir/below"))]);
    for (const way of ["dir", "new"]) chmodSync(at(way), 0o700);
  });

  it("keeps times to the microsecond", async () => {
    const { writer, at } = open(["dir/file", "dir/link => file"]);
    for (const way of ["dir/file", "dir"]) utimesSync(at(way), 1_700_000_000.123456, 1_600_000_000.654321);
    await writer.stage(at("new"), { copyOf: at("dir") }, { keepTimes: true });
    const micros = (way: string) => lstatSync(at(way), { bigint: true }).mtimeNs / 1000n;
    expect(["new", "new/file", "new/link"].map(micros)).toEqual(["dir", "dir/file", "dir/link"].map(micros));
  });
});
