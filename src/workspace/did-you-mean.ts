import { Fault, hasCode, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, parentOf, relativePath } from "../base/paths.ts";
import type { OpenDirectory, SafePath } from "../storage/storage.ts";
import { foldLooks } from "../text/encoding/look-alikes.ts";
import { mostSimilar } from "../text/did-you-mean.ts";
import type { View } from "./view.ts";

/** Runs a lookup of a path. When nothing is there, the fault suggests a similar path or the nearest directory. */
export async function orSuggestion<T>(view: View, path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!hasCode(error, "not_found")) throw error;
    const nearest = await suggestionFor(view, path);
    if (!nearest) throw error;
    const help = nearest.isSimilar
      ? suggestedPath(path, nearest.name)
      : `the nearest directory is ${JSON.stringify(nearest.name)}`;
    const message = `Cannot find ${JSON.stringify(path)}: it does not exist; ${help}`;
    throw new Fault("not_found", message, { path, nearest: nearest.name }, error);
  }
}

/** Suggests another name. A name that looks the same is spelled with escapes, so that it can be copied. */
export function suggestedPath(path: string, name: string): string {
  const looksSame = foldLooks(name).endsWith(foldLooks(path));
  const codes = `${asciiJson(name)}, which looks the same? Copy it with these codes`;
  return `did you mean ${looksSame ? codes : `${JSON.stringify(name)}?`}`;
}

/** Quotes a name in ASCII, with escapes that tell look-alikes apart. */
export const asciiJson = (name: string): string =>
  JSON.stringify(name).replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

export interface Suggestion {
  readonly name: string;
  readonly isSimilar: boolean;
}

/**
 * Finds the most similar name in the deepest directory that exists; without one, that directory, unless the path names
 * an entry of it.
 */
export async function suggestionFor(view: View, path: string): Promise<Suggestion | undefined> {
  const place = await placeOf(view, path);
  if (place === undefined) return undefined;
  for (let [below, above] = [place, parentOf(place)]; above !== below; [below, above] = [above, parentOf(above)]) {
    const found = await similarIn(view, above, relativePath(above, below));
    if (!found) continue;
    if (!found.isSimilar && below === place) return undefined;
    const suggested = found.isSimilar ? await resolveRest(view, found.place, relativePath(below, place)) : found.place;
    return { name: view.nameOf(suggested), isSimilar: found.isSimilar };
  }
  return undefined;
}

/** Resolves a path; returns undefined when it is refused. */
async function placeOf(view: View, path: string): Promise<string | undefined> {
  try {
    return (await view.resolveTarget(path, "keep")).place;
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}

/** Returns undefined when the directory does not exist either, or is hidden. */
async function similarIn(view: View, directory: string, missing: string): Promise<Similar | undefined> {
  const look = async (open: OpenDirectory): Promise<Similar> => {
    const entries = (await view.entriesOf(open)).slice(0, LIMITS.similarNames);
    const names = entries.filter(({ raw }) => raw === undefined).map(({ name }) => name);
    const similar = mostSimilar(missing, names);
    const place = open.facts().path;
    return similar === undefined ? { place, isSimilar: false } : { place: childOf(place, similar), isSimilar: true };
  };
  try {
    return await view.withDirectory(directory, look);
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}

interface Similar {
  readonly place: SafePath;
  readonly isSimilar: boolean;
}

/** Follows the rest of the path after the mistyped name, as far as it or something similar exists. */
async function resolveRest(view: View, place: SafePath, rest: string): Promise<SafePath> {
  let here = place;
  for (const name of rest.split("/").filter(Boolean)) {
    const found = await similarIn(view, here, name);
    if (!found?.isSimilar) return here;
    here = found.place;
  }
  return here;
}
