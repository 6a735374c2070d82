import { deepEqual, equal, notEqual } from "node:assert/strict";
import type { ObjectContent } from "../../storage/objects/object-store.ts";
import { keysIn, type MakeTexts, tagOf, textOf } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

type It = TestFunctions["it"];

/** Tests one write after the other. */
export function writeTests(it: It, made: MakeTexts): void {
  preconditionTests(it, made);
  tagTests(it, made);
  removeTests(it, made);
  markerTests(it, made);
}

const CONTENTS: Readonly<Record<"writes" | "copies", ObjectContent>> = {
  writes: Buffer.from("new"),
  copies: { copyOf: "source" },
};

function preconditionTests(it: It, made: MakeTexts): void {
  for (const [verb, content] of Object.entries(CONTENTS)) {
    it(`${verb} only when the precondition holds`, async () => {
      const objects = await made({ a: "one", source: "new" });
      const before = await objects.head("a");
      const refused = [
        await objects.put("a", content, { absent: true }),
        await objects.put("a", content, { match: "other" }),
        await objects.put("b", content, { match: "other" }),
        await objects.put("b", content, { match: before?.tag ?? "" }),
      ];
      deepEqual(refused, [null, null, null, null]);
      deepEqual([await objects.head("a"), await textOf(objects, "a")], [before, "one"]);
      equal(await objects.head("b"), null);
      deepEqual(await objects.put("b", content, { absent: true }), await objects.head("b"));
      deepEqual(await objects.put("a", content, { match: before?.tag ?? "" }), await objects.head("a"));
      deepEqual([await textOf(objects, "a"), await textOf(objects, "b")], ["new", "new"]);
    });

    it(`${verb} nothing over a later version`, async () => {
      const objects = await made({ a: "one", source: "new" });
      const first = await tagOf(objects, "a");
      await objects.put("a", Buffer.from("two"), { match: first });
      equal(await objects.put("a", content, { match: first }), null);
      equal(await textOf(objects, "a"), "two");
    });
  }

  it("copies nothing where there is nothing to copy", async () => {
    const objects = await made();
    equal(await objects.put("b", { copyOf: "nothing" }, { absent: true }), null);
    equal(await objects.head("b"), null);
  });

  it("keeps a copy when its source is changed", async () => {
    const objects = await made({ a: "one" });
    await objects.put("b", { copyOf: "a" }, { absent: true });
    await objects.put("a", Buffer.from("two"), { match: await tagOf(objects, "a") });
    deepEqual([await textOf(objects, "a"), await textOf(objects, "b")], ["two", "one"]);
  });

  it("copies the bytes it is given", async () => {
    const objects = await made();
    const bytes = Buffer.from("one");
    await objects.put("a", bytes, { absent: true });
    bytes.fill("x");
    equal(await textOf(objects, "a"), "one");
  });
}

function tagTests(it: It, made: MakeTexts): void {
  it("gives another content another tag", async () => {
    const objects = await made({ a: "one" });
    const first = await tagOf(objects, "a");
    const second = (await objects.put("a", Buffer.from("two"), { match: first }))?.tag ?? "";
    notEqual(second, first);
    equal(await tagOf(objects, "a"), second);
  });

  it("gives each of many quick writes of the same size its own tag", async () => {
    const objects = await made({ a: "00" });
    const tags = [await tagOf(objects, "a")];
    for (let nth = 10; nth < 30; nth++)
      tags.push((await objects.put("a", Buffer.from(`${nth}`), { match: tags.at(-1) ?? "" }))?.tag ?? "");
    equal(new Set(tags).size, 21);
  });

  it("shows a write at once", async () => {
    const objects = await made({ a: "one" });
    // A store that caches its answers must forget this one.
    equal(await objects.head("b"), null);
    for (const text of ["two", "three", "four"]) {
      await objects.put("a", Buffer.from(text), { match: await tagOf(objects, "a") });
      deepEqual([(await objects.head("a"))?.size, await textOf(objects, "a")], [text.length, text]);
    }
    await objects.put("b", Buffer.from("new"), { absent: true });
    equal(await textOf(objects, "b"), "new");
  });
}

function removeTests(it: It, made: MakeTexts): void {
  it("removes only the object with this tag", async () => {
    const objects = await made({ a: "one", ab: "", "a/b": "" });
    const tag = await tagOf(objects, "a");
    deepEqual([await objects.remove("a", "other"), await objects.remove("b", tag)], [false, false]);
    equal(await textOf(objects, "a"), "one");
    equal(await objects.remove("a", tag), true);
    deepEqual([await objects.head("a"), await objects.get("a", tag, 0, 9)], [null, null]);
    equal(await objects.remove("a", tag), false);
    deepEqual(await keysIn(objects, "", "all"), ["a/b", "ab"]);
  });

  it("removes no later version", async () => {
    const objects = await made({ a: "one" });
    const first = await tagOf(objects, "a");
    await objects.put("a", Buffer.from("two"), { match: first });
    equal(await objects.remove("a", first), false);
    equal(await textOf(objects, "a"), "two");
  });
}

/** Tests keys that end in "/", which keep a directory without entries. */
function markerTests(it: It, made: MakeTexts): void {
  const empty = new Uint8Array();

  it("keeps the marker of a directory without entries", async () => {
    const objects = await made();
    deepEqual(await objects.put("d/e/", empty, { absent: true }), await objects.head("d/e/"));
    equal((await objects.head("d/e/"))?.size, 0);
    deepEqual(await keysIn(objects, "", "all"), ["d/e/"]);
    deepEqual(await keysIn(objects, "d/", "entries"), ["d/e/"]);
    deepEqual(await keysIn(objects, "d/e/", "entries"), ["d/e/"]);
    equal(await objects.put("d/e/", empty, { absent: true }), null);
  });

  it("keeps the marker of a directory when its last entry is removed", async () => {
    const objects = await made({ "d/": "", "d/a": "one" });
    equal(await objects.remove("d/a", await tagOf(objects, "d/a")), true);
    deepEqual(await keysIn(objects, "", "all"), ["d/"]);
  });

  it("removes the marker of a directory, and nothing below it", async () => {
    const objects = await made({ "d/": "", "d/a": "one" });
    equal(await objects.remove("d/", await tagOf(objects, "d/")), true);
    deepEqual(await keysIn(objects, "", "all"), ["d/a"]);
    equal(await objects.head("d/"), null);
  });

  it("copies the marker of a directory, and nothing below it", async () => {
    const objects = await made({ "d/": "", "d/a": "one" });
    await objects.put("e/", { copyOf: "d/" }, { absent: true });
    deepEqual(await keysIn(objects, "", "all"), ["d/", "d/a", "e/"]);
  });
}
