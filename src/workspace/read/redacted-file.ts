import { Fault } from "../../base/errors.ts";
import { LIMITS } from "../../base/limits.ts";
import type { Checkpoint } from "../../base/time-slicing.ts";
import { type Version, versionOfBytes, versionOfFacts } from "../../base/version.ts";
import type { Facts, OpenFile } from "../../storage/storage.ts";
import { detectEncoding, quickEncoding } from "../../text/encoding/detect.ts";
import { decode, wholeCharacters } from "../../text/encoding/encoding.ts";
import { type ByteSource, sourceOfBytes, sourceOfFile } from "./scan.ts";

/** What must not be shown of a file. */
export interface Redaction {
  /** Some whole lines of UTF-8 without it; as many lines as before. */
  redactLines(lines: Buffer, startsInKey: boolean): RedactedLines;
  /** Whether the same is found in both parts of a line that is cut here. */
  isSafeCut(line: Buffer, at: number): boolean;
}

export interface RedactedLines {
  readonly bytes: Buffer;
  readonly endsInKey: boolean;
}

/** What may be shown of one state of a file: all of it where it is small, else where its pieces are. */
export interface RedactedFile {
  readonly size: number;
  readonly bytes?: Buffer;
  readonly pieces: readonly PieceOffset[];
}

/** Where a piece begins, really and as it is shown. */
interface PieceOffset {
  readonly real: number;
  readonly length: number;
  readonly shown: number;
  readonly startsInKey: boolean;
}

/** What a file really is. */
interface State {
  readonly version: Version;
  /** All of it, where it is small. */
  readonly bytes?: Buffer | undefined;
}

/** A file that is about to be masked. */
export interface PlainFile extends State {
  /** Undefined where it is not text: nothing in it can be masked. */
  redact(mask: Redaction, checkpoint: Checkpoint): Promise<RedactedFile | undefined>;
}

/** Its version, and what may be shown of it. Holds no more than a piece of a large file. */
export function plainFile(file: OpenFile): PlainFile | Promise<PlainFile> {
  const { facts } = file;
  const onDisk = sourceOfFile(file);
  if (facts.size > LIMITS.hashedBytes) return plainFileFrom(onDisk, versionOfFacts(facts), "in pieces");
  const whole = onDisk.part(0, facts.size);
  const atHand = (bytes: Buffer): PlainFile => ({
    ...plainFileFrom(sourceOfBytes(bytes), versionOfBytes(bytes), "whole"),
    bytes,
  });
  return whole instanceof Promise ? whole.then(atHand) : atHand(whole);
}

const plainFileFrom = (source: ByteSource, version: Version, kept: "whole" | "in pieces"): PlainFile => ({
  version,
  async redact(mask, checkpoint) {
    const text = await asUtf8(source);
    return text && redactPieces(text, mask, checkpoint, text !== source || kept === "whole");
  },
});

/** The same file as a caller may see it: all places in it are those of what is shown, only its version is the real one. */
export function withRedactedContent(
  file: OpenFile,
  { version, bytes: real }: State,
  masked: RedactedFile,
  mask: Redaction,
): OpenFile {
  const { facts } = file;
  const { size, bytes } = masked;
  const read = bytes ? sourceOfBytes(bytes).read : readerOf(sourceOfFile(file), mask, masked.pieces);
  const shown: Facts = { ...facts, size, identity: `${facts.identity}:masked` };
  return {
    facts: shown,
    read,
    ...(bytes && { bytes }),
    original: { facts, read: file.read, version, ...(real && { bytes: real }) },
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

/** Goes through all of it once, piece by piece. */
async function redactPieces(
  source: ByteSource,
  mask: Redaction,
  checkpoint: Checkpoint,
  isKept: boolean,
): Promise<RedactedFile> {
  const marks: PieceOffset[] = [];
  const kept: Buffer[] = [];
  let [real, size, startsInKey] = [0, 0, false];
  while (real < source.size) {
    const pause = checkpoint();
    if (pause) await pause;
    const ahead = await source.part(real, LIMITS.maskedPieceBytes + LIMITS.secretSpanBytes);
    const piece = ahead.subarray(0, pieceLength(ahead, mask));
    if (piece.length === 0) break;
    const { bytes, endsInKey } = mask.redactLines(piece, startsInKey);
    marks.push({ real, length: piece.length, shown: size, startsInKey });
    if (isKept) kept.push(bytes);
    real += piece.length;
    size += bytes.length;
    startsInKey = endsInKey;
  }
  return {
    size,
    pieces: marks,
    ...(isKept && { bytes: kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept) }),
  };
}

/** Up to a line break; where a line is longer than a piece, up to where no secret is cut. */
function pieceLength(ahead: Buffer, mask: Redaction): number {
  if (ahead.length <= LIMITS.maskedPieceBytes) return ahead.length;
  const line = ahead.lastIndexOf("\n", LIMITS.maskedPieceBytes - 1);
  if (line >= 0) return line + 1;
  const cuts = Array.from({ length: CUTS_TRIED }, (_, nth) => LIMITS.maskedPieceBytes - nth * CUT_STEP).map((at) =>
    wholeCharacters(ahead.subarray(0, at), "utf-8"),
  );
  return cuts.find((at) => isApart(ahead, at, mask)) ?? LIMITS.maskedPieceBytes;
}

const CUTS_TRIED = 32;
const CUT_STEP = 499;

function isApart(ahead: Buffer, at: number, mask: Redaction): boolean {
  const from = at - LIMITS.secretSpanBytes;
  return mask.isSafeCut(ahead.subarray(from, at + LIMITS.secretSpanBytes), at - from);
}

/** Masks a piece again when it is asked for; the one asked for last is at hand. */
function readerOf(source: ByteSource, mask: Redaction, marks: readonly PieceOffset[]): ByteSource["read"] {
  let held: { readonly mark: PieceOffset; readonly bytes: Buffer } | undefined;
  const pieceOf = async (mark: PieceOffset): Promise<Buffer> => {
    if (held?.mark !== mark)
      held = { mark, bytes: mask.redactLines(await source.part(mark.real, mark.length), mark.startsInKey).bytes };
    return held.bytes;
  };
  return async function read(into, position) {
    let filled = 0;
    for (const [index, mark] of marks.entries()) {
      const end = marks[index + 1]?.shown ?? Infinity;
      if (filled === into.length || end <= position + filled) continue;
      const piece = await pieceOf(mark);
      filled += piece.copy(into, filled, position + filled - mark.shown);
    }
    return filled;
  };
}
