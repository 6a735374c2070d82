import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

/** Maps a name to an encoding; `named` is undefined where the encoding is detected. */
export const ENCODINGS = {
  "utf-8": { named: undefined, characters: ["a", "é", "漢", "😀", "\t"], mark: "" },
  "utf-8 with mark": { named: undefined, characters: ["b", "ß", "\u{10348}"], mark: "\ufeff" },
  "utf-16le": { named: "utf-16le", characters: ["a", "\u0a05", "\u0d0a", "😀"], mark: "" },
  "utf-16be": { named: "utf-16be", characters: ["a", "\u0a05", "\u0d0a", "😀"], mark: "" },
  "utf-16le with mark": { named: undefined, characters: ["a", "\u0a05", "漢"], mark: "\ufeff" },
  "latin-1": { named: "latin1", characters: ["a", "é", "\u00a0", "ÿ"], mark: "" },
} as const;

export type EncodingName = keyof typeof ENCODINGS;

/** Repeats one line. */
interface Run {
  readonly character: string;
  readonly length: number;
  readonly feed: "\n" | "\r\n";
  readonly times: number;
}

/** Describes a file to generate, in a form that shrinks well. */
export interface Document {
  readonly encoding: EncodingName;
  readonly runs: readonly Run[];
  /** Follows the last line feed. */
  readonly tail: string;
}

export interface Scale {
  readonly lineLength: number;
  readonly times: number;
  readonly bytes: number;
  readonly runs: number;
  /** Pads half of the files at the front to this many characters. */
  readonly filled?: number;
}

/** Generates files with lines of all lengths, up to `bytes` long. */
export function documents({ lineLength, times, bytes, runs, filled = 0 }: Scale): fc.Arbitrary<Document> {
  const lengths = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 80 }), fc.integer({ min: 0, max: lineLength }));
  return fc.constantFrom(...(Object.keys(ENCODINGS) as EncodingName[])).chain((encoding) => {
    const character = fc.constantFrom(...ENCODINGS[encoding].characters);
    const run = fc.record({
      character,
      length: lengths,
      feed: fc.constantFrom("\n" as const, "\r\n" as const),
      times: fc.integer({ min: 1, max: times }),
    });
    const filling = fc.integer({ min: 0, max: 200 }).map((length) => {
      const count = Math.floor(filled / (length + 1));
      return count === 0 ? [] : [{ character: "a", length, feed: "\n" as const, times: count }];
    });
    const all = fc
      .tuple(fc.oneof(fc.constant([]), filling), fc.array(run, { maxLength: runs }))
      .map(([front, rest]) => [...front, ...rest]);
    const tail = fc.tuple(character, lengths).map(([each, length]) => each.repeat(length));
    return fc
      .record({ encoding: fc.constant(encoding), runs: all, tail })
      .filter((document) => sizeOf(document) <= bytes);
  });
}

/** An upper bound: no character is longer than four bytes. */
const sizeOf = ({ runs, tail }: Document): number =>
  4 * (tail.length + runs.reduce((sum, { length, times }) => sum + (length + 2) * times, 0));

/** Returns the whole text with its byte order mark. */
export const textOf = ({ encoding, runs, tail }: Document): string =>
  ENCODINGS[encoding].mark +
  runs.map(({ character, length, feed, times }) => (character.repeat(length) + feed).repeat(times)).join("") +
  tail;

/** Encodes a text. */
export function encoded(text: string, encoding: EncodingName): Buffer {
  if (encoding.startsWith("utf-8")) return Buffer.from(text);
  if (encoding === "latin-1") return Buffer.from(text, "latin1");
  const little = Buffer.from(text, "utf16le");
  return encoding === "utf-16be" ? little.swap16() : little;
}

/** Splits a text into lines with their line feeds, in the simplest way. A final line feed begins no further line. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Writes a new file, so that nothing about it is cached. */
export function write(root: string, document: Document): { readonly path: string; readonly bytes: Buffer } {
  const path = `document-${++written}.txt`;
  const bytes = encoded(textOf(document), document.encoding);
  writeFileSync(join(root, path), bytes);
  return { path, bytes };
}

let written = 0;
