import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHoldfast, memoryObjects, objectStorage, type ObjectStore } from "../../src/index.ts";
import { scratch } from "../runtime/scratch.ts";
import { shownObjects } from "../../src/testing/objects/change-set-fixture.ts";

/** Never answers. */
const hang = (): Promise<never> => new Promise(() => {});

/** Answers in which somebody has put credentials. */
const leak = async (): Promise<never> => {
  throw new Error("GET https://user:hunter2@bucket.example/a.txt?sig=abc failed");
};

function scene(broken: (objects: ObjectStore) => Partial<ObjectStore>, timeoutMs = 60_000) {
  const objects = memoryObjects({ "a.txt": Buffer.from("one\n") });
  const warned: string[] = [];
  const holdfast = createHoldfast({
    roots: [{ name: "kv", storage: objectStorage({ ...objects, ...broken(objects) }, { timeoutMs }) }],
    stateDirectory: join(scratch(), "state"),
    loopDetection: false,
    warn: (message) => void warned.push(message),
  });
  onTestFinished(() => holdfast.close());
  return { objects, holdfast, warned };
}

const WRITE = { path: "a.txt", content: "two\n", overwrite: true } as const;

describe("a store that fails", () => {
  it.each([
    { method: "head", says: 'Cannot read "a.txt": its storage failed' },
    { method: "get", says: 'Cannot read "a.txt": its storage failed' },
    { method: "list", says: 'Cannot list ".": its storage failed' },
  ])("in $method tells the model that it failed, and the operator why", async ({ method, says }) => {
    const { holdfast, warned } = scene(() => ({ [method]: leak }));
    const { error, text } = await (method === "list"
      ? holdfast.call("ls", { path: "." })
      : holdfast.call("read", { path: "a.txt" }));
    expect(error).toMatchObject({ code: "io", message: says });
    expect(text).not.toContain("hunter2");
    expect(warned.join("\n")).toContain(`${says}: `);
  });

  it("in a put changes nothing, and keeps the reason from the model", async () => {
    const { holdfast, objects } = scene((store) => ({
      put: (key, ...rest) => (key === "a.txt" ? leak() : store.put(key, ...rest)),
    }));
    const { error } = await holdfast.call("write", WRITE);
    expect(error).toMatchObject({ code: "io", message: 'Cannot write "a.txt": its storage failed' });
    expect(await shownObjects(objects)).toEqual(["a.txt = one\n"]);
  });
});

describe("a store that never answers", () => {
  it.each([
    { method: "head", tool: "read", input: { path: "a.txt" } },
    { method: "get", tool: "read", input: { path: "a.txt" } },
    { method: "list", tool: "ls", input: { path: "." } },
  ] as const)("in $method is given up after a while", async ({ method, tool, input }) => {
    const broken =
      method === "list"
        ? async function* () {
            yield await hang();
          }
        : hang;
    const { holdfast } = scene(() => ({ [method]: broken }), 50);
    const { error } = await holdfast.call(tool, input);
    expect(error).toMatchObject({ code: "timeout", message: expect.stringContaining("has not answered for 0.05 s") });
    expect(error?.hint).toContain("Nothing was changed");
  });

  it.each(["head", "get", "list"] as const)("in %s lets the call be cancelled, and hears of it", async (method) => {
    const signals: AbortSignal[] = [];
    const note = (...args: readonly unknown[]): Promise<never> => {
      signals.push((args.at(-1) as { signal: AbortSignal }).signal);
      return hang();
    };
    const broken =
      method === "list"
        ? async function* (...args: readonly unknown[]) {
            yield await note(...args);
          }
        : note;
    const { holdfast } = scene(() => ({ [method]: broken }));
    const stop = new AbortController();
    const call =
      method === "list"
        ? holdfast.call("ls", { path: "." }, { signal: stop.signal })
        : holdfast.call("read", { path: "a.txt" }, { signal: stop.signal });
    setTimeout(() => stop.abort(), 20);
    expect((await call).error).toMatchObject({ code: "cancelled" });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("in the planning of a change lets it be cancelled", async () => {
    let isPlanning = false;
    const { holdfast, objects } = scene((store) => ({
      put(key, ...rest) {
        isPlanning = true;
        return key.startsWith(".holdfast-store/objects/") ? hang() : store.put(key, ...rest);
      },
    }));
    const stop = new AbortController();
    const call = holdfast.call("write", WRITE, { signal: stop.signal });
    setTimeout(() => stop.abort(), 30);
    expect((await call).error).toMatchObject({ code: "cancelled" });
    expect([isPlanning, await shownObjects(objects)]).toEqual([true, ["a.txt = one\n"]]);
  });

  it("in a put says that it may have happened, and is put back", async () => {
    let isBroken = true;
    const { holdfast, objects } = scene(
      (store) => ({
        async put(key, ...rest) {
          const facts = await store.put(key, ...rest);
          if (key !== "a.txt" || !isBroken) return facts;
          isBroken = false;
          return hang();
        },
      }),
      50,
    );
    const { error } = await holdfast.call("write", WRITE);
    expect(error).toMatchObject({ code: "timeout", message: expect.stringContaining("it may have happened") });
    expect(await shownObjects(objects)).toEqual(["a.txt = one\n"]);
  });

  it("in a put that arrives later loses nothing", async () => {
    let arrive: (() => Promise<unknown>) | undefined;
    const { holdfast, objects } = scene(
      (store) => ({
        put(key, ...rest) {
          if (key !== "a.txt" || arrive) return store.put(key, ...rest);
          arrive = () => store.put(key, ...rest);
          return hang();
        },
      }),
      50,
    );
    expect((await holdfast.call("write", WRITE)).error).toMatchObject({ code: "timeout" });
    expect(await arrive?.()).toBeNull();
    expect(await shownObjects(objects)).toEqual(["a.txt = one\n"]);
  });
});

describe("a mistake of an author", () => {
  const store = memoryObjects();
  const { get: _, ...without } = store;
  it.each([
    { given: without, says: "it has no function get" },
    { given: Promise.resolve(store), says: "it is a promise: await the function that makes it" },
    { given: { ...store, isConditional: undefined }, says: "isConditional has to be true or false" },
    { given: undefined, says: "it has no function head, get, put, remove, list" },
  ])("in a store is told: $says", ({ given, says }) => {
    expect(() => objectStorage(given as never)).toThrow(`Cannot use this object store: ${says}`);
  });

  it.each([
    { given: store, says: "it is an object store: give objectStorage(store)" },
    { given: Promise.resolve(objectStorage(store)), says: "it is a promise: await it before, and give the storage" },
    { given: {}, says: "it has no function mount" },
  ])("in a root is told: $says", ({ given, says }) => {
    const message = `Cannot use the root //kv as a storage: ${says}`;
    expect(() => createHoldfast({ roots: [{ name: "kv", storage: given as never }] })).toThrow(message);
    expect(() => createHoldfast({ roots: ["kv://kv"], storages: { kv: () => given as never } })).toThrow(message);
  });
});
