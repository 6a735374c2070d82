import { describe, expect, it } from "vitest";
import type { Key, ObjectStore } from "../../src/storage/objects/object-store.ts";

const tagOf = async (objects: ObjectStore, key: Key): Promise<string> => (await objects.head(key))?.tag ?? "";
const textOf = async (objects: ObjectStore, key: Key): Promise<string | undefined> => {
  const bytes = await objects.get(key, await tagOf(objects, key), 0, Infinity);
  return bytes ? Buffer.from(bytes).toString() : undefined;
};

/** Tests what every ObjectStore with preconditions promises. `make` returns a new store with these objects. */
export function objectStoreContract(
  name: string,
  make: (contents: Readonly<Record<Key, Uint8Array>>) => ObjectStore,
): void {
  const made = (contents: Readonly<Record<Key, string>> = {}): ObjectStore =>
    make(Object.fromEntries(Object.entries(contents).map(([key, text]) => [key, Buffer.from(text)])));
  describe(`Object store contract: ${name}`, () => {
    it("describes an object, and nothing where there is none", async () => {
      const objects = made({ "a/b": "one" });
      expect(await objects.head("a/b")).toEqual({
        key: "a/b",
        size: 3,
        modifiedMs: expect.closeTo(Date.now(), -5),
        tag: expect.stringMatching(/./),
      });
      expect([await objects.head("a"), await objects.head("a/")]).toEqual([null, null]);
    });

    it.each([
      { from: 0, most: 3, gives: "012" },
      { from: 8, most: 5, gives: "89" },
      { from: 10, most: 5, gives: "" },
    ])("reads $most bytes from $from on", async ({ from, most, gives }) => {
      const objects = made({ a: "0123456789" });
      const bytes = await objects.get("a", await tagOf(objects, "a"), from, most);
      expect(Buffer.from(bytes ?? []).toString()).toBe(gives);
    });

    it("reads only the object with this tag", async () => {
      const objects = made({ a: "one" });
      expect([await objects.get("a", "other", 0, 9), await objects.get("b", "", 0, 9)]).toEqual([null, null]);
    });

    it("gives another content another tag", async () => {
      const objects = made({ a: "one" });
      const first = await tagOf(objects, "a");
      const second = (await objects.put("a", Buffer.from("two"), { match: first }))?.tag ?? "";
      expect(second).not.toBe(first);
      expect(await tagOf(objects, "a")).toBe(second);
    });

    it("writes only when the precondition holds", async () => {
      const objects = made({ a: "one" });
      const two = Buffer.from("two");
      const refused = [
        await objects.put("a", two, { absent: true }),
        await objects.put("a", two, { match: "other" }),
        await objects.put("b", two, { match: "other" }),
        await objects.put("b", { copyOf: "nothing" }, { absent: true }),
      ];
      expect(refused).toEqual([null, null, null, null]);
      expect([await textOf(objects, "a"), await textOf(objects, "b")]).toEqual(["one", undefined]);
      expect(await objects.put("b", two, { absent: true })).toEqual(await objects.head("b"));
      await objects.put("a", { copyOf: "b" }, { match: await tagOf(objects, "a") });
      expect([await textOf(objects, "a"), await textOf(objects, "b")]).toEqual(["two", "two"]);
    });

    it("removes only the object with this tag", async () => {
      const objects = made({ a: "one" });
      expect([await objects.remove("a", "other"), await objects.remove("b", "other")]).toEqual([false, false]);
      expect(await objects.remove("a", await tagOf(objects, "a"))).toBe(true);
      expect(await objects.head("a")).toBeNull();
    });

    it("lets one of two writers win", async () => {
      const objects = made({ a: "one" });
      const when = { match: await tagOf(objects, "a") };
      const answers = await Promise.all(["two", "three"].map((text) => objects.put("a", Buffer.from(text), when)));
      expect(answers.filter((answer) => answer !== null)).toHaveLength(1);
    });

    it.each([
      { prefix: "", depth: "entries", gives: ["a", "d/", "dd"] },
      { prefix: "d/", depth: "entries", gives: ["d/", "d/b", "d/e/"] },
      { prefix: "d/e/", depth: "entries", gives: ["d/e/c"] },
      { prefix: "d/", depth: "all", gives: ["d/", "d/b", "d/e/c"] },
      { prefix: "nope/", depth: "all", gives: [] },
    ] as const)("lists $depth below $prefix", async ({ prefix, depth, gives }) => {
      const objects = made({ a: "", dd: "", "d/": "", "d/b": "", "d/e/c": "" });
      const keys: Key[] = [];
      for await (const { key } of objects.list(prefix, depth)) keys.push(key);
      expect(keys.toSorted()).toEqual(gives);
    });

    it("copies the bytes it is given", async () => {
      const objects = made();
      const bytes = Buffer.from("one");
      await objects.put("a", bytes, { absent: true });
      bytes.fill("x");
      expect(await textOf(objects, "a")).toBe("one");
    });
  });
}
