import { Fault } from "../../base/errors.ts";
import type { Facts } from "../../storage/storage.ts";

/** A position in one file: a byte, and the line it is in when that is known. */
export interface Cursor {
  readonly byte: number;
  readonly line?: number;
}

/** Encodes a cursor that is opaque to callers. It is valid as long as the file is the same inode. */
export const cursorAt = ({ byte, line }: Cursor, facts: Facts): string =>
  Buffer.from([byte, line ?? "", stateOf(facts), nameOf(facts)].join("/")).toString("base64url");

const stateOf = ({ size, times }: Facts): string => `${size}:${times}`;

/** Identifies a file by inode and time of birth: a disk gives the inode number of a deleted file to the next one. */
const nameOf = ({ identity, createdMs }: Facts): string => `${identity}:${createdMs}`;

/**
 * Refuses a cursor that is not ours, or whose file was replaced. In a file that changed, only the byte is still known.
 */
export function parseCursor(cursor: string, facts: Facts): Cursor {
  const parts = /^(\d{1,16})\/(\d{0,16})\/([^/]*)\/(.+)$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) throw notOurCursor();
  const [, byte, line, state, made] = parts;
  if (made !== nameOf(facts) || Number(byte) > facts.size) throw staleCursorFault(line);
  return { byte: Number(byte), ...(line !== "" && state === stateOf(facts) && { line: Number(line) }) };
}

function staleCursorFault(line: string | undefined): Fault {
  const again = line === "" ? "read it again" : `read it again from offset ${line}`;
  return new Fault("stale", `Cannot continue from the cursor: the file was replaced; ${again}`);
}

/** Refuses a value that no answer of ours can have contained. */
export const notOurCursor = (): Fault =>
  new Fault("invalid_input", 'Cannot use "cursor": copy it unchanged from an earlier answer', { argument: "cursor" });
