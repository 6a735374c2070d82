import { Fault, isFault } from "../base/errors.ts";
import { LIMITS } from "../base/limits.ts";
import { encodingNamed } from "../text/encoding/encoding.ts";
import type { Native } from "./native.ts";

/** Selects lines. Without members, it selects all. */
export interface LineRange {
  /** Counts from the end if it is negative. */
  readonly offset?: number;
  readonly lines?: number;
}

/** Reads a file or some of its lines as text, page by page. Bytes that are not text are decoded as UTF-8. */
export async function wholeText(native: Native<"read">, path: string, range: LineRange = {}): Promise<string> {
  try {
    const text = await joinedLines(native, path, range);
    if (text !== undefined) return text;
  } catch (error) {
    if (!isFault(error) || !isNoText(error)) throw error;
  }
  return linesOf(Buffer.from(await wholeBase64(native, path), "base64").toString("utf8"), range);
}

/** Returns true for binary files, and for media that are too large to show. */
const isNoText = ({ code, details }: Fault): boolean =>
  code === "not_text" || (code === "too_large" && details["mime"] !== undefined);

/** Joins the pages of a file. Returns undefined if the native tool shows it as image or audio. */
async function joinedLines(
  native: Native<"read">,
  path: string,
  { offset, lines }: LineRange,
): Promise<string | undefined> {
  const pages = createPages(path);
  let rest = lines ?? LIMITS.offsetMost;
  do {
    const from = pages.cursor === undefined ? offset !== undefined && { offset } : { cursor: pages.cursor };
    const whole = { path, as: "source" as const, limit: rest, max_bytes: LIMITS.pageBytesMost };
    const page = await native.call("read", { ...whole, ...from });
    if (page.content === undefined) return undefined;
    pages.add({ ...page, content: page.content });
    if (lines !== undefined) rest -= page.content.split("\n").length - 1;
  } while (pages.cursor !== undefined && rest > 0);
  return pages.text();
}

/** Selects lines, including their line breaks. */
function linesOf(text: string, { offset = 0, lines }: LineRange): string {
  const all = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return all.slice(offset).slice(0, lines).join("");
}

/** Reads all bytes of a file. */
export async function wholeBase64(native: Native<"read">, path: string): Promise<string> {
  const pages = createPages(path);
  do {
    const from = pages.cursor === undefined ? {} : { cursor: pages.cursor };
    const page = await native.call("read", { path, encoding: "base64", limit: WHOLE_GROUPS, ...from });
    pages.add({ ...page, content: page.content ?? "" });
  } while (pages.cursor !== undefined);
  return pages.text();
}

/** Selects bytes of a file, as text or as base64. */
export interface ByteRange {
  readonly offset: number;
  readonly limit: number;
  readonly encoding: string;
}

/** Reads a range of bytes, with the metadata of the whole file. Text is aligned to whole characters. */
export async function byteRangeOf(native: Native<"read">, path: string, { offset, limit, encoding }: ByteRange) {
  const label = encoding === "base64" ? encoding : encodingNamed(encoding);
  const pages = createPages(path);
  const end = offset + limit;
  let sha256: string | undefined;
  for (let at = offset; ;) {
    const room = Math.min(end - at, WHOLE_GROUPS);
    const from = pages.cursor === undefined ? { offset, checksum: true } : { cursor: pages.cursor };
    const page = await native.call("read", { path, encoding, unit: "bytes", limit: room, ...from });
    if (page.encoding !== label)
      throw new Fault("not_text", `Cannot read ${JSON.stringify(path)} as ${label}: it is not valid in that encoding`);
    pages.add({ ...page, content: page.content ?? "" });
    sha256 ??= page.sha256;
    at = page.next_offset ?? end;
    if (room < WHOLE_GROUPS || at >= end) return { ...page, content: pages.text(), checksum: sha256 ?? "" };
  }
}

/** A multiple of three bytes, which base64 encodes as one group, so that pages can be concatenated. */
const WHOLE_GROUPS = LIMITS.pageBytesMost - (LIMITS.pageBytesMost % 3);

interface Page {
  readonly content: string;
  readonly version: string;
  readonly size: number;
  readonly cursor?: string | undefined;
}

/** Joins pages up to `LIMITS.answerChars`. Throws if the version of the file changes in between. */
function createPages(path: string) {
  const parts: string[] = [];
  let length = 0;
  let last: Page | undefined;
  return {
    get cursor() {
      return last?.cursor;
    },
    add(page: Page): void {
      if (last && last.version !== page.version)
        throw new Fault("stale", `Cannot read ${JSON.stringify(path)}: it changed while it was read`);
      length += page.content.length;
      if (length > LIMITS.answerChars)
        throw new Fault("too_large", `Cannot read all of ${JSON.stringify(path)}: it has ${page.size} bytes`);
      parts.push(page.content);
      last = page;
    },
    text: () => parts.join(""),
  };
}
