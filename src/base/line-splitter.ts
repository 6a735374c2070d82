import { LIMITS } from "./limits.ts";

const LF = 10;

/** Receives each whole line, and the ends of each line that was too long to keep. */
export interface LineHandlers {
  line(text: string): void;
  /** `start` and `end` are its first and last bytes. */
  tooLong(start: string, end: string): void;
}

/** Splits a stream of bytes into lines. Holds at most one line; a longer one is dropped up to its end. */
export function createLineSplitter(most: number, lines: LineHandlers): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let lineBytes = 0;
  /** Holds the first bytes of a line that is too long; is undefined while it is not. */
  let start: string | undefined;
  const append = (part: Buffer): void => {
    lineBytes += part.length;
    if (lineBytes > most) start ??= startOf([...parts, part]);
    if (start !== undefined)
      parts = [Buffer.from(Buffer.concat([...parts.slice(-1), part]).subarray(-LIMITS.messageEdgeBytes))];
    else if (part.length > 0) parts.push(part);
  };
  const finish = (): void => {
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const text = (whole as Buffer).toString("utf8");
    const firstBytes = start;
    parts = [];
    lineBytes = 0;
    start = undefined;
    if (firstBytes === undefined) lines.line(text);
    else lines.tooLong(firstBytes, text);
  };
  return function split(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      append(chunk.subarray(from, end));
      finish();
      from = end + 1;
    }
    if (from < chunk.length) append(chunk.subarray(from));
  };
}

/** Copies the first bytes, so that the large buffers can be freed. */
function startOf(parts: readonly Buffer[]): string {
  let start: Buffer = Buffer.alloc(0);
  for (const part of parts) {
    if (start.length >= LIMITS.messageEdgeBytes) break;
    start = Buffer.concat([start, part.subarray(0, LIMITS.messageEdgeBytes - start.length)]);
  }
  return start.toString("utf8");
}
