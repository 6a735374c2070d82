import type { Kind, Watched } from "../storage/storage.ts";
import { kindOf, type Mark, signOf, unknownMark } from "./watch-marks.ts";

/** A directory that is watched, and what was seen in it last. There may be tens of thousands: every field counts. */
export interface Branch {
  parent: Branch | null;
  name: string;
  readonly mark: Mark;
  /** Undefined once it is watched no more. */
  watched: Watched | undefined;
  entries: Entries | Folded;
  /** How files looked that something has happened to already. */
  stamps: Map<string, number> | undefined;
}

/** By name: branches where directories are watched as well, marks of everything else. */
export type Entries = Map<string, Branch | Mark>;

/** The same for a directory that nothing has happened to yet, in a quarter of the memory. */
export interface Folded {
  /** A sign for the kind and the name of each leaf, joined by the one character that no name has. */
  readonly leaves: string;
  /** One for each of the leaves, once they were looked at. */
  readonly marks: readonly Mark[] | undefined;
  readonly branches: readonly Branch[];
}

/** Something in a directory that is not watched itself. */
export interface Leaf {
  readonly name: string;
  readonly kind: Kind;
}

export const fold = (leaves: string, branches: readonly Branch[]): Folded => ({ leaves, marks: undefined, branches });

export const NOTHING: Folded = fold("", []);

export const leavesOf = (leaves: readonly Leaf[]): string =>
  leaves.map(({ name, kind }) => `${signOf(kind)}${name}`).join("/");

export const leavesIn = ({ leaves }: Folded): readonly Leaf[] =>
  leaves === "" ? [] : leaves.split("/").map((leaf) => ({ name: leaf.slice(1), kind: kindOf(leaf) }));

/** What is in a branch, to be looked up and changed. */
export function entriesOf(branch: Branch): Entries {
  if (branch.entries instanceof Map) return branch.entries;
  const { marks, branches } = branch.entries;
  const entries: Entries = new Map(
    leavesIn(branch.entries).map(({ name, kind }, nth) => [name, marks?.[nth] ?? unknownMark(kind)]),
  );
  for (const inner of branches) entries.set(inner.name, inner);
  branch.entries = entries;
  return entries;
}

/** The directories in a branch that are watched. */
export function branchesIn({ entries }: Branch): readonly Branch[] {
  if (!(entries instanceof Map)) return entries.branches;
  return [...entries.values()].filter((each) => typeof each !== "number");
}
