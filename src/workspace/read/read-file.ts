import { Fault, hasCode } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { isHashed, sha256, type Version, versionOf } from "../../base/version.ts";
import { describeBinary, type Media, mediaOf } from "../../content/media.ts";
import type { Facts, OpenFile } from "../../storage/storage.ts";
import { detectEncoding, quickEncoding } from "../../text/encoding/detect.ts";
import { decode, encodingNamed } from "../../text/encoding/encoding.ts";
import { countLineFeeds, lineFeedOf, lineStart } from "../../text/line-feeds.ts";
import type { UncuttableRanges } from "../../text/cut-points.ts";
import { type ReadText, readUtf8 } from "../../text/encoding/utf8.ts";
import { type Cursor, cursorAt, parseCursor } from "./cursor.ts";
import type { KnownLines } from "./line-index.ts";
import { type Budget, bytesFrom, linesFrom, type Page, nearestCutPoint } from "./page.ts";
import {
  chunksOf,
  findLine,
  findLineFromEnd,
  type Scan,
  type ByteSource,
  sourceOfBytes,
  sourceOfFile,
  withLastPart,
} from "./scan.ts";
import { checksumOf } from "./whole-file.ts";

/** Selects a part of a file and its form. */
export interface ReadOptions {
  readonly offset?: number | undefined;
  readonly unit: "lines" | "bytes";
  readonly cursor?: string | undefined;
  readonly budget: Budget;
  /** An encoding label, "base64" for raw bytes, or undefined to detect the encoding. */
  readonly encoding?: string | undefined;
  readonly checksum: boolean;
  /** Requests the number of the first line, even where it costs a scan. */
  readonly numbered: boolean;
  /** Shows media in another form; without it, they are returned as they are. */
  readonly presenter?: MediaPresenter | undefined;
}

/** Turns media into what a model is shown. */
export interface MediaPresenter {
  /** Is true when some text is shown as media. */
  readonly renders: boolean;
  /** Returns the type of a text that is to be shown as media; undefined for all others. */
  renderedAs(head: Uint8Array): Media | undefined;
  /** Checks whether it shows media of this type. */
  takes(media: Media, head: Uint8Array): boolean;
  show(media: Media, source: Pick<ByteSource, "size" | "read">): Promise<ShownMedia>;
}

/** Holds media in the form in which a model is shown them. */
export interface ShownMedia {
  readonly blocks: readonly { readonly kind: "image" | "audio"; readonly bytes: Buffer; readonly mime: string }[];
  readonly notes: readonly string[];
}

/** Holds what a read needs from the call around it. */
export interface Reader {
  readonly linesOf: (facts: Facts) => KnownLines;
  readonly checkpoint: Checkpoint;
  readonly progress: (done: number, total: number) => void;
  /** Finds ranges that no page of a large file may cut apart. */
  readonly uncuttableRanges: UncuttableRanges;
}

/** One page of a file, with everything that was learned about the file on the way. */
export interface ReadResult extends Part {
  /** Describes the content that is shown, which may be redacted. */
  readonly facts: Facts;
  /** Describes the real file. */
  readonly size: number;
  readonly identity: string;
  readonly version: Version;
  readonly sha256: string | undefined;
  /** Holds all real bytes, where they were read anyway. */
  readonly bytes: Uint8Array | undefined;
}

interface Part {
  readonly body:
    | ({
        readonly kind: "text";
        readonly encoding: string;
        readonly firstLine: number | undefined;
      } & ReadText)
    | { readonly kind: "bytes"; readonly bytes: Buffer }
    | { readonly kind: "media"; readonly bytes: Buffer; readonly media: Media }
    | { readonly kind: "shown"; readonly media: Media; readonly shown: ShownMedia };
  readonly totalLines?: number | undefined;
  /** Says where the file continues after this page; absent at its end. */
  readonly next?: Next | undefined;
}

interface Next extends Cursor {
  readonly inLine: boolean;
  readonly cursor: string;
  /** Names the limit of the budget that the page reached. */
  readonly by: "lines" | "bytes";
}

/** Reads one page. Never holds more than a page and two scan buffers in memory, however large the file is. */
export async function readFile(file: OpenFile, options: ReadOptions, reader: Reader): Promise<ReadResult> {
  const { facts, original } = file;
  const onDisk = sourceOfFile(file);
  const whole = isHashed(facts) ? await onDisk.part(0, facts.size) : undefined;
  const source = whole ? sourceOfBytes(whole) : withLastPart(onDisk);
  const version = original?.version ?? versionOf(facts, whole);
  const checksum = options.checksum ? (whole && !original ? sha256(whole) : await checksumOf(file, reader)) : undefined;
  const label = options.encoding ?? (await labelOf(source, facts, whole, { reader, presenter: options.presenter }));
  const copy = original && file.bytes;
  const { body, totalLines, next } = await readPart(label, { facts, source, whole, copy, options, reader });
  const { size, identity } = original?.facts ?? facts;
  const bytes = original ? original.bytes : whole;
  return { facts, size, identity, version, sha256: checksum, bytes, body, totalLines, next };
}

