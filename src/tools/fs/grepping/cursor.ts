import { notOurCursor } from "../../../workspace/read/cursor.ts";

/** Continues an answer: after the first `skip` ranked matches, or in path order after a line of a file. */
export type GrepCursor =
  | { readonly kind: "best"; readonly skip: number }
  | { readonly kind: "after"; readonly place: string; readonly line: number };

export const cursorOf = (cursor: GrepCursor): string =>
  cursor.kind === "best" ? `b${cursor.skip}` : `a${cursor.line}/${Buffer.from(cursor.place).toString("base64url")}`;

/** Parses a cursor. Its path is only compared and never opened. */
export function parseGrepCursor(cursor: string): GrepCursor {
  const best = /^b(\d{1,9})$/.exec(cursor);
  if (best) return { kind: "best", skip: Number(best[1]) };
  const after = /^a(\d{1,16})\/([\w-]*)$/.exec(cursor);
  if (!after) throw notOurCursor();
  return { kind: "after", line: Number(after[1]), place: Buffer.from(after[2] ?? "", "base64url").toString() };
}
