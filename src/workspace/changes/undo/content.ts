import { LIMITS } from "../../../base/limits.ts";
import { isHashed } from "../../../base/version.ts";
import type { ObjectName, Place } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { FileState } from "../change.ts";
import { sourceOfFile } from "../../read/scan.ts";
import { type PlannedState, isSameState, stateAt } from "./planned-state.ts";
import type { View } from "../../view.ts";

/**
 * Whether a place will have what an image describes. The version of a large file is made of its times, and one that was
 * brought back has others: where they differ, its bytes are compared with what was kept, in slices.
 */
export async function hasContentOf(ground: PlannedState, place: Place, image: FileState | null): Promise<boolean> {
  const now = stateAt(ground, place);
  if (isSameState(now, image)) return true;
  if (!now || !image || now.kind !== "file" || image.kind !== "file") return false;
  if (now.size !== image.size || isHashed(now)) return false;
  const part = await partsOf(ground.view, image);
  const isEqual = part && (await withParts(ground, place, (own) => isEqualIn(ground.view, own, part, image.size)));
  return isEqual ?? false;
}

/** Reads some bytes from an offset on. */
type Part = (from: number, length: number) => Uint8Array | Promise<Uint8Array>;

async function isEqualIn({ checkpoint }: View, one: Part, other: Part, size: number): Promise<boolean> {
  for (let from = 0; from < size; from += LIMITS.scanBytes) {
    await checkpoint();
    const length = Math.min(LIMITS.scanBytes, size - from);
    const [ours, theirs] = [await one(from, length), await other(from, length)];
    if (ours.length !== length || Buffer.compare(ours, theirs) !== 0) return false;
  }
  return true;
}

/** Lets the bytes be read that will be at a place; null where there are none. */
async function withParts<T>(
  { view, tree }: PlannedState,
  place: Place,
  use: (part: Part) => Promise<T>,
): Promise<T | null> {
  const there = tree.at(place);
  const content = there?.made?.content;
  if (content instanceof Uint8Array) return use(partsOfBytes(content));
  const origin = typeof content === "string" ? content : there?.origin;
  if (origin === undefined) return null;
  if (!isPath(origin)) return use(partsOfKept(view, origin));
  return view.withFile(origin, (file) => use(sourceOfFile(file.original ?? file).part));
}

const partsOfBytes =
  (bytes: Uint8Array): Part =>
  (from, length) =>
    bytes.subarray(from, from + length);

const partsOfKept =
  ({ past }: View, object: ObjectName): Part =>
  (from, length) =>
    past.contentOf(object, from, length) ?? new Uint8Array();

/** Finds the bytes that an image had: kept as they were, at the start of what they grew to, or rebuilt from an edit. */
async function partsOf(view: View, image: FileState): Promise<Part | null> {
  const object = image.object ?? (await keptWith(view, image));
  if (object !== undefined) return partsOfKept(view, object);
  const bytes = image.size > LIMITS.editBytes ? null : await view.recall(image.version);
  return bytes && partsOfBytes(bytes);
}

/** Returns the kept file that begins with the bytes of an image: appends only add, so what they made of it will do. */
async function keptWith(view: View, image: FileState): Promise<ObjectName | undefined> {
  const kept = new Map<string, ObjectName>();
  const grownTo = new Map<string, string>();
  for await (const { effects } of view.past.records(view.checkpoint)) {
    for (const { action, before, after } of effects) {
      if (!before || isHashed(before)) continue;
      if (before.object !== undefined && isIntact(view, before, before.object))
        kept.set(stateOf(before), before.object);
      if (action === "append" && after && after.size > before.size) grownTo.set(stateOf(before), stateOf(after));
    }
    const object = kept.get(lastIn(grownTo, stateOf(image)));
    if (object !== undefined) return object;
  }
  return undefined;
}

/** Names one state of a large file. A rename changes its version, but nothing of this. */
const stateOf = ({ identity, size, modifiedMs }: FileState): string => `${identity}:${size}:${modifiedMs}`;

/** A rename, and a copy to another disk, keep the time of the content. */
function isIntact({ past }: View, { size, modifiedMs }: FileState, object: ObjectName): boolean {
  const facts = past.see(object)?.facts;
  return facts?.kind === "file" && facts.size === size && facts.modifiedMs === modifiedMs;
}

function lastIn(grownTo: ReadonlyMap<string, string>, state: string): string {
  let last = state;
  for (let next = grownTo.get(last); next !== undefined; next = grownTo.get(last)) last = next;
  return last;
}
