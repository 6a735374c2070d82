import { Fault } from "../base/errors.ts";
import { childOf, isInNamedStorage, isStorageUrl, isWithin } from "../base/paths.ts";
import type { SharedDirectory } from "../exec/sandbox/docker/container-paths.ts";
import { isKernelPlace } from "../runtime/rules/guards.ts";
import {
  distinctRoots,
  openRoots,
  openSources,
  type Root,
  type SkippedRoot,
  sortRoots,
} from "../storage/local/jail/roots.ts";
import { resolvedPath } from "../storage/local/jail/resolved-links.ts";
import { stateHome } from "../storage/local/state/home.ts";
import type { Options } from "./options.ts";
import { mountStorages } from "./storages.ts";

/**
 * Opens the directories and storages of the operator. A directory with a name is a root as well; there must be at least
 * one root without.
 */
export function directoriesOf(options: Options) {
  const { sources: named = {}, warn } = options;
  const { roots: unnamed, storages } = mountStorages(options);
  const { roots, skipped } = openRoots(unnamed);
  const sources = openSources(named);
  for (const [name, source] of sources)
    if ("reason" in source) warn?.(`Skipped the source ${JSON.stringify(name)}: ${source.reason}`);
  const usable = [...sources.values()].filter((source) => "real" in source);
  const shown = rootInContainer(options, roots);
  return {
    roots: distinctRoots([...roots, ...(shown ? [rootAsShown(shown)] : []), ...usable]),
    storages,
    skipped,
    sources,
  };
}

/** Returns the root that the container of the program shows, and where; undefined where there is none. */
export function rootInContainer({ container }: Options, roots: readonly Root[]): SharedDirectory | undefined {
  const named = container?.root === undefined ? undefined : sortRoots([container.root]).roots[0];
  const host = (named ?? roots[0])?.real;
  return container && host !== undefined ? { host, container: container.directory } : undefined;
}

/** Lets the path in the container lead to the same files: commands print it. A storage is found behind two slashes. */
const rootAsShown = ({ host, container }: SharedDirectory): Root => ({
  given: isInNamedStorage(host) ? `/${container}` : container,
  real: host,
});

/** Returns where all state lives. */
export function homeOf({ stateDirectory = stateHome(process.env) }: Options): string {
  const home = resolvedPath(stateDirectory);
  if (!isKernelPlace(home)) return home;
  throw new Fault("invalid_input", `Cannot keep state in ${JSON.stringify(home)}: it is not a place for files`);
}

/** Returns the directory that holds the jobs of the user. */
export const jobsHomeOf = (home: string): string => childOf(home, "jobs");

/** Returns true for the home that every shell of the user finds by itself, whatever its environment. */
export const isUsualHome = (home: string): boolean => home === resolvedPath(stateHome({}));

/** Returns the directories that lie in one of the first and in one of the others. */
export const sharedRoots = (roots: readonly Root[], others: readonly Root[]): readonly Root[] => [
  ...others.filter(({ real }) => roots.some((root) => isWithin(real, root.real))),
  ...roots.filter(({ real }) => others.some((other) => other.real !== real && isWithin(real, other.real))),
];

/** Returns the directories that cannot be used, and why. */
export const skippedRoots = ({ roots }: Options): readonly SkippedRoot[] =>
  sortRoots(roots.filter((root) => typeof root === "string" && !isStorageUrl(root)) as readonly string[]).skipped;
