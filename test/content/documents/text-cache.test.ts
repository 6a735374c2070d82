import { expect, it } from "vitest";
import { createTextCache } from "../../../src/content/documents/text-cache.ts";

const textOf = (length: number) => ({ bytes: Buffer.alloc(length), units: [] });

it("drops the text that was used longest ago, once there is too much", () => {
  const cache = createTextCache(100);
  for (const key of ["a", "b", "c"]) cache.set(key, textOf(40));
  cache.get("b");
  cache.set("d", textOf(40));
  cache.set("too large", textOf(101));
  const kept = ["a", "b", "c", "d", "too large"].filter((key) => cache.get(key) !== undefined);
  expect(kept).toEqual(["b", "d"]);
});
