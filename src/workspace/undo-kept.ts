import { isOfContent } from "../base/version.ts";
import type { Effect, Image } from "./change.ts";
import { type Ground, type Now, nowAt } from "./undo-ground.ts";
import { isTreeAsLeft } from "./undo-trees.ts";

/** Why something kept cannot be brought back when it is not there. */
export const GONE = "what was kept of it is gone";

interface Kept extends Pick<Effect, "before"> {
  readonly changeId: string;
  readonly nth: number;
}

/** Says what is wrong with what was kept when an effect took it away; undefined when it is what it was. */
export async function damageOf(ground: Ground, { before, changeId, nth }: Kept): Promise<string | undefined> {
  const object = before?.object;
  const now = object === undefined ? null : nowAt(ground, object);
  if (!before || object === undefined || !now) return GONE;
  const difference = differenceOf(now, before);
  if (difference !== undefined) return difference;
  const left = { place: object, fingerprint: before.fingerprint, changeId, nth };
  return (await isTreeAsLeft(ground, object, left)) ? undefined : ALTERED;
}

const ALTERED = "what was kept of it was altered in the store";

/** Compares something kept with what the history says of it, as far as one look tells. */
export function differenceOf(now: NonNullable<Now>, kept: Image): string | undefined {
  if (now.kind !== kept.kind)
    return `what was kept of it was replaced: it is a ${NAMES[now.kind]}, not a ${NAMES[kept.kind]}`;
  return now.kind === "directory" || isAsKept(now, kept) ? undefined : ALTERED;
}

/** A rename, and a copy to another disk, keep the time of the content. */
const isAsKept = (now: NonNullable<Now>, kept: Image): boolean =>
  now.version === kept.version ||
  (!isOfContent(kept.version) && now.size === kept.size && now.modifiedMs === kept.modifiedMs);

const NAMES: Readonly<Record<Image["kind"], string>> = {
  file: "file",
  directory: "directory",
  symlink: "link",
  other: "special file",
};
