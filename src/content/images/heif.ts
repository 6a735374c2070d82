import type { Buffer } from "node:buffer";
import { COMMON_FACTS, type ImageFacts } from "./image-facts.ts";

/** Reads the boxes of an AVIF or HEIC image. The largest picture in it is the whole one, others are tiles of it. */
export function heifFacts(bytes: Buffer): ImageFacts | null {
  const brand = bytes.toString("latin1", 4, 12);
  const format = FORMATS.find(([pattern]) => pattern.test(brand))?.[1];
  if (!format) return null;
  const properties = [...boxesIn(bytes, META_PATH, 0, bytes.length)];
  const sizes = properties
    .filter(({ type }) => type === "ispe")
    .map(({ start }) => ({ width: bytes.readUInt32BE(start + 4), height: bytes.readUInt32BE(start + 8) }));
  const [size] = sizes.toSorted((one, other) => other.width * other.height - one.width * one.height);
  if (!size) return null;
  const turn = properties.find(({ type }) => type === "irot");
  const isTurned = turn !== undefined && (bytes.readUInt8(turn.start) & 1) === 1;
  const { width, height } = isTurned ? { width: size.height, height: size.width } : size;
  return { ...COMMON_FACTS, format, width, height };
}

const FORMATS = [
  [/^ftypavi[fs]$/, "avif"],
  [/^ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)$/, "heic"],
] as const;

/** Leads to the properties of pictures, with the bytes to skip in each box. */
const META_PATH = [
  { type: "meta", skip: 4 },
  { type: "iprp", skip: 0 },
  { type: "ipco", skip: 0 },
] as const;

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Yields the boxes at the end of a path. */
function* boxesIn(
  bytes: Buffer,
  [step, ...rest]: readonly { readonly type: string; readonly skip: number }[],
  start: number,
  end: number,
): Generator<Box> {
  for (const box of childBoxes(bytes, start, end)) {
    if (!step) yield box;
    else if (box.type === step.type) yield* boxesIn(bytes, rest, box.start + step.skip, box.end);
  }
}

function* childBoxes(bytes: Buffer, from: number, end: number): Generator<Box> {
  for (let at = from; at + 8 <= end;) {
    const length = bytes.readUInt32BE(at);
    if (length < 8) return;
    const next = Math.min(at + length, end);
    yield { type: bytes.toString("latin1", at + 4, at + 8), start: at + 8, end: next };
    at = next;
  }
}
