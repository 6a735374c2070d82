import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { type Version, versionOfBytes, versionOfFacts } from "../../base/version.ts";
import type { Facts, OpenFile } from "../../storage/storage.ts";
import { detectEncoding, quickEncoding } from "../../text/encoding/detect.ts";
import { decode, wholeCharacters } from "../../text/encoding/encoding.ts";
import { type ByteSource, sourceOfBytes, sourceOfFile } from "./scan.ts";

/** Redacts the secrets of a file. */
export interface Redaction {
  /** Redacts whole lines of UTF-8; the number of lines stays the same. */
  redactLines(lines: Buffer, startsInPrivateKey: boolean): RedactedLines;
  /** Checks that a cut at this position splits no secret: the two parts have the same findings as the whole line. */
  isSafeCut(line: Buffer, at: number): boolean;
}

export interface RedactedLines {
  readonly bytes: Buffer;
  readonly endsInPrivateKey: boolean;
}

/** Holds the redacted content of one state of a file: all of it for a small file, else the offsets of its pieces. */
export interface RedactedFile {
  readonly size: number;
  readonly bytes?: Buffer;
  readonly pieces: readonly PieceOffset[];
}

/** Maps a piece of the real file to its offset in the redacted one. */
interface PieceOffset {
  readonly real: number;
  readonly length: number;
  readonly shown: number;
  readonly startsInPrivateKey: boolean;
}

/** Describes the real file. */
interface State {
  readonly version: Version;
  /** Holds all bytes of a small file. */
  readonly bytes?: Buffer | undefined;
}

/** A file that is about to be redacted. */
export interface PlainFile extends State {
  /** Returns undefined for a file that is not text: nothing in it can be redacted. */
  redact(redaction: Redaction, checkpoint: Checkpoint): Promise<RedactedFile | undefined>;
}

/** Returns the version of a file, and a way to redact it. Holds no more than a piece of a large file in memory. */
export async function plainFile(file: OpenFile): Promise<PlainFile> {
  const { facts } = file;
  const onDisk = sourceOfFile(file);
  if (facts.size > LIMITS.hashedBytes) return plainFileFrom(onDisk, versionOfFacts(facts), "in pieces");
  const bytes = await onDisk.part(0, facts.size);
  return { ...plainFileFrom(sourceOfBytes(bytes), versionOfBytes(bytes), "whole"), bytes };
}

const plainFileFrom = (source: ByteSource, version: Version, kept: "whole" | "in pieces"): PlainFile => ({
  version,
  async redact(redaction, checkpoint) {
    const text = await asUtf8(source);
    return text && redactPieces(text, redaction, checkpoint, text !== source || kept === "whole");
  },
});

/**
 * Returns the file as a caller may see it: all offsets are those of the redacted content, only the version is the real
 * one.
 */
export function withRedactedContent(
  file: OpenFile,
  { version, bytes: real }: State,
  redacted: RedactedFile,
  redaction: Redaction,
): OpenFile {
  const { facts } = file;
  const { size, bytes } = redacted;
  const read = bytes ? sourceOfBytes(bytes).read : readerOf(sourceOfFile(file), redaction, redacted.pieces);
  const shown: Facts = { ...facts, size, identity: `${facts.identity}:masked` };
  return {
    facts: shown,
    read,
    ...(bytes && { bytes }),
    original: { facts, read: (into, position) => file.read(into, position), version, ...(real && { bytes: real }) },
  };
}

async function asUtf8(source: ByteSource): Promise<ByteSource | undefined> {
  const head = await source.part(0, LIMITS.sniffBytes);
  const isComplete = head.length === source.size;
  const quick = quickEncoding(head, isComplete);
  const encoding = quick === undefined ? await detectEncoding(head, isComplete) : quick;
  if (!encoding) return undefined;
  if (encoding.label === "utf-8") return source;
  if (source.size > LIMITS.editBytes)
    throw new Fault("too_large", `Cannot look for secrets in ${source.size} bytes of ${encoding.label}`);
  return sourceOfBytes(Buffer.from(decode(await source.part(0, source.size), encoding.label)));
}

/** Redacts the whole file once, piece by piece. */
async function redactPieces(
  source: ByteSource,
  redaction: Redaction,
  checkpoint: Checkpoint,
  isKept: boolean,
): Promise<RedactedFile> {
  const offsets: PieceOffset[] = [];
  const kept: Buffer[] = [];
  let [real, size, startsInPrivateKey] = [0, 0, false];
  while (real < source.size) {
    const pause = checkpoint();
    if (pause) await pause;
    const ahead = await source.part(real, LIMITS.redactedPieceBytes + LIMITS.secretSpanBytes);
    const piece = ahead.subarray(0, pieceLength(ahead, redaction));
    if (piece.length === 0) break;
    const { bytes, endsInPrivateKey } = redaction.redactLines(piece, startsInPrivateKey);
    offsets.push({ real, length: piece.length, shown: size, startsInPrivateKey });
    if (isKept) kept.push(bytes);
    real += piece.length;
    size += bytes.length;
    startsInPrivateKey = endsInPrivateKey;
  }
  return {
    size,
    pieces: offsets,
    ...(isKept && { bytes: kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept) }),
  };
}

/** Ends a piece at a line break; in a line that is longer than a piece, at a position that splits no secret. */
function pieceLength(ahead: Buffer, redaction: Redaction): number {
  if (ahead.length <= LIMITS.redactedPieceBytes) return ahead.length;
  const line = ahead.lastIndexOf("\n", LIMITS.redactedPieceBytes - 1);
  if (line >= 0) return line + 1;
  const cuts = Array.from({ length: CUTS_TRIED }, (_, nth) => LIMITS.redactedPieceBytes - nth * CUT_STEP).map((at) =>
    wholeCharacters(ahead.subarray(0, at), "utf-8"),
  );
  return cuts.find((at) => isSafeCut(ahead, at, redaction)) ?? LIMITS.redactedPieceBytes;
}

const CUTS_TRIED = 32;
const CUT_STEP = 499;

function isSafeCut(ahead: Buffer, at: number, redaction: Redaction): boolean {
  const from = at - LIMITS.secretSpanBytes;
  return redaction.isSafeCut(ahead.subarray(from, at + LIMITS.secretSpanBytes), at - from);
}

/** Redacts a piece again when it is read, and caches the last one. */
function readerOf(source: ByteSource, redaction: Redaction, offsets: readonly PieceOffset[]): ByteSource["read"] {
  let cached: { readonly offset: PieceOffset; readonly bytes: Buffer } | undefined;
  const pieceOf = async (offset: PieceOffset): Promise<Buffer> => {
    if (cached?.offset !== offset)
      cached = {
        offset,
        bytes: redaction.redactLines(await source.part(offset.real, offset.length), offset.startsInPrivateKey).bytes,
      };
    return cached.bytes;
  };
  return async function read(into, position) {
    let filled = 0;
    for (const [index, offset] of offsets.entries()) {
      const end = offsets[index + 1]?.shown ?? Infinity;
      if (filled === into.length || end <= position + filled) continue;
      const piece = await pieceOf(offset);
      filled += piece.copy(into, filled, position + filled - offset.shown);
    }
    return filled;
  };
}
