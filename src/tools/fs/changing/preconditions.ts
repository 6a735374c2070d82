import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Snapshot } from "../../../storage/writer.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { orSuggestion } from "../../../workspace/did-you-mean.ts";
import type { Target, View } from "../../../workspace/view.ts";

/** Accepts the version of a file that the caller has read before. */
export const ifMatch = z
  .string()
  .max(LIMITS.argumentChars)
  .optional()
  .describe("The version that was read: refuse, or merge, when the file has changed since")
  .meta({ listed: { type: "string", description: "Version that was read" } });

/** Returns the changes that create the missing parent directories of a path. */
export const mkdirMissingParents = ({ missing }: Target): readonly Change[] =>
  missing.map((path) => ({ kind: "mkdir", path }));

/** Refuses a path whose parent directories do not exist. */
export function requireParents({ missing: [first], place }: Target, view: View): void {
  if (first === undefined) return;
  const [path, name] = [view.nameOf(place), view.nameOf(first)].map((each) => JSON.stringify(each));
  throw new Fault("not_found", `Cannot make ${path}: there is no directory ${name}`, {
    argument: "create_parents",
  });
}

/**
 * Refuses if the file has another version than the caller expects. The comparison reveals something about the content,
 * so it needs read permission.
 */
export async function requireMatch(
  { now, place }: Target,
  expectedVersion: string | undefined,
  path: string,
  view: View,
): Promise<void> {
  if (expectedVersion === undefined) return;
  if (now?.facts.kind === "file" && !view.mayOpen(place)) await view.withFile(place, async () => {});
  if (now?.version === expectedVersion) return;
  const state = now ? "it has changed since it was read" : "it does not exist any more";
  throw new Fault("stale", `Cannot change ${JSON.stringify(path)}: ${state}`, { path, version: now?.version });
}

/** Returns the entry that is to be moved or removed. Throws if it does not exist or is a root. */
export function requireThere({ now, place }: Target, path: string, view: View): Promise<Snapshot> {
  if (view.roots.some(({ real }) => real === place))
    throw new Fault("denied", `Cannot move, copy or delete ${JSON.stringify(path)}: it is a root of this workspace`, {
      path,
    });
  return orSuggestion(view, path, async () => {
    if (now) return now;
    throw new Fault("not_found", `Cannot find ${JSON.stringify(path)}: it does not exist`, { path });
  });
}
