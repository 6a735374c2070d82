import { attributesOf, tagsIn } from "./xml-tags.ts";

/** Says how the format of a cell shows its value. */
export type NumberFormat = "text" | "date" | "other";

/** Returns the formats of cells by the number of their style. */
export function numberFormatsIn(styles: string): readonly NumberFormat[] {
  const codes = new Map<string, string>();
  const formats: NumberFormat[] = [];
  let isInside = false;
  for (const tag of tagsIn(styles)) {
    if (tag.name === "cellXfs") isInside = tag.kind === "open";
    if (tag.kind === "close") continue;
    const attributes = tag.name === "numFmt" || tag.name === "xf" ? attributesOf(styles, tag) : undefined;
    if (tag.name === "numFmt") codes.set(attributes?.get("numFmtId") ?? "", attributes?.get("formatCode") ?? "");
    if (tag.name !== "xf" || !isInside) continue;
    const id = attributes?.get("numFmtId") ?? "0";
    formats.push(formatOf(Number(id), codes.get(id)));
  }
  return formats;
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined)
    return id === TEXT ? "text" : DATES.some(([from, to]) => id >= from && id <= to) ? "date" : "other";
  if (code === "@") return "text";
  // Letters of dates count only outside of texts, colours and conditions.
  return /[dmyhs]/i.test(code.replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "")) && code !== "General"
    ? "date"
    : "other";
}

const TEXT = 49;
/** The formats of dates and times that every program has. */
const DATES = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
] as const;

/** Returns the number that stands for a date, or undefined if the text is none such as "2026-11-18T09:30:00". */
export function serialOf(text: string, isFrom1904: boolean): number | undefined {
  const [, day, time = "00:00:00"] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?Z?$/.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`);
  if (day === undefined || Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(day)) return undefined;
  const serial = (ms - FIRST_DAY) / DAY_MS - (isFrom1904 ? DAYS_TO_1904 : 0);
  // Before March 1900 programs disagree: the format counts a day that never was.
  return serial >= (isFrom1904 ? 0 : 61) ? serial : undefined;
}

/** Returns the date that a number stands for, as `read` shows it. */
export function dateOf(serial: number, isFrom1904: boolean): string {
  const ms = Math.round((serial + (isFrom1904 ? DAYS_TO_1904 : 0)) * DAY_MS) + FIRST_DAY;
  if (!(Math.abs(ms) < 8.64e15)) return String(serial);
  return new Date(ms).toISOString().replace(/(?:T00:00:00)?\.000Z$/, "");
}

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1462;
