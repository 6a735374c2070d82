import { isContentVersion } from "../../../base/version.ts";
import { objectParts } from "../../../storage/place.ts";
import type { Effect, FileState } from "../change.ts";
import { type PlannedState, type StateAt, stateAt } from "./planned-state.ts";
import { isTreeUnchanged, type RecordedTree } from "./tree-comparison.ts";

export const BACKUP_GONE = "its backup is gone";

interface BackedUpEffect extends Pick<Effect, "before"> {
  readonly changeId: string;
  readonly nth: number;
}

/** Returns why undo cannot restore what an effect removed; undefined if the backup is unchanged. */
export async function whyNotRestorable(
  state: PlannedState,
  { before, changeId, nth }: BackedUpEffect,
): Promise<string | undefined> {
  const object = before?.object;
  if (!before || object === undefined) return BACKUP_GONE;
  const damage = await checkBackup(state, before, { place: object, fingerprint: before.fingerprint, changeId, nth });
  if (damage?.kind !== "altered" || objectParts(object).folder !== "trash") return damage?.reason;
  return `${damage.reason}; restore brings it back as it is now`;
}

/** Describes damage to an object in the store, which only Holdfast should change. */
export interface Damage {
  readonly kind: "gone" | "replaced" | "altered";
  readonly reason: string;
}

/** Compares a backup with what the history says of it; returns undefined when it is intact. */
export async function checkBackup(
  state: PlannedState,
  kept: FileState,
  recorded: RecordedTree,
): Promise<Damage | undefined> {
  const now = await stateAt(state, recorded.place);
  if (!now) return { kind: "gone", reason: BACKUP_GONE };
  if (now.kind !== kept.kind)
    return {
      kind: "replaced",
      reason: `its backup was replaced: it is a ${NAMES[now.kind]}, not a ${NAMES[kept.kind]}`,
    };
  const isIntact =
    now.kind === "directory" ? await isTreeUnchanged(state, recorded.place, recorded) : isAsKept(now, kept);
  return isIntact ? undefined : { kind: "altered", reason: "its backup was altered in the store" };
}

/** Compares by modification time: a rename, and a copy to another disk, keep it. */
const isAsKept = (now: NonNullable<StateAt>, kept: FileState): boolean =>
  now.version === kept.version ||
  (!isContentVersion(kept.version) && now.size === kept.size && now.modifiedMs === kept.modifiedMs);

const NAMES: Readonly<Record<FileState["kind"], string>> = {
  file: "file",
  directory: "directory",
  symlink: "link",
  other: "special file",
};
