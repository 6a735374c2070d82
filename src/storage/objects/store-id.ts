import { randomBytes } from "node:crypto";
import { Fault } from "../../base/errors.ts";
import { STORE_NAME } from "../../base/product.ts";
import { getRange } from "./get-range.ts";
import type { ObjectStore } from "./object-store.ts";

/** Names the object that tells one store from another. No path leads to it. */
const STORE_ID_KEY = `${STORE_NAME}/id`;

/** Returns the id of a store; null before its first change. */
export async function readStoreId(objects: ObjectStore): Promise<string | null> {
  const facts = await objects.head(STORE_ID_KEY);
  if (!facts) return null;
  const bytes = await getRange(objects, facts, 0, facts.size);
  const id = Buffer.from(bytes ?? []).toString();
  if (ID.test(id)) return id;
  throw new Fault("io", "Cannot use this storage: the object that identifies it is damaged");
}

/** Gives a store an id. Who loses a race takes that of the winner. */
export async function giveStoreId(objects: ObjectStore): Promise<string> {
  const id = randomBytes(ID_BYTES).toString("hex");
  if (await objects.put(STORE_ID_KEY, Buffer.from(id), { absent: true })) return id;
  const given = await readStoreId(objects);
  if (given !== null) return given;
  throw new Fault("io", "Cannot use this storage: it neither takes nor has an object that identifies it");
}

const ID_BYTES = 16;
const ID = /^[0-9a-f]{32}$/;
