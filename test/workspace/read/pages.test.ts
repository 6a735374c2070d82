import { rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Caller, callerOn, scratch } from "../../runtime/scratch.ts";
import { type Document, documents, encoded, ENCODINGS, linesOf, type Scale, textOf, write } from "./documents.ts";

/** Covers both paths: small files are read from memory; those above 1 MiB from the disk, piece by piece. */
const SCALES = {
  "in memory": { lineLength: 300, times: 30, bytes: 20_000, runs: 12, page: [64, 3000], tries: 60 },
  "on disk": {
    lineLength: 400_000,
    times: 20_000,
    bytes: 12_000_000,
    runs: 6,
    filled: 1_100_000,
    page: [20_000, 600_000],
    tries: 15,
  },
} as const satisfies Readonly<Record<string, Scale & { page: readonly [number, number]; tries: number }>>;

interface Page {
  readonly content: string;
  readonly truncated: boolean;
  readonly cursor?: string;
  readonly next_offset?: number;
  readonly total_lines?: number;
}

/** Lists the ways to page through a file: the first call, and how each page leads to the next. */
const WAYS = [
  {
    way: "offsets, and cursors inside a line",
    first: {},
    next: ({ next_offset: offset, cursor }: Page) => (offset === undefined ? { cursor } : { offset }),
  },
  { way: "cursors alone", first: {}, next: ({ cursor }: Page) => ({ cursor }) },
  { way: "byte offsets", first: { unit: "bytes" }, next: ({ next_offset: offset }: Page) => ({ offset }) },
  { way: "byte cursors", first: { unit: "bytes" }, next: ({ cursor }: Page) => ({ cursor }) },
  { way: "base64 by cursor", first: { encoding: "base64" }, next: ({ cursor }: Page) => ({ cursor }) },
  {
    way: "base64 by offset",
    first: { encoding: "base64", unit: "bytes" },
    next: ({ next_offset: offset }: Page) => ({ offset }),
  },
] as const;

describe.each(Object.entries(SCALES))("%s", (_, { page: [least, most], tries, ...scale }) => {
  const maxBytes = fc.integer({ min: least, max: most });

  it.each(WAYS)("all pages joined are the file: $way", async ({ first, next }) => {
    await eachFile(scale, tries, [maxBytes], async ({ document, bytes, ask }, max_bytes) => {
      const found: Buffer[] = [];
      let more: object | undefined = {};
      while (more) {
        const page = await ask({ ...first, max_bytes, ...more });
        const part =
          "encoding" in first ? Buffer.from(page.content, "base64") : encoded(page.content, document.encoding);
        found.push(part);
        expect(part.length).toBeLessThanOrEqual(max_bytes);
        expect(part.length > 0 || !page.truncated).toBe(true);
        more = page.truncated ? next(page) : undefined;
      }
      expect(Buffer.concat(found).equals(bytes)).toBe(true);
    });
  });

  const places = [fc.double({ min: 0, max: 1.1, noNaN: true }), fc.integer({ min: 1, max: 3000 })] as const;

  it("lines by number equal a plain split, numbered", async () => {
    await eachFile(scale, tries, places, async ({ lines, ask }, place, limit) => {
      for (const offset of [1, 1 + Math.floor(place * lines.length), lines.length || 1, lines.length + 1]) {
        const page = await ask({ offset, limit, line_numbers: true });
        const wanted = numbered(lines.slice(offset - 1, offset - 1 + limit), offset);
        expect(page.content).toBe(expectedOf(page, wanted));
      }
    });
  });

  it("lines from the end equal the last ones of a plain split", async () => {
    await eachFile(scale, tries, places, async ({ lines, ask }, place, limit) => {
      for (const count of [1, 1 + Math.floor(place * lines.length), lines.length + 1]) {
        const wanted = lines.slice(-count).slice(0, limit);
        const plain = await ask({ offset: -count, limit });
        expect(plain.content).toBe(expectedOf(plain, wanted));
        const withNumbers = await ask({ offset: -count, limit, line_numbers: true });
        const first = Math.max(0, lines.length - count) + 1;
        expect(withNumbers.content).toBe(expectedOf(withNumbers, numbered(wanted, first)));
      }
    });
  });
});

const numbered = (lines: readonly string[], first: number): readonly string[] =>
  lines.map((line, index) => `${first + index}\t${line}`);

it.each([1, 2, 3])("pages of %i bytes still make progress, and joined are the file", async (limit) => {
  await eachFile({ lineLength: 4, times: 2, bytes: 100, runs: 3 }, 40, [], async ({ document, bytes, ask }) => {
    const found: Buffer[] = [];
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: Page = await ask({ unit: "bytes", offset, limit });
      expect(page.next_offset ?? Infinity).toBeGreaterThan(offset);
      found.push(encoded(page.content, document.encoding));
      offset = page.next_offset;
    }
    expect(Buffer.concat(found).equals(bytes)).toBe(true);
  });
});

/** Generates a random file and the limits for its pages. */
interface Drawn {
  readonly document: Document;
  readonly bytes: Buffer;
  readonly lines: readonly string[];
  ask(more: object): Promise<Page>;
}

/** Reads all files of one test in one session, as an agent would. */
async function eachFile<T extends readonly unknown[]>(
  scale: Scale,
  tries: number,
  more: { readonly [K in keyof T]: fc.Arbitrary<T[K]> },
  check: (drawn: Drawn, ...drawnMore: T) => Promise<void>,
): Promise<void> {
  const root = scratch();
  const caller = callerOn(root, { loopDetection: false });
  const property = fc.asyncProperty(documents(scale), fc.tuple(...more), async (document, drawnMore) => {
    const { path, bytes } = write(root, document);
    const lines = linesOf(textOf(document));
    const known = { path, encoding: ENCODINGS[document.encoding].named };
    const ask = (asked: object) => pageOf(caller, { ...known, ...asked }, lines.length);
    await check({ document, bytes, lines, ask }, ...(drawnMore as unknown as T)).finally(() =>
      rmSync(join(root, path)),
    );
  });
  await fc.assert(property, { numRuns: tries });
}

/** Reads one page and checks what holds for every page: a cut says how to continue, and a line count is right. */
async function pageOf(caller: Caller, asked: object, lineCount: number): Promise<Page> {
  const { isError, text, data } = await caller("read", asked);
  expect({ isError, text: isError && text }).toEqual({ isError: false, text: false });
  const page = data as unknown as Page;
  if (page.total_lines !== undefined) expect(page.total_lines).toBe(lineCount);
  if (!page.truncated) return page;
  const { cursor, next_offset: offset } = page;
  const words = offset === undefined ? `; cursor=${JSON.stringify(cursor)}]` : `; offset=${offset}]`;
  expect(text.slice(-words.length)).toBe(words);
  return page;
}

/** Compares a page with the expected lines; a cut page may hold fewer whole lines, or the beginning of the first. */
function expectedOf({ content, truncated }: Page, wanted: readonly string[]): string {
  const whole = wanted.join("");
  if (!truncated || content === whole) return whole;
  const count = content.split("\n").length - 1;
  return count > 0 ? wanted.slice(0, count).join("") : String(wanted[0]?.slice(0, content.length || 1));
}
