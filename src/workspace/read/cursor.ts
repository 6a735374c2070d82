import { Fault } from "../../base/errors.ts";
import type { Facts } from "../../storage/storage.ts";

/** A place in one file: a byte, and the line it is in when that is known. */
export interface Cursor {
  readonly byte: number;
  readonly line?: number;
}

/** Opaque to callers. Holds good for as long as the file is the same object. */
export const cursorAt = ({ byte, line }: Cursor, facts: Facts): string =>
  Buffer.from([byte, line ?? "", stateOf(facts), nameOf(facts)].join("/")).toString("base64url");

const stateOf = ({ size, times }: Facts): string => `${size}:${times}`;

/** A disk gives the number of a deleted file to the next: the time of birth tells them apart. */
const nameOf = ({ identity, createdMs }: Facts): string => `${identity}:${createdMs}`;

/** Refuses a cursor that is not ours, or whose file is gone. In a file that changed, only the byte is still known. */
export function parseCursor(cursor: string, facts: Facts): Cursor {
  const parts = /^(\d{1,16})\/(\d{0,16})\/([^/]*)\/(.+)$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) throw notOurCursor();
  const [, byte, line, state, made] = parts;
  if (made !== nameOf(facts) || Number(byte) > facts.size) throw replaced(line);
  return { byte: Number(byte), ...(line !== "" && state === stateOf(facts) && { line: Number(line) }) };
}

function replaced(line: string | undefined): Fault {
  const again = line === "" ? "read it again" : `read it again from offset ${line}`;
  return new Fault("stale", `Cannot continue from the cursor: the file was replaced; ${again}`);
}

/** For what no answer of ours can have held. */
export const notOurCursor = (): Fault =>
  new Fault("invalid_input", 'Cannot use "cursor": copy it unchanged from an earlier answer', { argument: "cursor" });
