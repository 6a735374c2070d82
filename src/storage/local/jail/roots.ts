import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errnoOf } from "../../../base/errno.ts";
import { Fault } from "../../../base/errors.ts";

/** A directory that the operator gave: as it was spelled, absolute, and its real path. */
export interface Root {
  readonly given: string;
  readonly real: string;
}

/** A directory that cannot be a root, with the reason. */
export interface SkippedRoot {
  readonly given: string;
  readonly kind: "not_a_directory" | "inaccessible";
  readonly reason: string;
}

interface SortedRoots {
  readonly roots: readonly Root[];
  readonly skipped: readonly SkippedRoot[];
}

/** Sorts the operator's directories into roots and skipped ones. Throws when none is left. Keeps roots as they are. */
export function openRoots(given: readonly (string | Root)[]): SortedRoots {
  const { roots, skipped } = sortRoots(given);
  if (roots.length > 0) return { roots, skipped };
  const reasons = skipped.map(({ given: path, reason }) => `${JSON.stringify(path)}: ${reason}`);
  const state =
    reasons.length > 0
      ? `none can be used (${reasons.join("; ")}); name one that exists, or see holdfast --help`
      : "none was given; name one, for example: holdfast ~/project";
  throw new Fault("invalid_input", `Cannot start without a directory: ${state}`);
}

/** Does the same for directories that somebody else names, without throwing. */
export function sortRoots(given: readonly (string | Root)[]): SortedRoots {
  const checked = given.map((root) => (typeof root === "string" ? checkRoot(root) : root));
  return {
    roots: distinctRoots(checked.filter((result) => "real" in result)),
    skipped: checked.filter((result) => "reason" in result),
  };
}

/** Checks directories that have a name: each is a root, or has a reason why it cannot be used. */
export const openSources = (named: Readonly<Record<string, string>>): ReadonlyMap<string, Root | SkippedRoot> =>
  new Map(Object.entries(named).map(([name, given]) => [name, checkRoot(given)]));

function checkRoot(given: string): Root | SkippedRoot {
  if (given === "") return { given, kind: "inaccessible", reason: "its name is empty" };
  try {
    const real = realpathSync(given);
    if (!statSync(real).isDirectory()) return { given, kind: "not_a_directory", reason: "it is not a directory" };
    accessSync(real, constants.R_OK | constants.X_OK);
    return { given: resolve(given), real };
  } catch (error) {
    return { given, kind: "inaccessible", reason: REASONS[errnoOf(error) ?? ""] ?? String(error) };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "it cannot be read",
  ENOTDIR: "a file is in the way",
};

/** Removes duplicates by spelling: one directory may be given by several names, and each name counts. */
export const distinctRoots = (roots: readonly Root[]): readonly Root[] => [
  ...new Map(roots.map((root) => [root.given, root])).values(),
];
