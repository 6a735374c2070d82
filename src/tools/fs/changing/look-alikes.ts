import { isFault } from "../../../base/errors.ts";
import { childOf, parentOf, relativePath } from "../../../base/paths.ts";
import type { SafePath } from "../../../storage/storage.ts";
import { foldLooks } from "../../../text/encoding/look-alikes.ts";
import type { Change } from "../../../workspace/changes/change.ts";
import { asciiJson } from "../../../workspace/did-you-mean.ts";
import type { View } from "../../../workspace/view.ts";

/**
 * Returns a note for each new name that looks the same as another name in its directory, because the other one was
 * probably meant.
 */
export async function lookAlikeNotes(view: View, changes: readonly Change[]): Promise<readonly string[]> {
  const created = changes.flatMap(placeCreatedBy);
  const fresh: ReadonlySet<string> = new Set(created);
  const vacated = new Set(changes.flatMap(placeVacatedBy));
  const notes: string[] = [];
  for (const place of new Set(created)) {
    const directory = parentOf(place);
    if (fresh.has(directory) || !CONFUSABLE.test(relativePath(directory, place))) continue;
    const lookAlike = (await lookAlikesOf(view, directory, place)).find((each) => !vacated.has(each));
    if (!lookAlike) continue;
    const [name, there] = [JSON.stringify(view.nameOf(place)), asciiJson(view.nameOf(lookAlike))];
    notes.push(`${name} looks the same as ${there}, which is there already`);
  }
  return notes;
}

/** Matches names that are often spelled in two ways. Other names do not cost a directory listing. */
const CONFUSABLE = /[ '"]|[^\0-\x7F]/;

function placeCreatedBy(change: Change): readonly SafePath[] {
  if (change.kind === "mkdir") return [change.path];
  if (change.kind === "write") return change.expect === null ? [change.path] : [];
  if (change.kind === "move" || change.kind === "copy") return change.replaces === null ? [change.to] : [];
  return [];
}

const placeVacatedBy = ({ kind, path }: Change): readonly SafePath[] =>
  kind === "move" || kind === "remove" ? [path] : [];

/** Returns an empty list if the directory may not be listed. */
async function lookAlikesOf(view: View, directory: string, place: string): Promise<readonly SafePath[]> {
  const name = relativePath(directory, place);
  const look = foldLooks(name);
  try {
    return await view.withDirectory(directory, async (open) => {
      const entries = await open.entries();
      const lookAlikes = entries.filter((each) => each.name !== name && !each.raw && foldLooks(each.name) === look);
      const { path } = open.facts();
      return view.visibleEntries(path, lookAlikes).map((lookAlike) => childOf(path, lookAlike.name));
    });
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return [];
    throw error;
  }
}
