import { isoOf } from "../../../base/time.ts";
import type { FoundEntry } from "../../../workspace/walk/find.ts";
import type { FindInput } from "./input.ts";

/** The number and total size of the files with one key. */
export interface Group {
  readonly key: string;
  count: number;
  size: number;
}

export interface Groups {
  add(found: FoundEntry): void;
  /** Returns all groups, the largest total size first. */
  all(): readonly Group[];
}

/** Counts files and bytes per value of `group_by`. */
export function createGroups(by: NonNullable<FindInput["group_by"]>): Groups {
  const groups = new Map<string, Group>();
  const keyOf = KEYS[by];
  return {
    add(found) {
      const key = keyOf(found);
      const group = groups.get(key) ?? { key, count: 0, size: 0 };
      group.count++;
      group.size += found.facts?.size ?? 0;
      groups.set(key, group);
    },
    all: () => [...groups.values()].toSorted((a, b) => b.size - a.size || (a.key < b.key ? -1 : 1)),
  };
}

/** Returns the extension. A dot at the start of a name begins no extension. */
function extensionOf({ name }: FoundEntry): string {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? name.slice(dot).toLowerCase() : "(none)";
}

/** Returns the UTC day of the last modification. */
const dayOf = ({ facts }: FoundEntry): string => isoOf(facts?.modifiedMs ?? 0).slice(0, 10);

/** Returns the first directory below the start of the search. */
const directoryOf = ({ directory: { relativePath } }: FoundEntry): string =>
  relativePath === "" ? "." : (relativePath.split("/", 1)[0] as string);

const KEYS = { extension: extensionOf, directory: directoryOf, day: dayOf } as const;
