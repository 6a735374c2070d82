import type { ObjectFacts, ObjectStore } from "./object-store.ts";

/** Returns exactly these bytes of an object, up to its end; null when it is no longer the one that was described. */
export async function getRange(
  objects: ObjectStore,
  { key, tag, size }: Pick<ObjectFacts, "key" | "tag" | "size">,
  from: number,
  most: number,
): Promise<Uint8Array | null> {
  const bytes = await objects.get(key, tag, from, most);
  return bytes?.length === Math.min(most, size - from) ? bytes : null;
}
