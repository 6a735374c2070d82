import { Buffer, isUtf8 } from "node:buffer";

/** Text, and the number of bytes that it was decoded from. */
export interface Decoded {
  readonly text: string;
  readonly used: number;
}

/**
 * Decodes UTF-8, and shows every other byte as \xNN. Leaves an unfinished character at the end for the next piece, unless
 * there is none.
 */
export function decodeOutput(bytes: Buffer, isLast: boolean): Decoded {
  const used = isLast ? bytes.length : bytes.length - unfinishedBytes(bytes);
  const whole = bytes.subarray(0, used);
  return { text: isUtf8(whole) ? whole.toString("utf8") : mixedText(whole), used };
}

/** Counts the bytes at the end that may begin a character: a lead byte that announces more than follow it. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count += 1) {
    const byte = bytes[bytes.length - count] as number;
    if (isContinuation(byte)) continue;
    return announcedLength(byte) > count ? count : 0;
  }
  return 0;
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80;

function announcedLength(lead: number): number {
  if (lead < 0xc2 || lead > 0xf4) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Decodes character by character what is not UTF-8 as a whole. */
function mixedText(bytes: Buffer): string {
  let text = "";
  let validFrom = 0;
  for (let at = 0; at < bytes.length;) {
    const length = validLength(bytes, at);
    if (length === 0) {
      text += `${bytes.toString("utf8", validFrom, at)}\\x${(bytes[at] as number).toString(16).padStart(2, "0")}`;
      validFrom = at + 1;
    }
    at += length || 1;
  }
  return text + bytes.toString("utf8", validFrom);
}

/** Returns the length of the character at an offset; 0 where there is none. */
function validLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] as number;
  if (lead < 0x80) return 1;
  const length = announcedLength(lead);
  return length > 1 && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
