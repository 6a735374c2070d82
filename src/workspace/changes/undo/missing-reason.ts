import { isWithin } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import type { Effect } from "../change.ts";
import type { View } from "../../view.ts";

/** Says why a file is missing, and whether the history still has the change that removed it. */
interface Missing {
  readonly reason: string;
  readonly isOurs: boolean;
}

/** Says why a file that a change left is not where that change has to be taken back. */
export async function reasonMissing(view: View, path: SafePath, changeId: string): Promise<Missing> {
  // The file on the disk is a later one, which the undo removes first.
  if (await view.snapshot(path)) return byOthers("between these changes");
  const last = await lastEffectOn(view, path, changeId);
  if (last?.action === "delete") return { reason: "a later change deleted it", isOurs: true };
  if (last?.action !== "move" || isWithin(path, last.path)) return byOthers("since");
  const what = last.from === path ? "it" : "its directory";
  const to = view.isVisible(last.path) ? ` to ${JSON.stringify(view.nameOf(last.path))}` : "";
  return { reason: `a later change moved ${what}${to}`, isOurs: true };
}

const byOthers = (when: string): Missing => ({
  reason: `another program moved or deleted it ${when}`,
  isOurs: false,
});

/** Returns what Holdfast did last to a path, or to a directory above it, after a change. */
async function lastEffectOn(view: View, path: SafePath, changeId: string): Promise<Effect | undefined> {
  for await (const { id, effects } of view.history.records(view.checkpoint)) {
    if (id === changeId) return undefined;
    const last = effects.findLast((effect) => concerns(effect, path));
    if (last) return last;
  }
  return undefined;
}

const concerns = ({ action, path, from }: Effect, place: SafePath): boolean =>
  action !== "mkdir" && action !== "chmod" && (isWithin(place, path) || (from !== undefined && isWithin(place, from)));