interface ReadJob {
  readonly facts: Facts;
  readonly source: ByteSource;
  readonly whole: Buffer | undefined;
  /** The redacted content that is shown instead of the file, where it is cached. */
  readonly copy: Buffer | undefined;
  readonly options: ReadOptions;
  readonly reader: Reader;
}

function readPart(label: string | Media, job: ReadJob): Promise<Part> {
  if (typeof label !== "string") return readMedia(label, job);
  if (label === "base64") return readBytes(job);
  return readText(job.options.encoding === undefined ? label : encodingNamed(label), job);
}

/** Detects the encoding of text, or the kind of media. Detects it once for a large file. */
async function labelOf(
  source: ByteSource,
  facts: Facts,
  whole: Buffer | undefined,
  { reader, presenter }: { readonly reader: Reader; readonly presenter: MediaPresenter | undefined },
): Promise<string | Media> {
  if (whole) return detectLabel(whole.subarray(0, LIMITS.sniffBytes), whole.length, presenter);
  const known = reader.linesOf(facts);
  if (known.label !== undefined && !presenter?.renders) return known.label;
  const label = await detectLabel(await source.part(0, LIMITS.sniffBytes), source.size, presenter);
  if (typeof label === "string") known.label = label;
  return label;
}

/**
 * Inspects the start of a file; the quick detection decides for nearly every one. Refuses binary data that is no media,
 * with its type and size.
 */
async function detectLabel(head: Buffer, size: number, presenter: MediaPresenter | undefined): Promise<string | Media> {
  const rendered = presenter?.renders && presenter.renderedAs(head);
  if (rendered) return rendered;
  const complete = head.length === size;
  const quick = quickEncoding(head, complete);
  if (quick) return quick.label;
  const media = await mediaOf(head);
  if (media && (presenter ? presenter.takes(media, head) : media.kind !== "other")) return media;
  const encoding = await detectEncoding(head, complete);
  if (encoding) return encoding.label;
  throw new Fault("not_text", `Cannot read it as text: it is ${await describeBinary(head, size)}`, {
    mime: media?.mime,
    size,
  });
}

async function readMedia(media: Media, { source, facts: { size }, options: { presenter } }: ReadJob): Promise<Part> {
  const { mime } = media;
  if (presenter) return { body: { kind: "shown", media, shown: await presenter.show(media, source) } };
  if (size > LIMITS.mediaBytes) {
    throw new Fault("too_large", `Cannot show ${mime} of ${size} bytes: the limit is ${LIMITS.mediaBytes}`, {
      mime,
      size,
    });
  }
  return { body: { kind: "media", media, bytes: await source.part(0, source.size) } };
}

async function readBytes({ source, facts, options }: ReadJob): Promise<Part> {
  const from =
    options.cursor === undefined
      ? resolveOffset(options.offset ?? 0, source.size)
      : parseCursor(options.cursor, facts).byte;
  const page = await bytesFrom(source, from, undefined, options.budget.bytes);
  return { body: { kind: "bytes", bytes: page.bytes }, next: nextOf(page, source, facts, "bytes") };
}

/** Resolves an offset from the start, or from the end when it is negative, and clamps it to the file. */
const resolveOffset = (offset: number, size: number): number =>
  Math.min(size, offset < 0 ? Math.max(0, size + offset) : offset);

async function readText(label: string, job: ReadJob): Promise<Part> {
  const { facts, source, options, reader } = job;
  const start = options.cursor === undefined && startsAtTop(options) ? TOP : await startOf(label, job);
  const from = start.line === undefined ? await withLineNumber(label, job, start) : start;
  const page =
    options.unit === "bytes"
      ? await bytesFrom(source, from.byte, label, options.budget.bytes)
      : await linesFrom(source, from.byte, label, options.budget, job.whole ? undefined : reader.uncuttableRanges);
  const line = options.unit === "bytes" || from.line === undefined ? undefined : from.line + page.lineFeeds;
  const endsAtLineStart = page.bytes.length > 0 && page.end < source.size && !page.endsInLine;
  if (line !== undefined && endsAtLineStart) reader.linesOf(facts).by(lineFeedOf(label)).add({ line, byte: page.end });
  const body = { kind: "text", ...decodedPage(page, label, job), firstLine: from.line } as const;
  const isWhole = line !== undefined && (job.whole !== undefined || page.end >= source.size);
  const totalLines = isWhole ? line + (await linesAfter(label, job, page)) : undefined;
  const by = page.lineFeeds >= options.budget.lines ? "lines" : "bytes";
  return { body, totalLines, next: nextOf(page, source, facts, by, line) };
}

