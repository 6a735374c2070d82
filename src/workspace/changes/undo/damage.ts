import { isContentVersion } from "../../../base/version.ts";
import { objectParts } from "../../../storage/place.ts";
import type { Effect, FileState } from "../change.ts";
import { type PlannedState, type StateAt, stateAt } from "./planned-state.ts";
import { isTreeUnchanged, type RecordedTree } from "./tree-comparison.ts";

/** Why something kept cannot be brought back when it is not there. */
export const BACKUP_GONE = "what was kept of it is gone";

interface KeptEffect extends Pick<Effect, "before"> {
  readonly changeId: string;
  readonly nth: number;
}

/** Says why what an effect took away cannot be brought back by undo; undefined when it is what it was. */
export async function damageOf(
  state: PlannedState,
  { before, changeId, nth }: KeptEffect,
): Promise<string | undefined> {
  const object = before?.object;
  if (!before || object === undefined) return BACKUP_GONE;
  const damage = await damageTo(state, before, { place: object, fingerprint: before.fingerprint, changeId, nth });
  if (damage?.kind !== "altered" || objectParts(object).folder !== "trash") return damage?.reason;
  return `${damage.reason}; restore brings it back as it is now`;
}

/** What happened to something in the store that only we should change. */
export interface Damage {
  readonly kind: "gone" | "replaced" | "altered";
  readonly reason: string;
}

/** Compares something kept with what the history says of it; undefined when it is what it was. */
export async function damageTo(state: PlannedState, kept: FileState, left: RecordedTree): Promise<Damage | undefined> {
  const now = stateAt(state, left.place);
  if (!now) return { kind: "gone", reason: BACKUP_GONE };
  if (now.kind !== kept.kind)
    return {
      kind: "replaced",
      reason: `what was kept of it was replaced: there is a ${NAMES[now.kind]}, no ${NAMES[kept.kind]}`,
    };
  const isIntact = now.kind === "directory" ? await isTreeUnchanged(state, left.place, left) : isAsKept(now, kept);
  return isIntact ? undefined : { kind: "altered", reason: "what was kept of it was altered in the store" };
}

/** A rename, and a copy to another disk, keep the time of the content. */
const isAsKept = (now: NonNullable<StateAt>, kept: FileState): boolean =>
  now.version === kept.version ||
  (!isContentVersion(kept.version) && now.size === kept.size && now.modifiedMs === kept.modifiedMs);

const NAMES: Readonly<Record<FileState["kind"], string>> = {
  file: "file",
  directory: "directory",
  symlink: "link",
  other: "special file",
};
