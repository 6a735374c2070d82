import { deepEqual, equal, ok } from "node:assert/strict";
import { HOUR_MS } from "../../base/time.ts";
import { type MakeObjects, type MakeTexts, tagOf, textOf, withTexts } from "./object-fixture.ts";
import { listTests } from "./object-store-listing.ts";
import { raceTests } from "./object-store-races.ts";
import { writeTests } from "./object-store-writing.ts";
import type { TestFunctions } from "../test-functions.ts";

/** Tests what every ObjectStore with preconditions promises. `make` returns a new store with these objects. */
export function objectStoreSuite({ describe, it }: TestFunctions, name: string, make: MakeObjects): void {
  const made = withTexts(make);
  describe(`Object store: ${name}`, () => {
    readTests(it, made);
    contentTests(it, make);
    writeTests(it, made);
    raceTests(it, made);
    listTests(it, made);
  });
}

type It = TestFunctions["it"];

/** One MiB: more than many a server or client passes on at once. */
const LARGE = "0123456789abcdef".repeat(65_536);

function readTests(it: It, made: MakeTexts): void {
  it("describes an object, and nothing where there is none", async () => {
    const objects = await made({ "a/b": "one" });
    const { modifiedMs = 0, tag = "", ...rest } = (await objects.head("a/b")) ?? {};
    deepEqual(rest, { key: "a/b", size: 3 });
    ok(tag !== "" && Math.abs(modifiedMs - Date.now()) < HOUR_MS);
    deepEqual([await objects.head("a"), await objects.head("a/")], [null, null]);
  });

  for (const { of = "0123456789", from, most, gives } of [
    { from: 0, most: 3, gives: "012" },
    { from: 3, most: 4, gives: "3456" },
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
    const first = await tagOf(objects, "a");
    deepEqual([await objects.get("a", "other", 0, 9), await objects.get("b", "", 0, 9)], [null, null]);
    await objects.put("a", Buffer.from("two"), { match: first });
    equal(await objects.get("a", first, 0, 9), null);
  });

  it("never mixes two contents in one read", async () => {
    const objects = await made({ a: LARGE });
    const when = { match: await tagOf(objects, "a") };
    const [bytes] = await Promise.all([
      objects.get("a", when.match, 0, LARGE.length),
      objects.put("a", Buffer.alloc(LARGE.length, "x"), when),
    ]);
    ok(bytes === null || Buffer.from(bytes).toString() === LARGE);
  });
}

function contentTests(it: It, make: MakeObjects): void {
  for (const { name, bytes } of [
    { name: "every byte", bytes: Uint8Array.from({ length: 256 }, (_, nth) => nth) },
    { name: "an object without bytes", bytes: new Uint8Array() },
  ])
    it(`keeps ${name}`, async () => {
      const objects = await make({ made: bytes });
      await objects.put("put", bytes, { absent: true });
      await objects.put("copied", { copyOf: "put" }, { absent: true });
      for (const key of ["made", "put", "copied"]) {
        const { size, tag } = (await objects.head(key)) ?? { size: -1, tag: "" };
        equal(size, bytes.length);
        ok(Buffer.from(bytes).equals((await objects.get(key, tag, 0, 1000)) ?? Buffer.from("nothing")));
      }
    });

  // A rule that denies one spelling must not be passed by another.
  it("keeps keys apart that look alike", async () => {
    const objects = await make(Object.fromEntries(ALIKE.map((key) => [key, Buffer.from(key)])));
    for (const key of ALIKE) equal(await textOf(objects, key), key);
    for (const key of ABSENT) equal(await objects.head(key), null);
  });
}

const ALIKE = [
  "d/a b",
  "d/a+b",
  "d/a%20b",
  "d/a?b",
  "d/a#b",
  "d/a",
  "d/A",
  "d/\u00e9",
  "d/e\u0301",
  "d/.a",
  "d/a.",
  "d/日",
];
const ABSENT = ["D/a", "d/a%3Fb", "d/a/"];
