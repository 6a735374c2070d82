import type { Buffer } from "node:buffer";
import type { ByteSource } from "../byte-source.ts";
import type { PlayableFacts } from "./playable-facts.ts";
import { readAt } from "./read-at.ts";

/** Reads the first frame of an MP3, and the count of frames that encoders put into it; else assumes one bit rate. */
export async function mp3Facts(source: ByteSource): Promise<PlayableFacts> {
  const start = tagBytes(await readAt(source, 0, 10));
  const bytes = await readAt(source, start, SEARCHED_BYTES);
  const frame = firstFrame(bytes);
  if (!frame) return {};
  const { sampleRate, channels, samples, bitRate, at } = frame;
  const frames = framesIn(bytes.subarray(at, at + 192));
  const durationMs =
    frames === undefined ? ((source.size - start - at) * 8000) / bitRate : ((frames * samples) / sampleRate) * 1000;
  return { sampleRate, channels, durationMs };
}

/** Sizes the part in which the first frame is searched. */
const SEARCHED_BYTES = 64 * 1024;

/** Returns the length of an ID3 tag, whose bytes have seven bits each. */
function tagBytes(head: Buffer): number {
  if (head.length < 10 || head.toString("latin1", 0, 3) !== "ID3") return 0;
  return [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (head.readUInt8(at) & 0x7f), 0) + 10;
}

interface Frame {
  readonly at: number;
  readonly sampleRate: number;
  readonly channels: number;
  readonly samples: number;
  /** Is in bits per second. */
  readonly bitRate: number;
}

const RATES = [44_100, 48_000, 32_000] as const;
const BIT_RATES = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** Finds the first header of layer III: eleven bits, version, layer, bit rate, sample rate, mode. */
function firstFrame(bytes: Buffer): Frame | undefined {
  for (let at = 0; at + 4 <= bytes.length; at++) {
    const header = bytes.readUInt32BE(at);
    const version = VERSIONS[(header >>> 19) & 3];
    const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 3) === 1;
    const bitRate = BIT_RATES[version === 1 ? 1 : 2][((header >>> 12) & 15) - 1];
    const rate = RATES[(header >>> 10) & 3];
    if (!isLayer3 || version === undefined || bitRate === undefined || rate === undefined) continue;
    const channels = ((header >>> 6) & 3) === 3 ? 1 : 2;
    return {
      at,
      channels,
      sampleRate: rate / version,
      samples: version === 1 ? 1152 : 576,
      bitRate: bitRate * 1000,
    };
  }
  return undefined;
}

/** Maps the bits of the version to what its sample rates are divided by. */
const VERSIONS = [4, undefined, 2, 1] as const;

/** Reads the number of frames that encoders with a variable bit rate note. */
function framesIn(frame: Buffer): number | undefined {
  const xing = Math.max(frame.indexOf("Xing"), frame.indexOf("Info"));
  if (xing >= 0 && xing + 12 <= frame.length && (frame.readUInt32BE(xing + 4) & 1) === 1)
    return frame.readUInt32BE(xing + 8) || undefined;
  const vbri = frame.indexOf("VBRI");
  return vbri >= 0 && vbri + 18 <= frame.length ? frame.readUInt32BE(vbri + 14) || undefined : undefined;
}
