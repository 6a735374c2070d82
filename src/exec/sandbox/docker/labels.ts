import * as z from "zod";
import { hasProcessExited, OWN_BOOT, OWN_PROCESS } from "../../../base/process-identity.ts";
import type { ListedContainer } from "./engine.ts";

const [OWNER, USER, MOUNT_POINTS] = ["holdfast.owner", "holdfast.user", "holdfast.mount-points"];

const PATHS = z.array(z.string());

/** Returns the labels of a container: who may remove it, and which directories go with it. */
export const labelsOf = (mountPoints: readonly string[]): Readonly<Record<string, string>> => ({
  [OWNER]: OWN_PROCESS,
  [USER]: userId(),
  [MOUNT_POINTS]: JSON.stringify(mountPoints),
});

/** Selects the containers of this user: processes of another one may be hidden, and seem to be gone. */
export const ownLabels = (): readonly string[] => [OWNER, `${USER}=${userId()}`];

const userId = (): string => String(process.getuid?.() ?? "");

/** Returns whether the owner of a container is gone. A running one of another boot is on another machine. */
export function isAbandoned({ Labels, State }: ListedContainer): boolean {
  const owner = Labels[OWNER] ?? "";
  const isRunning = State === "running";
  return hasProcessExited(owner, !isRunning) && (owner.startsWith(`${OWN_BOOT}.`) || !isRunning);
}

export function mountPointsOf({ Labels }: ListedContainer): readonly string[] {
  try {
    return PATHS.parse(JSON.parse(Labels[MOUNT_POINTS] ?? "[]"));
  } catch {
    // Somebody else wrote the label.
    return [];
  }
}
