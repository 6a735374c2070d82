import { LIMITS } from "./limits.ts";

const LF = 10;

/** What becomes of the lines: each whole one, and each that was too long to keep. */
export interface Lines {
  line(text: string): void;
  /** `end` is what its last bytes were. */
  tooLong(end: string): void;
}

/** Cuts a stream of bytes into lines. Holds at most one line; a longer one is dropped up to its end. */
export function createLineSplitter(most: number, lines: Lines): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let held = 0;
  let dropping = false;
  const keep = (part: Buffer): void => {
    held += part.length;
    dropping ||= held > most;
    if (dropping) parts = [Buffer.from(Buffer.concat([...parts.slice(-1), part]).subarray(-LIMITS.messageEndBytes))];
    else if (part.length > 0) parts.push(part);
  };
  const finish = (): void => {
    const whole = parts.length === 1 ? parts[0] : Buffer.concat(parts);
    const text = (whole as Buffer).toString("utf8");
    if (dropping) lines.tooLong(text);
    else lines.line(text);
    parts = [];
    held = 0;
    dropping = false;
  };
  return function split(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, start)) {
      keep(chunk.subarray(start, end));
      finish();
      start = end + 1;
    }
    if (start < chunk.length) keep(chunk.subarray(start));
  };
}
