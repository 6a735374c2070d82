import { packEntries } from "../packed-entries.ts";
import type { ReadAheadResults, ReadAheadResult } from "./run-job.ts";

/** Encodes results as one string, to post them to the other thread. */
export function encodeResult(found: ReadAheadResults): string {
  const fields: string[] = [];
  for (const [relativePath, result] of found) fields.push(relativePath, ...(result ? fieldsOf(result) : NOTHING));
  return fields.join(SEPARATOR);
}

const fieldsOf = ({ totalCount, shownCount, entries }: ReadAheadResult): readonly string[] => [
  String(totalCount),
  String(shownCount),
  typeof entries === "string" ? entries : packEntries(entries),
];

const NOTHING: readonly string[] = ["", "", ""];

/** Decodes what `encodeResult` made. */
export function decodeResult(text: string): ReadAheadResults {
  const fields = text === "" ? [] : text.split(SEPARATOR);
  const found = new Map<string, ReadAheadResult | null>();
  for (let at = 0; at < fields.length; at += FIELDS) {
    const [relativePath, all, kept, entries] = fields.slice(at, at + FIELDS) as [string, string, string, string];
    found.set(relativePath, all === "" ? null : { totalCount: Number(all), shownCount: Number(kept), entries });
  }
  return found;
}

/** Occurs in no name and no path. */
const SEPARATOR = "\0";
const FIELDS = 4;
