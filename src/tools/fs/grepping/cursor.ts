import { notOurCursor } from "../../../workspace/read/cursor.ts";

/** How an answer goes on: so many of the best left out, or what comes after a line of a file, in the order of paths. */
export type GrepCursor =
  | { readonly kind: "best"; readonly skip: number }
  | { readonly kind: "after"; readonly place: string; readonly line: number };

export const cursorOf = (cursor: GrepCursor): string =>
  cursor.kind === "best" ? `b${cursor.skip}` : `a${cursor.line}/${Buffer.from(cursor.place).toString("base64url")}`;

/** The place is only compared, never opened. */
export function parseGrepCursor(cursor: string): GrepCursor {
  const best = /^b(\d{1,9})$/.exec(cursor);
  if (best) return { kind: "best", skip: Number(best[1]) };
  const after = /^a(\d{1,16})\/([\w-]*)$/.exec(cursor);
  if (!after) throw notOurCursor();
  return { kind: "after", line: Number(after[1]), place: Buffer.from(after[2] ?? "", "base64url").toString() };
}
