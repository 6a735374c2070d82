import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callerOn, scratch } from "../runtime/scratch.ts";

const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const BIG_ENDIAN = { name: "UTF-16 BE", write: (text: string) => utf16(text).swap16() };
const LITTLE_ENDIAN = { name: "UTF-16 LE", write: utf16 };

/** U+010A and U+0A0A hold the byte of a line feed, which is none. */
const BEFORE = "Ċ one\nਊ two\nthree\n";

describe.each([LITTLE_ENDIAN, BIG_ENDIAN])("a file in $name that has changed since it was read", ({ write }) => {
  const begin = async () => {
    const root = scratch({ "a.txt": write(BEFORE) });
    const caller = callerOn(root);
    const { data } = await caller("read", { path: "a.txt" });
    const edit = (oldText: string, newText: string) =>
      caller("edit", { path: "a.txt", oldText, newText, if_match: data["version"] });
    return { caller, edit, now: () => readFileSync(join(root, "a.txt")) };
  };

  it("takes an edit of another line, and gives either back", async () => {
    const { caller, edit, now } = await begin();
    const first = await edit("Ċ one", "Ċ ONE");
    expect(await edit("three", "THREE")).toMatchObject({ code: "ok" });
    expect(now()).toEqual(write("Ċ ONE\nਊ two\nTHREE\n"));
    expect(await caller("undo", { change_id: first.data["change_id"] })).toMatchObject({ code: "ok" });
    expect(now()).toEqual(write("Ċ one\nਊ two\nTHREE\n"));
  });

  it("shows both sides of an edit of the same line", async () => {
    const { edit } = await begin();
    await edit("ਊ two", "ਊ zwei");
    const { code, text } = await edit("ਊ two", "ਊ deux");
    expect(code).toBe("stale");
    expect(text).toContain('line 2: yours "ਊ deux\\n", in the file "ਊ zwei\\n"');
  });
});
