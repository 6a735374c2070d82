import type { FoundEntry, FoundFacts } from "../../../workspace/walk/find.ts";
import { notOurCursor } from "../../../workspace/read/cursor.ts";
import type { FindInput } from "./input.ts";

/** The values that a sort order compares. */
export type Rank = Pick<FoundEntry, "path"> & { readonly facts: Pick<FoundFacts, "size" | "modifiedMs"> | undefined };

export type FindOrder = (a: Rank, b: Rank) => number;

/** Compares by the sort key, then by path, so that every order is total and a cursor can point into it. */
export function orderOf(sortBy: FindInput["sort_by"]): FindOrder {
  const sign = sortBy.startsWith("-") ? -1 : 1;
  const key = sortBy.replace("-", "");
  if (key === "path") return (a, b) => sign * byPath(a, b);
  const valueOf = ({ facts }: Rank): number => (key === "size" ? facts?.size : facts?.modifiedMs) ?? 0;
  return (a, b) => sign * (valueOf(a) - valueOf(b)) || byPath(a, b);
}

const byPath = (a: Rank, b: Rank): number => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1);

/** Encodes the last entry of a page. Files that are added or removed later shift no other entry to another page. */
export const findCursorAt = ({ path, facts }: Rank): string =>
  Buffer.from(JSON.stringify([path, facts?.size ?? 0, facts?.modifiedMs ?? 0])).toString("base64url");

export function rankAt(cursor: string): Rank {
  const [path, size, modifiedMs] = listIn(Buffer.from(cursor, "base64url").toString());
  if (typeof path !== "string" || typeof size !== "number" || typeof modifiedMs !== "number") throw notOurCursor();
  return { path, facts: { size, modifiedMs } };
}

function listIn(json: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
