import { LIMITS } from "../../../base/limits.ts";
import { isHashed } from "../../../base/version.ts";
import type { ObjectName, Place } from "../../../storage/writer.ts";
import { isPath } from "../../../storage/place.ts";
import type { FileState } from "../change.ts";
import { sourceOfFile } from "../../read/scan.ts";
import { type PlannedState, isSameState, stateAt } from "./planned-state.ts";
import type { View } from "../../view.ts";

/**
 * Checks that a place will have the content of a recorded state. The version of a large file is made of its times, and
 * a restored file has others: where they differ, its bytes are compared with the backup, in slices.
 */
export async function hasContentOf(planned: PlannedState, place: Place, recorded: FileState | null): Promise<boolean> {
  const now = await stateAt(planned, place);
  if (isSameState(now, recorded)) return true;
  if (!now || !recorded || now.kind !== "file" || recorded.kind !== "file") return false;
  if (now.size !== recorded.size || isHashed(now)) return false;
  const part = await partsOf(planned.view, recorded);
  const isEqual = part && (await withParts(planned, place, (own) => isEqualIn(planned.view, own, part, recorded.size)));
  return isEqual ?? false;
}

/** Reads some bytes from an offset on. */
type Part = (from: number, length: number) => Promise<Uint8Array>;

async function isEqualIn({ checkpoint }: View, one: Part, other: Part, size: number): Promise<boolean> {
  for (let from = 0; from < size; from += LIMITS.scanBytes) {
    await checkpoint();
    const length = Math.min(LIMITS.scanBytes, size - from);
    const [ours, theirs] = [await one(from, length), await other(from, length)];
    if (ours.length !== length || Buffer.compare(ours, theirs) !== 0) return false;
  }
  return true;
}

/** Reads the bytes that will be at a place; returns null where there are none. */
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
  if (!isPath(origin)) return use(partsOfBackup(view, origin));
  return view.withFile(origin, (file) => use(sourceOfFile(file.original ?? file).part));
}

const partsOfBytes =
  (bytes: Uint8Array): Part =>
  async (from, length) =>
    bytes.subarray(from, from + length);

const partsOfBackup =
  ({ history }: View, object: ObjectName): Part =>
  async (from, length) =>
    (await history.contentOf(object, from, length)) ?? new Uint8Array();

/** Finds the bytes of a recorded state: in a backup, at the start of a file that only grew, or rebuilt from an edit. */
async function partsOf(view: View, recorded: FileState): Promise<Part | null> {
  const object = recorded.object ?? (await backupStartingWith(view, recorded));
  if (object !== undefined) return partsOfBackup(view, object);
  const bytes = recorded.size > LIMITS.editBytes ? null : await view.contentOfVersion(recorded.version);
  return bytes && partsOfBytes(bytes);
}

/**
 * Returns the backup that begins with the bytes of a state: appends only add bytes, so a backup of the longer file will
 * do.
 */
async function backupStartingWith(view: View, recorded: FileState): Promise<ObjectName | undefined> {
  const kept = new Map<string, ObjectName>();
  const appendedTo = new Map<string, string>();
  for await (const { effects } of view.history.records(view.checkpoint)) {
    for (const { action, before, after } of effects) {
      if (!before || isHashed(before)) continue;
      if (before.object !== undefined && (await isIntact(view, before, before.object)))
        kept.set(stateOf(before), before.object);
      if (action === "append" && after && after.size > before.size) appendedTo.set(stateOf(before), stateOf(after));
    }
    const object = kept.get(lastIn(appendedTo, stateOf(recorded)));
    if (object !== undefined) return object;
  }
  return undefined;
}

/** Returns a key for one state of a large file. A rename changes its version, but not this key. */
const stateOf = ({ identity, size, modifiedMs }: FileState): string => `${identity}:${size}:${modifiedMs}`;

/** Compares by modification time: a rename, and a copy to another disk, keep it. */
async function isIntact({ history }: View, { size, modifiedMs }: FileState, object: ObjectName): Promise<boolean> {
  const facts = (await history.snapshot(object))?.facts;
  return facts?.kind === "file" && facts.size === size && facts.modifiedMs === modifiedMs;
}

function lastIn(appendedTo: ReadonlyMap<string, string>, state: string): string {
  let last = state;
  for (let next = appendedTo.get(last); next !== undefined; next = appendedTo.get(last)) last = next;
  return last;
}
