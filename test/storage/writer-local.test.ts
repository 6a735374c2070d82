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
import { STORE_NAME } from "../../src/base/product.ts";
import type { Hands, ObjectName } from "../../src/storage/writer.ts";
import type { SafePath } from "../../src/storage/storage.ts";
import { plantSpecial, promptly, SPECIAL } from "../contracts/special-files.ts";
import { codeOf } from "../contracts/storage.ts";
import { CONTAINMENTS, openHands, refusal, statsAt } from "./writer-cases.ts";
import { workFromNow } from "../work.ts";

const bytes = Buffer.from("new");

/** An object in the store of the first root, wherever its state is. */
const inRoot = (name: string) => `0/objects/${name}` as ObjectName;

/** Directories are let go once the event loop has come round. */
async function openAtRest(): Promise<number> {
  await setImmediate();
  await setImmediate();
  return readdirSync("/proc/self/fd").length;
}

describe.each(CONTAINMENTS)("local hands, %s", (containment) => {
  const open = (tree: readonly string[], inner?: readonly string[]) => openHands(containment, tree, inner);

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
      const { root, hands, at, object } = open(["d/"]);
      await hands.stage(at(name), { bytes }, {});
      hands.append(at(name), bytes, 3);
      hands.setMode(at(name), 0o600);
      hands.keep(at(name), object("a"));
      hands.move(object("a"), at(`d/${name}`), "new");
      await hands.stage(at("copy"), { copyOf: at("d") }, {});
      expect([readdirSync(root).toSorted(), readdirSync(at("copy")), readFileSync(at(name), "utf8")]).toEqual([
        [name, "copy", "d"].toSorted(),
        [name],
        "newnew",
      ]);
      hands.remove(at(name));
      await hands.erase(at("copy"));
      expect(readdirSync(root)).toEqual(["d"]);
    });

    it("says that a name is too long", async () => {
      const { root, hands, at } = open(["file", "dir/"]);
      const long = at("a".repeat(256));
      const codes = [
        await hands.stage(long, { bytes }, {}).catch(codeOf),
        await hands.stage(long, { copyOf: at("dir") }, {}).catch(codeOf),
        refusal(() => hands.move(at("file"), long, "new")),
        refusal(() => hands.makeDirectory(long)),
      ];
      expect(codes).toEqual(codes.map(() => "invalid_input"));
      expect([hands.look(long), readdirSync(root).toSorted()]).toEqual([null, ["dir", "file"]]);
    });

    it("erases and fingerprints names that are not UTF-8, and refuses to copy them", async () => {
      const { root, hands, at } = open(["dir/file", "dir/\uFFFD/file"]);
      const raw = (name: string) => Buffer.concat([Buffer.from(`${at("dir")}/`), Buffer.from(name, "latin1")]);
      mkdirSync(raw("\xFF"));
      writeFileSync(raw("\xFF/\xFE"), "text");
      symlinkSync(raw("\xFF"), raw("\xFD"));
      const before = hands.fingerprint(at("dir"), Infinity);
      appendFileSync(raw("\xFF/\xFE"), "more");
      expect(hands.fingerprint(at("dir"), Infinity)).not.toBe(before);
      expect(await hands.stage(at("new"), { copyOf: at("dir") }, {}).catch(codeOf)).toBe("invalid_input");
      expect(readdirSync(root)).toEqual(["dir"]);
      await hands.erase(at("dir"));
      expect(readdirSync(root)).toEqual([]);
    });
  });

  it.each(SPECIAL)("never opens a %s, and copies no tree with one", async (kind) => {
    const { root, hands, at, object } = open(["dir/file", "file"]);
    await plantSpecial(kind, at("dir"));
    const special = at(`dir/${kind}`);
    const outcomes = await promptly(async () => [
      await hands.stage(at("new"), { copyOf: at("dir") }, {}).catch(codeOf),
      await hands.stage(object("a"), { copyOf: special }, {}).catch(codeOf),
      await hands.stage(at("new"), { bytes }, { like: special }).catch(codeOf),
      refusal(() => hands.keep(special, object("a"))),
      refusal(() => hands.append(special, bytes, 0)),
      refusal(() => hands.cut(special, 0)),
      refusal(() => hands.setMode(special, 0o777)),
    ]);
    expect(outcomes).toEqual(Array.from({ length: 7 }, () => "special_file"));
    expect([readdirSync(root).toSorted(), hands.look(object("a")), hands.see(special)?.facts.kind]).toEqual([
      ["dir", "file"],
      null,
      "other",
    ]);
    hands.move(special, at("moved"), "new");
    await hands.erase(at("moved"));
    expect(readdirSync(at("dir"))).toEqual(["file"]);
  });

  describe("names that share a file", () => {
    it("keeps a copy that a change through another name does not reach", () => {
      const { hands, at, object } = open(["file = old", "../beside/"]);
      linkSync(at("file"), at("../beside/twin"));
      hands.keep(at("file"), object("a"));
      appendFileSync(at("../beside/twin"), "new");
      expect(String(hands.contentOf(object("a")))).toBe("old");
    });

    it("keeps a file that has one name without copying it", () => {
      const { hands, at, object } = open(["file = old"]);
      hands.keep(at("file"), object("a"));
      expect(hands.look(object("a"))?.identity).toBe(hands.look(at("file"))?.identity);
    });

    it("replaces, and leaves the other name what it was", async () => {
      const { hands, at } = open(["file = old", "../beside/"]);
      linkSync(at("file"), at("../beside/twin"));
      await hands.stage(at("new"), { bytes }, { like: at("file") });
      hands.move(at("new"), at("file"), "over");
      expect([readFileSync(at("file"), "utf8"), readFileSync(at("../beside/twin"), "utf8")]).toEqual(["new", "old"]);
    });
  });

  describe("the store", () => {
    it("is beside our state when that is on the same disk", () => {
      const { root, hands, at, object } = open(["file"]);
      hands.keep(at("file"), object("a"));
      expect([object("a"), readdirSync(root), statsAt(join(root, "../state", STORE_NAME)).mode]).toEqual([
        "state/objects/a",
        ["file"],
        0o700,
      ]);
    });

    it("is closed to others in a root, and passed over by git", async () => {
      const { hands, at } = open(["file"]);
      await hands.stage(inRoot("a"), { copyOf: at("file") }, {});
      const modes = [STORE_NAME, `${STORE_NAME}/objects`].map((way) => statsAt(at(way)).mode);
      expect([modes, readFileSync(at(`${STORE_NAME}/.gitignore`), "utf8")]).toEqual([[0o700, 0o700], "*\n"]);
    });

    it("is closed to others also when it came with the root", () => {
      const { hands, at } = open(["file", `${STORE_NAME}/objects/`]);
      hands.keep(at("file"), inRoot("a"));
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
      const { root, hands, at } = open([...tree, "file", "dir/", "../outside/"]);
      const codes = [
        await hands.stage(inRoot("a"), { bytes }, {}).catch(codeOf),
        refusal(() => hands.keep(at("file"), inRoot("a"))),
        refusal(() => hands.move(at("file"), inRoot("a"), "new")),
        refusal(() => hands.contentOf(inRoot("a"))),
      ];
      expect(codes).toEqual(codes.map(() => "swapped"));
      expect([readdirSync(join(root, "../outside")), readdirSync(at("dir"))]).toEqual([[], []]);
      expect(readdirSync(dirname(root)).toSorted()).toEqual(["ROOT", "outside"]);
    });

    it("gives no content of what a link in it leads to", async () => {
      const { hands, at, object } = open(["out => ../outside/secret", "../outside/secret"]);
      hands.move(at("out"), object("a"), "new");
      expect(hands.contentOf(object("a"))).toBe(null);
    });

    it("is made again when somebody removed it", () => {
      const { root, hands, at, object } = open(["file"]);
      hands.keep(at("file"), object("a"));
      rmSync(join(root, "../state"), { recursive: true });
      expect(hands.contentOf(object("a"))).toBe(null);
      hands.keep(at("file"), object("a"));
      expect(String(hands.contentOf(object("a")))).toBe("file");
    });
  });

  it("touches no root, also not one inside another", async () => {
    const { root, hands, at } = open(["inner/file"], ["inner"]);
    const inner = at("inner");
    const codes = [
      refusal(() => hands.move(inner, at("new"), "new")),
      refusal(() => hands.remove(inner)),
      refusal(() => hands.setMode(inner, 0o700)),
      await hands.erase(inner).catch(codeOf),
      await hands.stage(inner, { bytes }, {}).catch(codeOf),
    ];
    expect(codes).toEqual(codes.map(() => "outside_workspace"));
    hands.move(at("inner/file"), at("file"), "new");
    expect(readdirSync(root).toSorted()).toEqual(["file", "inner"]);
  });

  it("says that a root is gone, and makes nothing where it was", async () => {
    const { root, hands, at, object } = open(["file"]);
    const kept = object("a");
    renameSync(root, `${root}.away`);
    mkdirSync(join(root, "../evil"));
    symlinkSync("evil", root);
    const codes = [
      await hands.stage(at("new"), { bytes }, {}).catch(codeOf),
      refusal(() => hands.look(at("file"))),
      refusal(() => hands.move(at("file"), kept, "new")),
      refusal(() => hands.remove(at("file"))),
    ];
    expect(codes).toEqual(codes.map(() => "root_gone"));
    expect(readdirSync(join(root, "../evil"))).toEqual([]);
  });

  it("lets others run while it erases a large tree", async () => {
    const { root, hands, at } = open(["dir/"]);
    for (let index = 0; index < 5_000; index++) writeFileSync(at(`dir/${index}`), "");
    await expectTurns(() => hands.erase(at("dir")));
    expect(readdirSync(root)).toEqual([]);
  });

  it("copies and erases a deep tree", async () => {
    const { root, hands, at } = open(["dir/file"]);
    const deep = containment === "handle" ? 900 : 300;
    for (let index = 0; index < deep; index++) {
      hands.makeDirectory(at("new"));
      hands.move(at("dir"), at("new/d"), "new");
      hands.move(at("new"), at("dir"), "new");
    }
    await hands.stage(at("copy"), { copyOf: at("dir") }, {});
    hands.fingerprint(at("copy"), Infinity);
    for (const way of ["dir", "copy"]) await hands.erase(at(way));
    expect(readdirSync(root)).toEqual([]);
  });

  it("names the side of a move or copy that is at fault", async () => {
    const { hands, at } = open(["file", "other"]);
    const said = [
      await hands.stage(at("other"), { copyOf: at("file") }, {}).catch(messageOf),
      await hands.stage(at("new"), { copyOf: at("nope") }, {}).catch(messageOf),
      saying(() => hands.move(at("nope"), at("new"), "new")),
      saying(() => hands.move(at("file"), at("other"), "new")),
    ];
    expect(said).toEqual([
      expect.stringContaining("other"),
      expect.stringContaining("nope"),
      expect.stringContaining("nope"),
      expect.stringContaining("other"),
    ]);
  });

  it("leaves no descriptor open", async () => {
    const { hands, at, object } = open(["dir/file", "link => dir", "out => ..", "file"]);
    await plantSpecial("fifo", at("dir"));
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
        for (const [act, undo] of usesOf(hands, at(way), at("new"), object("a"))) {
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
});

function usesOf(hands: Hands, path: SafePath, other: SafePath, object: ObjectName): readonly (() => unknown)[][] {
  const clean = async () => {
    await hands.erase(other);
    await hands.erase(object);
  };
  return [
    [() => hands.see(path), clean],
    [() => hands.fingerprint(path, Infinity), clean],
    [() => hands.isEmpty(path), clean],
    [() => hands.stage(other, { copyOf: path }, {}), clean],
    [() => hands.stage(object, { copyOf: path }, { like: path }), clean],
    [() => hands.move(path, other, "new"), () => hands.move(other, path, "new")],
    [() => hands.move(path, object, "new"), () => hands.move(object, path, "over")],
    [() => hands.keep(path, object), clean],
    [() => hands.setMode(path, 0o755), clean],
    [() => hands.append(path, bytes, 0), clean],
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

/** On average nobody waits for a turn longer than a tenth of a second of work. */
async function expectTurns(act: () => Promise<void>): Promise<void> {
  const spent = workFromNow();
  let turns = 0;
  const counter = setInterval(() => turns++);
  await act();
  clearInterval(counter);
  expect(turns).toBeGreaterThan(spent() / 100);
}
