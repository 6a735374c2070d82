import { Fault, hasCode, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { childOf, parentOf, wayFrom } from "../base/paths.ts";
import type { OpenDirectory, SafePath } from "../storage/storage.ts";
import { mostSimilar } from "../text/similar.ts";
import type { View } from "./view.ts";

/** Looks for something below a path. When that is not there, the fault names the nearest thing that is. */
export async function orNearest<T>(view: View, path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!hasCode(error, "not_found") || typeof error.details["path"] !== "string") throw error;
    const nearest = await nearestTo(view, error.details["path"]);
    if (!nearest) throw error;
    const name = JSON.stringify(nearest.name);
    const help = nearest.isSimilar ? `did you mean ${name}?` : `the nearest directory is ${name}`;
    const message = `Cannot open ${JSON.stringify(path)}: it does not exist; ${help}`;
    throw new Fault("not_found", message, { path, nearest: nearest.name }, error);
  }
}

interface Nearest {
  readonly name: string;
  readonly isSimilar: boolean;
}

/** What has the most similar name in the deepest directory that exists, else that directory. */
async function nearestTo(view: View, place: string): Promise<Nearest | undefined> {
  for (let [below, above] = [place, parentOf(place)]; above !== below; [below, above] = [above, parentOf(above)]) {
    const found = await similarIn(view, above, wayFrom(above, below));
    if (!found) continue;
    const meant = found.isSimilar ? await restOf(view, found.place, wayFrom(below, place)) : found.place;
    return { name: view.nameOf(meant), isSimilar: found.isSimilar };
  }
  return undefined;
}

/** Undefined where the directory does not exist either, or may not be seen. */
async function similarIn(view: View, directory: string, missing: string): Promise<Similar | undefined> {
  const look = async (open: OpenDirectory): Promise<Similar> => {
    const names = (await view.entriesOf(open)).slice(0, LIMITS.similarNames).map(({ name }) => name);
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

/** With what followed the mistyped name, where that exists. */
async function restOf(view: View, place: SafePath, rest: string): Promise<SafePath> {
  if (rest === "") return place;
  const whole = childOf(place, rest);
  try {
    return (await view.look(whole, "keep")) ? whole : place;
  } catch (error) {
    if (isFault(error) && error.code !== "cancelled") return place;
    throw error;
  }
}
