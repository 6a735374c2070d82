import { packed } from "../packed-entries.ts";
import type { Found, ReadAheadResult } from "./job-state.ts";

/** What was found as one text, for another thread. */
export function encodeResult(found: Found): string {
  const fields: string[] = [];
  for (const [way, scouted] of found) fields.push(way, ...(scouted ? fieldsOf(scouted) : NOTHING));
  return fields.join(SEPARATOR);
}

const fieldsOf = ({ found, kept, entries }: ReadAheadResult): readonly string[] => [
  String(found),
  String(kept),
  typeof entries === "string" ? entries : packed(entries),
];

const NOTHING: readonly string[] = ["", "", ""];

/** What such a text says. */
export function decodeResult(text: string): Found {
  const fields = text === "" ? [] : text.split(SEPARATOR);
  const found = new Map<string, ReadAheadResult | null>();
  for (let at = 0; at < fields.length; at += FIELDS) {
    const [way, all, kept, entries] = fields.slice(at, at + FIELDS) as [string, string, string, string];
    found.set(way, all === "" ? null : { found: Number(all), kept: Number(kept), entries });
  }
  return found;
}

/** No name and no path has it. */
const SEPARATOR = "\0";
const FIELDS = 4;