const TOP: Required<Cursor> = { byte: 0, line: 1 };
const startsAtTop = ({ unit, offset = 1 }: ReadOptions): boolean => unit === "lines" && (offset === 1 || offset === 0);

/** Finds the start of the page, and its line number when that is known on the way. */
async function startOf(label: string, { facts, source, whole, options, reader }: ReadJob): Promise<Cursor> {
  if (options.cursor !== undefined) {
    const at = parseCursor(options.cursor, facts);
    return whole ? at : { ...at, byte: await nearestCutPoint(source, at.byte, reader.uncuttableRanges, "before") };
  }
  if (options.unit === "bytes") return { byte: resolveOffset(options.offset ?? 0, source.size) };
  const feed = lineFeedOf(label);
  const scan: Scan = { source, feed, checkpoint: reader.checkpoint, progress: reader.progress };
  const offset = options.offset ?? 1;
  if (offset > 0) return pastEnd(await findLine(scan, reader.linesOf(facts).by(feed), offset), offset, source);
  return { byte: await findLineFromEnd(scan, -offset) };
}

/** Returns the end of the file when it has fewer lines than requested: the page is empty. */
const pastEnd = (found: Required<Cursor>, requested: number, source: ByteSource): Cursor =>
  found.line === requested ? found : { byte: source.size, line: found.line };

/** Computes the line number where it costs nothing, or where it was requested. */
async function withLineNumber(label: string, { whole, source, options, reader }: ReadJob, at: Cursor): Promise<Cursor> {
  const feed = lineFeedOf(label);
  if (whole) return { ...at, line: 1 + countLineFeeds(whole.subarray(0, at.byte), feed) };
  if (!options.numbered) return at;
  let line = 1;
  for await (const { chunk, start } of chunksOf({ source, ...reader }, 0)) {
    line += countLineFeeds(chunk.subarray(0, Math.max(0, at.byte - start)), feed);
    if (start + chunk.length >= at.byte) break;
  }
  return { ...at, line };
}

type DecodedPage = ReadText & { readonly encoding: string };

/** Caches the last decoded page of each redacted copy. */
const decodedPages = new WeakMap<Buffer, { readonly key: string; readonly decoded: DecodedPage }>();

/** Decodes a page. A redacted copy is cached so that it need not be redacted again; its last page is cached with it. */
function decodedPage({ bytes, start, end }: Page, label: string, { copy }: ReadJob): DecodedPage {
  if (!copy) return decodePage(bytes, label);
  const key = `${start} ${end} ${label}`;
  const cached = decodedPages.get(copy);
  const page = cached?.key === key ? cached : { key, decoded: decodePage(bytes, label) };
  if (page !== cached) decodedPages.set(copy, page);
  return page.decoded;
}

/** Falls back to Windows-1252 for bytes that the detected encoding cannot represent, and reports that encoding. */
function decodePage(bytes: Buffer, label: string): DecodedPage {
  const read = label === "utf-8" ? readUtf8(bytes) : null;
  if (read) return { ...read, encoding: label };
  try {
    return { text: decode(bytes, label), encoding: label };
  } catch (error) {
    if (!hasCode(error, "not_text") || label.startsWith("utf-16")) throw error;
    return { text: decode(bytes, "windows-1252"), encoding: "windows-1252" };
  }
}

function nextOf(page: Page, source: ByteSource, facts: Facts, by: Next["by"], line?: number): Next | undefined {
  if (page.end >= source.size) return undefined;
  const at = { byte: page.end, ...(line !== undefined && { line }) };
  return { ...at, inLine: page.endsInLine, cursor: cursorAt(at, facts), by };
}

/** Counts the lines after the one that a page ends in. Requires the whole file in memory, or the last page. */
async function linesAfter(label: string, { whole, source }: ReadJob, page: Page): Promise<number> {
  const feed = lineFeedOf(label);
  const rest = whole ? countLineFeeds(whole.subarray(page.end), feed) : 0;
  const tail = whole ?? (await source.part(Math.max(0, source.size - 2), 2));
  const isEnded = lineStart(tail, tail.length, feed) === tail.length || tail.length === 0;
  return rest - (isEnded ? 1 : 0);
}
