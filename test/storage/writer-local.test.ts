import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { STORE_NAME } from "../../src/base/product.ts";
import type { StorageWriter, ObjectName } from "../../src/storage/writer.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { makeSpecialFile, promptly, SPECIAL } from "../contracts/special-files.ts";
import { storeIdOf } from "../../src/storage/local/state/registered-stores.ts";
import { codeOf } from "../../src/testing/picture.ts";
import { CONTAINMENTS, openWriter, refusal, statsAt } from "./writer-cases.ts";
import { workFromNow } from "../work.ts";

const bytes = Buffer.from("new");

/** Names an object in the store of a root, wherever its state is. */
const inStoreOf = (root: string, name: string) => `${storeIdOf(root)}/objects/${name}` as ObjectName;

/** Waits until the cached directory handles are closed, in the next turn of the event loop. */
async function openAtRest(): Promise<number> {
  await setImmediate();
  await setImmediate();
  return readdirSync("/proc/self/fd").length;
}

describe.each(CONTAINMENTS)("local writer, %s", (containment) => {
  const open = (tree: readonly string[], inner?: readonly string[]) => openWriter(containment, tree, inner);

  describe("names", () => {
    const NAMES = [
      "new\nline",
      'quo"te',
      "it's",
      " space ",
      "-rf",
      "\\",
      "ü",
      "u\u0308",
      "\u202Eabc",
      "*",
      "$HOME",
      "a".repeat(255),
      "é".repeat(127),
    ];

    it.each(NAMES)("takes %j as it is", async (name) => {
      const { root, writer, at, object } = open(["d/"]);
      await writer.stage(at(name), { bytes }, {});
      writer.append(at(name), bytes, 3);
      writer.setMode(at(name), 0o600);
      writer.backUp(at(name), object("a"));
      writer.move(object("a"), at(`d/${name}`), "new");
      await writer.stage(at("copy"), { copyOf: at("d") }, {});
      expect([readdirSync(root).toSorted(), readdirSync(at("copy")), readFileSync(at(name), "utf8")]).toEqual([
        [name, "copy", "d"].toSorted(),
        [name],
        "newnew",
      ]);
      writer.remove(at(name));
      await writer.erase(at("copy"));
      expect(readdirSync(root)).toEqual(["d"]);
    });

    it("says that a name is too long", async () => {
      const { root, writer, at } = open(["file", "dir/"]);
      const long = at("a".repeat(256));
      const codes = [
        await writer.stage(long, { bytes }, {}).catch(codeOf),
        await writer.stage(long, { copyOf: at("dir") }, {}).catch(codeOf),
        refusal(() => writer.move(at("file"), long, "new")),
        refusal(() => writer.makeDirectory(long)),
      ];
      expect(codes).toEqual(codes.map(() => "invalid_input"));
      expect([writer.stat(long), readdirSync(root).toSorted()]).toEqual([null, ["dir", "file"]]);
    });

    it("erases and fingerprints names that are not UTF-8, and refuses to copy them", async () => {
      const { root, writer, at } = open(["dir/file", "dir/\uFFFD/file"]);
      const raw = (name: string) => Buffer.concat([Buffer.from(`${at("dir")}/`), Buffer.from(name, "latin1")]);
      mkdirSync(raw("\xFF"));
      writeFileSync(raw("\xFF/\xFE"), "text");
      symlinkSync(raw("\xFF"), raw("\xFD"));
      const before = writer.fingerprint(at("dir"), Infinity);
      appendFileSync(raw("\xFF/\xFE"), "more");
      expect(writer.fingerprint(at("dir"), Infinity)).not.toBe(before);
      expect(await writer.stage(at("new"), { copyOf: at("dir") }, {}).catch(codeOf)).toBe("invalid_input");
      expect(readdirSync(root)).toEqual(["dir"]);
      await writer.erase(at("dir"));
      expect(readdirSync(root)).toEqual([]);
    });
  });

  it.each(SPECIAL)("never opens a %s, and copies no tree with one", async (kind) => {
    const { root, writer, at, object } = open(["dir/file", "file"]);
    await makeSpecialFile(kind, at("dir"));
    const special = at(`dir/${kind}`);
    const outcomes = await promptly(async () => [
      await writer.stage(at("new"), { copyOf: at("dir") }, {}).catch(codeOf),
      await writer.stage(object("a"), { copyOf: special }, {}).catch(codeOf),
      await writer.stage(at("new"), { bytes }, { like: special }).catch(codeOf),
      refusal(() => writer.backUp(special, object("a"))),
      refusal(() => writer.append(special, bytes, 0)),
      refusal(() => writer.truncate(special, 0)),
      refusal(() => writer.setMode(special, 0o777)),
    ]);
    expect(outcomes).toEqual(Array.from({ length: 7 }, () => "special_file"));
    expect([readdirSync(root).toSorted(), writer.stat(object("a")), writer.snapshot(special)?.facts.kind]).toEqual([
      ["dir", "file"],
      null,
      "other",
    ]);
    writer.move(special, at("moved"), "new");
    await writer.erase(at("moved"));
    expect(readdirSync(at("dir"))).toEqual(["file"]);
  });

  describe("names that share a file", () => {
    it("keeps a copy that a change through another name does not reach", () => {
      const { writer, at, object } = open(["file = old", "../beside/"]);
      linkSync(at("file"), at("../beside/twin"));
      writer.backUp(at("file"), object("a"));
      appendFileSync(at("../beside/twin"), "new");
      expect(String(writer.contentOf(object("a")))).toBe("old");
    });

    it("keeps a file that has one name without copying it", () => {
      const { writer, at, object } = open(["file = old"]);
      writer.backUp(at("file"), object("a"));
      expect(writer.stat(object("a"))?.identity).toBe(writer.stat(at("file"))?.identity);
    });

    it("replaces, and leaves the other name what it was", async () => {
      const { writer, at } = open(["file = old", "../beside/"]);
      linkSync(at("file"), at("../beside/twin"));
      await writer.stage(at("new"), { bytes }, { like: at("file") });
      writer.move(at("new"), at("file"), "over");
      expect([readFileSync(at("file"), "utf8"), readFileSync(at("../beside/twin"), "utf8")]).toEqual(["new", "old"]);
    });
  });

  describe("the store", () => {
    it("is beside our state when that is on the same disk", () => {
      const { root, writer, at, object } = open(["file"]);
      writer.backUp(at("file"), object("a"));
      expect([object("a"), readdirSync(root), statsAt(join(root, "../state", STORE_NAME)).mode]).toEqual([
        "state/objects/a",
        ["file"],
        0o700,
      ]);
    });

    it("is closed to others in a root, and ignored by git", async () => {
      const { root, writer, at } = open(["file"]);
      await writer.stage(inStoreOf(root, "a"), { copyOf: at("file") }, {});
      const modes = [STORE_NAME, `${STORE_NAME}/objects`].map((way) => statsAt(at(way)).mode);
      expect([modes, readFileSync(at(`${STORE_NAME}/.gitignore`), "utf8")]).toEqual([[0o700, 0o700], "*\n"]);
    });

    it("is closed to others also when it came with the root", () => {
      const { root, writer, at } = open(["file", `${STORE_NAME}/objects/`]);
      writer.backUp(at("file"), inStoreOf(root, "a"));
      const modes = [STORE_NAME, `${STORE_NAME}/objects`].map((way) => statsAt(at(way)).mode);
      expect(modes).toEqual([0o700, 0o700]);
    });

    it.each([
      { name: "a link to the outside", tree: [`${STORE_NAME} => ../outside`] },
      { name: "a link to the inside", tree: [`${STORE_NAME} => dir`] },
      { name: "a link to nothing", tree: [`${STORE_NAME} => ../nope`] },
      { name: "a file", tree: [STORE_NAME] },
      { name: "a link in it", tree: [`${STORE_NAME}/objects => ../../outside`] },
    ])("is not used when it is $name", async ({ tree }) => {
      const { root, writer, at } = open([...tree, "file", "dir/", "../outside/"]);
      const codes = [
        await writer.stage(inStoreOf(root, "a"), { bytes }, {}).catch(codeOf),
        refusal(() => writer.backUp(at("file"), inStoreOf(root, "a"))),
        refusal(() => writer.move(at("file"), inStoreOf(root, "a"), "new")),
        refusal(() => writer.contentOf(inStoreOf(root, "a"))),
      ];
      expect(codes).toEqual(codes.map(() => "swapped"));
      expect([readdirSync(join(root, "../outside")), readdirSync(at("dir"))]).toEqual([[], []]);
      expect(readdirSync(dirname(root)).toSorted()).toEqual(["ROOT", "outside"]);
    });

    it("gives no content of what a link in it leads to", async () => {
      const { writer, at, object } = open(["out => ../outside/secret", "../outside/secret"]);
      writer.move(at("out"), object("a"), "new");
      expect(writer.contentOf(object("a"))).toBe(null);
    });

    it("is made again when somebody removed it", () => {
      const { root, writer, at, object } = open(["file"]);
      writer.backUp(at("file"), object("a"));
      rmSync(join(root, "../state"), { recursive: true });
      expect(writer.contentOf(object("a"))).toBe(null);
      writer.backUp(at("file"), object("a"));
      expect(String(writer.contentOf(object("a")))).toBe("file");
    });
  });

  it("touches no root, also not one inside another", async () => {
    const { root, writer, at } = open(["inner/file"], ["inner"]);
    const inner = at("inner");
    const codes = [
      refusal(() => writer.move(inner, at("new"), "new")),
      refusal(() => writer.remove(inner)),
      refusal(() => writer.setMode(inner, 0o700)),
      await writer.erase(inner).catch(codeOf),
      await writer.stage(inner, { bytes }, {}).catch(codeOf),
    ];
    expect(codes).toEqual(codes.map(() => "outside_workspace"));
    writer.move(at("inner/file"), at("file"), "new");
    expect(readdirSync(root).toSorted()).toEqual(["file", "inner"]);
  });

  it("touches no root inside another, also where its parent directory is open", () => {
    const { root, writer, at } = open(["file", "inner/file"], ["inner"]);
    const codes = [
      () => writer.stat(at("inner")),
      () => writer.move(at("inner"), at("new"), "new"),
      () => writer.move(at("file"), at("inner"), "over"),
      () => writer.setMode(at("inner"), 0o700),
    ].map((act) => [writer.stat(at("file"))?.kind, refusal(act)]);
    expect(codes).toEqual(codes.map(() => ["file", "outside_workspace"]));
    expect(readdirSync(root).toSorted()).toEqual(["file", "inner"]);
  });

  it("says that a root is gone, and makes nothing where it was", async () => {
    const { root, writer, at, object } = open(["file"]);
    const kept = object("a");
    renameSync(root, `${root}.away`);
    mkdirSync(join(root, "../evil"));
    symlinkSync("evil", root);
    const codes = [
      await writer.stage(at("new"), { bytes }, {}).catch(codeOf),
      refusal(() => writer.stat(at("file"))),
      refusal(() => writer.move(at("file"), kept, "new")),
      refusal(() => writer.remove(at("file"))),
    ];
    expect(codes).toEqual(codes.map(() => "root_gone"));
    expect(readdirSync(join(root, "../evil"))).toEqual([]);
  });

  it("lets others run while it erases a large tree", async () => {
    const { root, writer, at } = open(["dir/"]);
    for (let index = 0; index < 5_000; index++) writeFileSync(at(`dir/${index}`), "");
    await expectTurns(() => writer.erase(at("dir")));
    expect(readdirSync(root)).toEqual([]);
  });

  it("copies and erases a deep tree", async () => {
    const { root, writer, at } = open(["dir/file"]);
    const deep = containment === "handle" ? 900 : 300;
    for (let index = 0; index < deep; index++) {
      writer.makeDirectory(at("new"));
      writer.move(at("dir"), at("new/d"), "new");
      writer.move(at("new"), at("dir"), "new");
    }
    await writer.stage(at("copy"), { copyOf: at("dir") }, {});
    writer.fingerprint(at("copy"), Infinity);
    for (const way of ["dir", "copy"]) await writer.erase(at(way));
    expect(readdirSync(root)).toEqual([]);
  });

  it("names the side of a move or copy that is at fault", async () => {
    const { writer, at } = open(["file", "other"]);
    const said = [
      await writer.stage(at("other"), { copyOf: at("file") }, {}).catch(messageOf),
      await writer.stage(at("new"), { copyOf: at("nope") }, {}).catch(messageOf),
      saying(() => writer.move(at("nope"), at("new"), "new")),
      saying(() => writer.move(at("file"), at("other"), "new")),
    ];
    expect(said).toEqual([
      expect.stringContaining("other"),
      expect.stringContaining("nope"),
      expect.stringContaining("nope"),
      expect.stringContaining("other"),
    ]);
  });

  it("leaves no descriptor open", async () => {
    const { writer, at, object } = open(["dir/file", "link => dir", "out => ..", "file"]);
    await makeSpecialFile("fifo", at("dir"));
    const all = async () => {
      for (const way of [
        "file",
        "dir",
        "dir/file",
        "dir/fifo",
        "link",
        "link/file",
        "out/x",
        "nope",
        "nope/x",
        "..",
        "",
      ]) {
        for (const [act, undo] of usesOf(writer, at(way), at("new"), object("a"))) {
          await Promise.resolve().then(act).catch(codeOf);
          await Promise.resolve().then(undo).catch(codeOf);
        }
      }
    };
    await all();
    const before = await openAtRest();
    for (let round = 0; round < 10; round++) await all();
    expect(await openAtRest()).toBe(before);
  });

  it("keeps few directories open, however many it looks at and acts in", async () => {
    const names = Array.from({ length: 3 * LIMITS.cachedDirHandles }, (_, nth) => `d${nth}`);
    const { writer, at } = open(names.map((name) => `${name}/file`));
    writer.stat(at("d0/file"));
    const before = await openAtRest();
    const now = () => readdirSync("/proc/self/fd").length - before;
    const most = names.map((name, nth) => {
      const next = names[(nth + 1) % names.length];
      writer.move(at(`${name}/file`), at(`${next}/moved`), "new");
      return now();
    });
    expect(names.map((name) => writer.stat(at(`${name}/moved`))?.kind)).toEqual(names.map(() => "file"));
    const compared = names.map((name) => (writer.isSameDisk(at("d0/x"), at(`${name}/x`)), now()));
    expect(Math.max(...most, ...compared)).toBeLessThanOrEqual(LIMITS.cachedDirHandles + OTHER_DESCRIPTORS);
    expect(await openAtRest()).toBeLessThanOrEqual(before + OTHER_DESCRIPTORS);
  });
});

