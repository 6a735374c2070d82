import { deepEqual } from "node:assert/strict";
import type { Key } from "../../storage/objects/object-store.ts";
import { keysIn, listed, type MakeTexts, tagOf } from "./object-fixture.ts";
import type { TestFunctions } from "../test-functions.ts";

type It = TestFunctions["it"];

export function listTests(it: It, made: MakeTexts): void {
  prefixTests(it, made);
  freshnessTests(it, made);
  pageTests(it, made);
}

function prefixTests(it: It, made: MakeTexts): void {
  for (const { prefix, depth, gives } of [
    { prefix: "", depth: "entries", gives: ["a", "d/", "dd"] },
    { prefix: "d/", depth: "entries", gives: ["d/", "d/b", "d/e/"] },
    { prefix: "d/e/", depth: "entries", gives: ["d/e/c"] },
    { prefix: "d/", depth: "all", gives: ["d/", "d/b", "d/e/c"] },
    { prefix: "nope/", depth: "all", gives: [] },
  ] as const)
    it(`lists ${depth} below ${prefix}`, async () => {
      const objects = await made({ a: "", dd: "", "d/": "", "d/b": "", "d/e/c": "" });
      deepEqual(await keysIn(objects, prefix, depth), gives);
    });

  it("lists the facts of each object as it describes them", async () => {
    const objects = await made({ a: "one", "d/b": "three" });
    deepEqual(await listed(objects, "", "all"), [await objects.head("a"), await objects.head("d/b")]);
    deepEqual(await listed(objects, "d/", "entries"), [await objects.head("d/b")]);
  });
}

const DEPTHS = ["entries", "all"] as const;

function freshnessTests(it: It, made: MakeTexts): void {
  for (const depth of DEPTHS) {
    it(`lists ${depth} with an object that was just written`, async () => {
      const objects = await made({ "d/a": "one" });
      deepEqual(await keysIn(objects, "d/", depth), ["d/a"]);
      const put = await objects.put("d/b", Buffer.from("two"), { absent: true });
      const copied = await objects.put("d/c", { copyOf: "d/a" }, { absent: true });
      const written = await objects.put("d/a", Buffer.from("three"), { match: await tagOf(objects, "d/a") });
      deepEqual(await listed(objects, "d/", depth), [written, put, copied]);
    });

    it(`lists ${depth} without an object that was just removed`, async () => {
      const objects = await made({ "d/a": "one", "d/b": "two" });
      deepEqual(await keysIn(objects, "d/", depth), ["d/a", "d/b"]);
      await objects.remove("d/a", await tagOf(objects, "d/a"));
      deepEqual(await keysIn(objects, "d/", depth), ["d/b"]);
      await objects.remove("d/b", await tagOf(objects, "d/b"));
      deepEqual(await keysIn(objects, "d/", depth), []);
    });
  }
}

/** More than two pages of a thousand keys, which is what most servers list at once. */
const MANY = 2001;

function pageTests(it: It, made: MakeTexts): void {
  const keys = Array.from({ length: MANY }, (_, nth): Key => `d/${10_000 + nth}`);
  const many = (): ReturnType<MakeTexts> => made(Object.fromEntries([...keys, "z"].map((key) => [key, ""])));

  for (const depth of DEPTHS)
    it(`lists ${depth} beyond a page of the server: ${MANY} keys`, async () => {
      deepEqual(await keysIn(await many(), "d/", depth), keys);
    });

  it(`folds ${MANY} keys into one entry`, async () => {
    deepEqual(await keysIn(await many(), "", "entries"), ["d/", "z"]);
  });
}
