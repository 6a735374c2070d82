import { deepEqual, equal, notEqual, ok } from "node:assert/strict";
import { HOUR_MS } from "../base/time.ts";
import type { Key, ObjectStore } from "../storage/objects/object-store.ts";
import type { TestFunctions } from "./test-functions.ts";

const tagOf = async (objects: ObjectStore, key: Key): Promise<string> => (await objects.head(key))?.tag ?? "";
const textOf = async (objects: ObjectStore, key: Key): Promise<string | undefined> => {
  const { tag = "", size = 0 } = (await objects.head(key)) ?? {};
  const bytes = await objects.get(key, tag, 0, size);
  return bytes ? Buffer.from(bytes).toString() : undefined;
};

/** Tests what every ObjectStore with preconditions promises. `make` returns a new store with these objects. */
export function objectStoreSuite(
  { describe, it }: TestFunctions,
  name: string,
  make: (contents: Readonly<Record<Key, Uint8Array>>) => ObjectStore | Promise<ObjectStore>,
): void {
  const made: Made = async (contents = {}) =>
    make(Object.fromEntries(Object.entries(contents).map(([key, text]) => [key, Buffer.from(text)])));
  describe(`Object store: ${name}`, () => {
    readTests(it, made);
    writeTests(it, made);
    listTests(it, made);
  });
}

type It = TestFunctions["it"];
type Made = (contents?: Readonly<Record<Key, string>>) => Promise<ObjectStore>;

/** One MiB: more than many a server or client passes on at once. */
const LARGE = "0123456789abcdef".repeat(65_536);

function readTests(it: It, made: Made): void {
  it("describes an object, and nothing where there is none", async () => {
    const objects = await made({ "a/b": "one" });
    const { modifiedMs = 0, tag = "", ...rest } = (await objects.head("a/b")) ?? {};
    deepEqual(rest, { key: "a/b", size: 3 });
    ok(tag !== "" && Math.abs(modifiedMs - Date.now()) < HOUR_MS);
    deepEqual([await objects.head("a"), await objects.head("a/")], [null, null]);
  });

  for (const { of = "0123456789", from, most, gives } of [
    { from: 0, most: 3, gives: "012" },
    { from: 8, most: 5, gives: "89" },
    { from: 10, most: 5, gives: "" },
    { of: LARGE, from: 0, most: LARGE.length, gives: LARGE },
  ])
    it(`reads ${most} bytes from ${from} on`, async () => {
      const objects = await made({ a: of });
      const bytes = await objects.get("a", await tagOf(objects, "a"), from, most);
      equal(bytes?.length, gives.length);
      ok(Buffer.from(bytes).toString() === gives);
    });

  it("reads only the object with this tag", async () => {
    const objects = await made({ a: "one" });
    deepEqual([await objects.get("a", "other", 0, 9), await objects.get("b", "", 0, 9)], [null, null]);
  });
}

function writeTests(it: It, made: Made): void {
  it("gives another content another tag", async () => {
    const objects = await made({ a: "one" });
    const first = await tagOf(objects, "a");
    const second = (await objects.put("a", Buffer.from("two"), { match: first }))?.tag ?? "";
    notEqual(second, first);
    equal(await tagOf(objects, "a"), second);
  });

  it("writes only when the precondition holds", async () => {
    const objects = await made({ a: "one" });
    const two = Buffer.from("two");
    const refused = [
      await objects.put("a", two, { absent: true }),
      await objects.put("a", two, { match: "other" }),
      await objects.put("b", two, { match: "other" }),
      await objects.put("b", { copyOf: "nothing" }, { absent: true }),
    ];
    deepEqual(refused, [null, null, null, null]);
    deepEqual([await textOf(objects, "a"), await textOf(objects, "b")], ["one", undefined]);
    deepEqual(await objects.put("b", two, { absent: true }), await objects.head("b"));
    await objects.put("a", { copyOf: "b" }, { match: await tagOf(objects, "a") });
    deepEqual([await textOf(objects, "a"), await textOf(objects, "b")], ["two", "two"]);
  });

  it("removes only the object with this tag", async () => {
    const objects = await made({ a: "one" });
    deepEqual([await objects.remove("a", "other"), await objects.remove("b", "other")], [false, false]);
    equal(await objects.remove("a", await tagOf(objects, "a")), true);
    equal(await objects.head("a"), null);
  });

  it("lets one of two writers win", async () => {
    const objects = await made({ a: "one" });
    const when = { match: await tagOf(objects, "a") };
    const answers = await Promise.all(["two", "three"].map((text) => objects.put("a", Buffer.from(text), when)));
    equal(answers.filter((answer) => answer !== null).length, 1);
  });

  it("copies the bytes it is given", async () => {
    const objects = await made();
    const bytes = Buffer.from("one");
    await objects.put("a", bytes, { absent: true });
    bytes.fill("x");
    equal(await textOf(objects, "a"), "one");
  });
}

function listTests(it: It, made: Made): void {
  for (const { prefix, depth, gives } of [
    { prefix: "", depth: "entries", gives: ["a", "d/", "dd"] },
    { prefix: "d/", depth: "entries", gives: ["d/", "d/b", "d/e/"] },
    { prefix: "d/e/", depth: "entries", gives: ["d/e/c"] },
    { prefix: "d/", depth: "all", gives: ["d/", "d/b", "d/e/c"] },
    { prefix: "nope/", depth: "all", gives: [] },
  ] as const)
    it(`lists ${depth} below ${prefix}`, async () => {
      const objects = await made({ a: "", dd: "", "d/": "", "d/b": "", "d/e/c": "" });
      const keys: Key[] = [];
      for await (const { key } of objects.list(prefix, depth)) keys.push(key);
      deepEqual(keys.toSorted(), gives);
    });
}
