import type { ObjectFacts, ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { type BrokenStore, keysOf } from "./broken-store.ts";

export const LISTING: readonly BrokenStore[] = [
  {
    fault: "takes a prefix without its slash",
    row: "lists all below d/",
    broken: (objects) => ({
      list: (prefix, depth) => (depth === "all" ? below(objects, prefix.slice(0, -1)) : objects.list(prefix, depth)),
    }),
  },
  {
    fault: "does not fold",
    row: "lists entries below ",
    broken: (objects) => ({ list: (prefix) => objects.list(prefix, "all") }),
  },
  {
    fault: "folds always",
    row: "lists all below d/",
    broken: (objects) => ({ list: (prefix) => objects.list(prefix, "entries") }),
  },
  {
    fault: "lists tags in quotes",
    row: "lists the facts of each object as it describes them",
    broken: (objects) => ({
      async *list(prefix, depth) {
        for await (const facts of objects.list(prefix, depth)) yield { ...facts, tag: `"${facts.tag}"` };
      },
    }),
  },
  ...(["entries", "all"] as const).flatMap((stale): BrokenStore[] => [
    {
      fault: `lists ${stale} as they were before a write`,
      row: `lists ${stale} with an object that was just written`,
      broken: (objects) => staleLists(objects, stale, "put"),
    },
    {
      fault: `lists ${stale} as they were before a removal`,
      row: `lists ${stale} without an object that was just removed`,
      broken: (objects) => staleLists(objects, stale, "remove"),
    },
    {
      fault: `lists a thousand ${stale}`,
      row: `lists ${stale} beyond a page of the server: 2001 keys`,
      broken: (objects) => ({
        list: (prefix, depth) => firstOf(objects.list(prefix, depth), depth === stale ? 1000 : Infinity),
      }),
    },
    {
      fault: `lists two pages of ${stale}`,
      row: `lists ${stale} beyond a page of the server: 2001 keys`,
      broken: (objects) => ({
        list: (prefix, depth) => firstOf(objects.list(prefix, depth), depth === stale ? 2000 : Infinity),
      }),
    },
  ]),
  {
    fault: "folds each page of its own",
    row: "folds 2001 keys into one entry",
    broken: (objects) => ({
      async *list(prefix, depth) {
        yield* objects.list(prefix, depth);
        if (depth === "entries" && (await keysOf(objects, prefix)).length > 1000) yield* objects.list(prefix, depth);
      },
    }),
  },
];

async function* below(objects: ObjectStore, start: string): AsyncGenerator<ObjectFacts> {
  for await (const facts of objects.list("", "all")) if (facts.key.startsWith(start)) yield facts;
}

async function* firstOf(list: AsyncIterable<ObjectFacts>, most: number): AsyncGenerator<ObjectFacts> {
  let count = 0;
  for await (const facts of list) if (++count <= most) yield facts;
}

/** Lists what was there before the last write or removal. */
function staleLists(objects: ObjectStore, stale: "entries" | "all", method: "put" | "remove"): Partial<ObjectStore> {
  let seen: readonly ObjectFacts[] | undefined;
  const look = async (): Promise<void> => {
    seen = [];
    for await (const facts of objects.list("", "all")) seen = [...seen, facts];
  };
  return {
    async put(key, content, when) {
      if (method === "put") await look();
      return objects.put(key, content, when);
    },
    async remove(key, match) {
      if (method === "remove") await look();
      return objects.remove(key, match);
    },
    async *list(prefix, depth) {
      if (!seen || depth !== stale) yield* objects.list(prefix, depth);
      else yield* seen.filter(({ key }) => key.startsWith(prefix));
    },
  };
}
