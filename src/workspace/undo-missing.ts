import { isWithin } from "../base/paths.ts";
import type { SafePath } from "../storage/storage.ts";
import type { Effect } from "./change.ts";
import type { View } from "./view.ts";

/** Says why a file that a change left is not where that change has to be taken back. */
export async function reasonMissing(view: View, path: SafePath, changeId: string): Promise<string> {
  // The file on the disk is a later one, which the undo removes first.
  if (view.see(path)) return "another program moved or deleted it between these changes";
  const last = await lastEffectOn(view, path, changeId);
  if (last?.action === "delete") return "a later change deleted it";
  if (last?.action !== "move" || isWithin(path, last.path)) return "another program moved or deleted it since";
  const what = last.from === path ? "it" : "its directory";
  const to = view.shows(last.path) ? ` to ${JSON.stringify(view.nameOf(last.path))}` : "";
  return `a later change moved ${what}${to}`;
}

/** Returns what Holdfast did last to a path, or to a directory above it, after a change. */
async function lastEffectOn(view: View, path: SafePath, changeId: string): Promise<Effect | undefined> {
  for await (const { id, effects } of view.past.records(view.breathe)) {
    if (id === changeId) return undefined;
    const last = effects.findLast((effect) => concerns(effect, path));
    if (last) return last;
  }
  return undefined;
}

const concerns = ({ action, path, from }: Effect, place: SafePath): boolean =>
  action !== "mkdir" && action !== "chmod" && (isWithin(place, path) || (from !== undefined && isWithin(place, from)));
