import { Fault } from "../../../base/errors.ts";
import type { Version } from "../../../base/version.ts";

/** A position in a document: a unit, and how many of its characters were shown already. */
export interface DocumentCursor {
  readonly number: number;
  readonly at: number;
}

/** Encodes a cursor that is opaque to callers. It is valid for one state of the file. */
export const documentCursor = ({ number, at }: DocumentCursor, version: Version): string =>
  Buffer.from(`unit/${number}/${at}/${version}`).toString("base64url");

/** Returns undefined for a cursor that is none of a document; refuses one of another state of the file. */
export function parseDocumentCursor(cursor: string, version?: Version): DocumentCursor | undefined {
  const parts = /^unit\/(\d{1,10})\/(\d{1,10})\/(.+)$/.exec(Buffer.from(cursor, "base64url").toString());
  if (!parts) return undefined;
  if (version !== undefined && parts[3] !== version)
    throw new Fault("stale", "Cannot continue from the cursor: the document changed; read it again");
  return { number: Number(parts[1]), at: Number(parts[2]) };
}
