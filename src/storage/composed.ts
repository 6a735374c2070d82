import type { Cancellation } from "../base/time-slicing.ts";
import { createRoute } from "./route.ts";
import type { Containment, StorageReader } from "./storage.ts";

/** Reads several storages as one: every path goes to the storage of its innermost root. No link leads to another. */
export function composeStorages(storages: readonly [StorageReader, ...StorageReader[]]): StorageReader {
  const [first, ...others] = storages;
  if (others.length === 0) return first;
  const storageOf = createRoute(storages);
  return {
    capabilities: {
      symlinks: storages.some(({ capabilities }) => capabilities.symlinks),
      permissions: storages.some(({ capabilities }) => capabilities.permissions),
      containment: weakest(storages.map(({ capabilities }) => capabilities.containment)),
    },
    roots: storages.flatMap(({ roots }) => roots),
    stat: async (path, last) => storageOf(path).stat(path, last),
    destination: async (path, last) => storageOf(path).destination(path, last),
    withFile: async (path, use) => storageOf(path).withFile(path, use),
    withDirectory: async (path, use) => storageOf(path).withDirectory(path, use),
    openDirectory: async (path) => storageOf(path).openDirectory(path),
    onHintsLost(listener) {
      const ends = storages.map((storage) => storage.onHintsLost(listener));
      return () => ends.forEach((end) => end());
    },
    space: (root) => storageOf(root).space(root),
    isWritable: (root) => storageOf(root).isWritable(root),
    ...(storages.some(({ during }) => during) && {
      during: (call) => composeStorages([duringCall(first, call), ...others.map((each) => duringCall(each, call))]),
    }),
  };
}

/** Returns the same files for one call, where there is something to wait for. */
export const duringCall = (storage: StorageReader, call: Cancellation): StorageReader =>
  storage.during?.(call) ?? storage;

const weakest = (all: readonly Containment[]): Containment =>
  WEAKEST_FIRST.find((each) => all.includes(each)) ?? "best-effort";

const WEAKEST_FIRST: readonly Containment[] = ["best-effort", "handle", "object-store", "in-memory"];