/** The descriptors that the jail keeps open to tell mounts apart, and those of a second place that is in use. */
const OTHER_DESCRIPTORS = 8;

function usesOf(
  writer: StorageWriter,
  path: SafePath,
  other: SafePath,
  object: ObjectName,
): readonly (() => unknown)[][] {
  const clean = async () => {
    await writer.erase(other);
    await writer.erase(object);
  };
  return [
    [() => writer.snapshot(path), clean],
    [() => writer.fingerprint(path, Infinity), clean],
    [() => writer.isEmpty(path), clean],
    [() => writer.stage(other, { copyOf: path }, {}), clean],
    [() => writer.stage(object, { copyOf: path }, { like: path }), clean],
    [() => writer.move(path, other, "new"), () => writer.move(other, path, "new")],
    [() => writer.move(path, object, "new"), () => writer.move(object, path, "over")],
    [() => writer.backUp(path, object), clean],
    [() => writer.setMode(path, 0o755), clean],
    [() => writer.append(path, bytes, 0), clean],
  ];
}

const messageOf = (error: unknown): string => (error as Error).message;

const saying = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return messageOf(error);
  }
};

/** Requires that on average nobody waits for a turn longer than a tenth of a second of work. */
async function expectTurns(act: () => Promise<void>): Promise<void> {
  const spent = workFromNow();
  let turns = 0;
  const counter = setInterval(() => turns++);
  await act();
  clearInterval(counter);
  expect(turns).toBeGreaterThan(spent() / 100);
}
