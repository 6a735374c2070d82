import * as z from "zod";
import { Fault } from "../../../base/errors.ts";
import { LIMITS } from "../../../base/limits.ts";
import type { Snapshot } from "../../../storage/writer.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { orSuggestion } from "../../../workspace/did-you-mean.ts";
import type { Target, View } from "../../../workspace/view.ts";

/** For tools that change one file which the caller may have read before. */
export const ifMatch = z
  .string()
  .max(LIMITS.argumentChars)
  .optional()
  .describe("The version that was read: refuse, or merge, when the file has changed since")
  .meta({ listed: { type: "string", description: "Version that was read" } });

/** Makes the directories that a path needs and does not have. */
export const parents = ({ missing }: Target): readonly Change[] => missing.map((path) => ({ kind: "mkdir", path }));

/** Refuses when a path needs directories that do not exist. */
export function requireParents({ missing: [first], place }: Target, view: View): void {
  if (first === undefined) return;
  const [path, name] = [view.nameOf(place), view.nameOf(first)].map((each) => JSON.stringify(each));
  throw new Fault("not_found", `Cannot make ${path}: there is no directory ${name}`, {
    argument: "create_parents",
  });
}

/** Refuses when the caller knows another state than the one there is. To compare is to tell of the content: that takes reading. */
export async function requireMatch(
  { now, place }: Target,
  wantedVersion: string | undefined,
  path: string,
  view: View,
): Promise<void> {
  if (wantedVersion === undefined) return;
  if (now?.facts.kind === "file" && !view.mayOpen(place)) await view.withFile(place, async () => {});
  if (now?.version === wantedVersion) return;
  const state = now ? "it has changed since it was read" : "it does not exist any more";
  throw new Fault("stale", `Cannot change ${JSON.stringify(path)}: ${state}`, { path, version: now?.version });
}

/** What is there and can go, or the fault that it is not. */
export function requireThere({ now, place }: Target, path: string, view: View): Promise<Snapshot> {
  if (view.roots.some(({ real }) => real === place))
    throw new Fault("denied", `Cannot take ${JSON.stringify(path)} away: it is a root of this workspace`, { path });
  return orSuggestion(view, path, async () => {
    if (now) return now;
    throw new Fault("not_found", `Cannot find ${JSON.stringify(path)}: it does not exist`, { path });
  });
}
