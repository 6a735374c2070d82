import { chmodSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../../src/base/limits.ts";
import { BOTH, crlf, large, NINE, scene, THEIRS, utf16 } from "./seen-scene.ts";

describe("encodings", () => {
  it.each([
    { name: "UTF-16 with a mark", base: utf16(NINE), theirs: utf16(THEIRS), both: utf16(BOTH) },
    { name: "UTF-16 with CRLF", base: utf16(crlf(NINE)), theirs: utf16(crlf(THEIRS)), both: utf16(crlf(BOTH)) },
    {
      name: "big-endian UTF-16",
      base: utf16(NINE).swap16(),
      theirs: utf16(THEIRS).swap16(),
      both: utf16(BOTH).swap16(),
    },
    { name: "a mark", base: `\ufeff${NINE}`, theirs: `\ufeff${THEIRS}`, both: `\ufeff${BOTH}` },
    { name: "CRLF", base: crlf(NINE), theirs: crlf(THEIRS), both: crlf(BOTH) },
    {
      name: "Latin-1",
      base: Buffer.from(NINE.replace("one", "é"), "latin1"),
      theirs: Buffer.from(THEIRS.replace("one", "é"), "latin1"),
      both: Buffer.from(BOTH.replace("one", "é"), "latin1"),
    },
    { name: "line ends that another program changed", base: NINE, theirs: crlf(THEIRS), both: crlf(BOTH) },
    { name: "a mark that another program took away", base: `\ufeff${NINE}`, theirs: THEIRS, both: BOTH },
    { name: "an encoding that another program changed", base: NINE, theirs: utf16(THEIRS), both: utf16(BOTH) },
  ])("are kept by a merge: $name", async ({ base, theirs, both }) => {
    const { root, caller, person, write } = scene({ "f.txt": base });
    const { content } = (await caller("read", { path: "f.txt" })).data as { content: string };
    person("f.txt", theirs);
    const plain = content.replace("\ufeff", "").replaceAll("\r", "");
    expect(await write({ content: plain.replace("eight", "acht") })).toMatchObject({ isError: false });
    expect(readFileSync(join(root, "f.txt"))).toEqual(Buffer.from(both));
  });

  it("are not mixed: what is written in another one is refused", async () => {
    const { caller, person, write } = scene({ "f.txt": utf16(NINE) });
    await caller("read", { path: "f.txt" });
    person("f.txt", utf16(THEIRS));
    expect((await write({ encoding: "utf-8" })).code).toBe("stale");
    expect((await write({ encoding: "base64", content: "AAAA" })).code).toBe("stale");
  });
});

describe("bounds", () => {
  it("compares a large file by size and time, and refuses what has changed", async () => {
    const { root, caller, person, write, text } = scene({ "f.txt": large("a") });
    await caller("read", { path: "f.txt", limit: 1 });
    chmodSync(join(root, "f.txt"), 0o600);
    expect((await write({ content: large("b") })).data["replaced_unseen"]).toBeUndefined();
    person("f.txt", large("person"));
    expect((await write({ content: large("c") })).code).toBe("stale");
    expect((await write({ content: "small\n" })).code).toBe("stale");
    person("f.txt", "person\n");
    expect((await write({ content: large("c") })).code).toBe("stale");
    expect(text("f.txt")).toBe("person\n");
  });

  it("compares a large file by its checksum, where a read made one", async () => {
    const { root, caller, person, write } = scene({ "f.txt": large("a") });
    await caller("read", { path: "f.txt", limit: 1, checksum: true });
    utimesSync(join(root, "f.txt"), 1, 1);
    expect((await write({ content: large("b"), dry_run: true })).isError).toBe(false);
    person("f.txt", large("c"));
    expect((await write({ content: large("b") })).code).toBe("stale");
  });

  it("refuses when what was read is no longer kept, unless the history has it", async () => {
    const names = Array.from({ length: LIMITS.seenBases }, (_, nth) => `${nth}.txt`);
    const tree = Object.fromEntries(names.map((name) => [name, name]));
    const { caller, person, write, text } = scene({ ...tree, "f.txt": `0\n${NINE}`, "g.txt": "1\n" });
    await caller("read", { path: "f.txt" });
    await caller("edit", { path: "g.txt", oldText: "1\n", newText: NINE });
    for (const path of names) await caller("read", { path });
    person("f.txt", THEIRS);
    person("g.txt", THEIRS);
    const answer = await write({});
    expect(answer).toMatchObject({ code: "stale" });
    expect(answer.text).toContain("what it read is no longer kept");
    expect((await write({ path: "g.txt" })).isError).toBe(false);
    expect([text("f.txt"), text("g.txt")]).toEqual([THEIRS, BOTH]);
  });

  it("asks to read again when not all of what was changed could be shown", async () => {
    const many = Array.from({ length: 1000 }, (_, nth) => `line ${nth}\n`).join("");
    const { caller, person, write, text } = scene({ "f.txt": `${many}end\n` });
    await caller("read", { path: "f.txt" });
    person("f.txt", `${many.replaceAll("line", "LINE")}end\n`);
    const answer = await write({ content: `${many}END\n` });
    expect(answer.text).toMatch(/\[Cut: .*\]\nRead the file before you write all of it again$/);
    expect((await write({ content: `${many}THE END\n` })).isError).toBe(true);
    expect(text("f.txt")).toBe(`${many.replaceAll("line", "LINE")}END\n`);
  });
});
