import { Fault } from "../base/errors.ts";
import type { Facts } from "../storage/storage.ts";

/** A place in one file: a byte, and the line it is in when that is known. */
export interface Cursor {
  readonly byte: number;
  readonly line?: number;
}

/** Opaque to callers. Holds good for as long as the file is the same object. */
export const cursorAt = ({ byte, line }: Cursor, { identity }: Facts): string =>
  Buffer.from(`${byte}/${line ?? ""}/${identity}`).toString("base64url");

/** Refuses a cursor that is not ours, or that was made for a file that is no longer there. */
export function parseCursor(cursor: string, { identity, size }: Facts): Cursor {
  const [, byte, line, made] = /^(\d{1,16})\/(\d{0,16})\/(.+)$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (made === undefined) throw notOurCursor();
  const place = { byte: Number(byte), ...(line !== "" && { line: Number(line) }) };
  if (made === identity && place.byte <= size) return place;
  const again = place.line === undefined ? "read it again" : `read it again from offset ${place.line}`;
  throw new Fault("stale", `Cannot go on from the cursor: the file was replaced; ${again}`);
}

/** For what no answer of ours can have held. */
export const notOurCursor = (): Fault =>
  new Fault("invalid_input", 'Cannot use "cursor": copy it unchanged from an earlier answer', { argument: "cursor" });
