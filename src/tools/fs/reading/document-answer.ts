import { isoOf } from "../../../base/time.ts";
import type { DocumentPage, DocumentPart, DocumentUnit } from "../../../content/documents/document.ts";
import { cutOutside } from "../../../text/cut-points.ts";
import { plural } from "../../../text/plural.ts";
import { visible } from "../../../text/quote.ts";
import type { View } from "../../../workspace/view.ts";
import { type Block, bracketed } from "../../tool.ts";
import { type DocumentCursor, documentCursor } from "./document-cursor.ts";
import type { DocumentReading } from "./document.ts";

/** Builds the answer for one document: as many whole units as fit, or the start of one that does not. */
export function documentAnswer(path: string, reading: DocumentReading, chars: number, view: View) {
  const { kind, page, file, version, bytes } = reading;
  const { facts } = file;
  const { text, last, next, images } = filledPage(reading, chars, view);
  const notes = [...page.notes, ...(last === undefined ? [nothingNote(page)] : []), ...cutNotes(page, next, version)];
  const head = page.head === undefined || last === undefined ? [] : [page.head];
  const content = [...head, ...text].join("\n");
  const first = last === undefined ? undefined : page.parts[0]?.number;
  const data = {
    path,
    content,
    version,
    size: facts.size,
    modified: isoOf(facts.modifiedMs),
    document: { format: kind, unit: page.unit, total: page.total, first, last },
    truncated: next !== undefined,
    ...(next && { truncated_by: "bytes" as const, cursor: documentCursor(next, version) }),
    ...(next?.at === 0 && { next_offset: next.number }),
    ...(notes.length > 0 && { notes }),
  };
  const blocks: readonly Block[] = [
    ...(content === "" ? [] : [{ kind: "text", text: content } as const]),
    ...images.map(
      ({ mime, data: image }) => ({ kind: "image", mime, data: Buffer.from(image).toString("base64") }) as const,
    ),
    ...notes.map((note) => ({ kind: "text", text: bracketed(note) }) as const),
  ];
  const seen = { version, size: facts.size, modifiedMs: facts.modifiedMs, identity: facts.identity, sha256: undefined };
  return { data, blocks, note: () => view.seenFiles.read(facts.path, seen, bytes) };
}

interface FilledPage {
  readonly text: readonly string[];
  readonly images: NonNullable<DocumentPart["images"]>;
  /** The last unit that is shown, wholly or in part. */
  readonly last: number | undefined;
  readonly next: DocumentCursor | undefined;
}

function filledPage({ page, start }: DocumentReading, chars: number, view: View): FilledPage {
  const text: string[] = [];
  const images: NonNullable<DocumentPart["images"]>[number][] = [];
  let [used, last] = [0, undefined as number | undefined];
  for (const part of page.parts) {
    const at = part.number === start?.number ? start.at : 0;
    const body = part.text.slice(at);
    const title = titleOf(page, part, at);
    const needed = body.length + title.join("").length;
    if (used > 0 && used + needed > chars) return { text, images, last, next: { number: part.number, at: 0 } };
    last = part.number;
    images.push(...(at === 0 ? (part.images ?? []) : []));
    if (body.length > chars) {
      const end = cutPoint(body, chars, view);
      text.push(...title, body.slice(0, end));
      return { text, images, last, next: { number: part.number, at: at + end } };
    }
    text.push(...title, body);
    used += needed + 1;
  }
  const next = last === undefined || last >= page.total ? undefined : { number: last + 1, at: 0 };
  return { text, images, last, next };
}

/** Cuts after a line, or in one that is longer than the page; never inside a secret. */
function cutPoint(text: string, chars: number, view: View): number {
  const line = text.lastIndexOf("\n", chars - 1) + 1;
  const wanted = line > 0 ? line : chars;
  const ranges = view.uncuttableRanges(text.slice(0, chars * 2));
  const before = cutOutside(ranges, wanted, "before");
  return before > 0 ? before : cutOutside(ranges, wanted, "behind");
}

/** Names a unit above its text. Lines and rows speak for themselves. */
function titleOf({ unit, total }: DocumentPage, { number, title }: DocumentPart, at: number): readonly string[] {
  if (unit === "line" || unit === "row") return [];
  const name = `${unit[0]?.toUpperCase()}${unit.slice(1)} ${number} of ${total}`;
  return [`--- ${name}${title === undefined ? "" : `: ${visible(title)}`}${at > 0 ? " (continued)" : ""} ---`];
}

const nothingNote = ({ unit, total }: DocumentPage): string =>
  total === 0 ? "Empty document" : `Nothing there: the document has ${plural(total, unit)}`;

function cutNotes({ unit, total }: DocumentPage, next: DocumentCursor | undefined, version: string): readonly string[] {
  if (!next) return [];
  if (next.at > 0)
    return [`Cut inside ${unit} ${next.number} of ${total}; cursor=${JSON.stringify(documentCursor(next, version))}`];
  return [`Cut: ${moreUnits(total - next.number + 1, unit)}; offset=${next.number}`];
}

const moreUnits = (count: number, unit: DocumentUnit): string => `${count} more ${unit}${count === 1 ? "" : "s"}`;
