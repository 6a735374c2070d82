import { Buffer } from "node:buffer";
import { setTimeout } from "node:timers/promises";
import { LIMITS } from "../../base/limits.ts";
import { endedLine, HEAD_SHARE, headAndTail, NOTE_CHARS } from "../output/cut.ts";
import { noteOf } from "../output/neutralise.ts";
import { readableOutput } from "../output/readable.ts";
import type { Log } from "./log.ts";

/** The output of a job. Offsets and cursors are bytes of its log, and stay valid as long as the job is kept. */
export interface JobOutput {
  /** The path of the log, for people. */
  readonly path: string;
  /** Returns the bytes that the job has printed so far. */
  size(): number;
  /** Returns the output from an offset on in at most so many characters: a sample of its head, and its tail. */
  summary(options: { readonly chars: number; readonly from?: number | undefined }): OutputText;
  /** Returns a page: the lines from an offset on, or the last ones. */
  read(options?: { readonly offset?: number | undefined; readonly lines?: number | undefined }): OutputText;
  /** Waits until there is output after the cursor (not with `forExit`), the job has ended, or the time is over. */
  wait(cursor: number, options: WaitOptions): Promise<void>;
}

export interface WaitOptions {
  readonly ms: number;
  readonly forExit?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A part of an output as text: neutralised, folded, with notes where something was left out. */
export interface OutputText {
  readonly text: string;
  /** The offset of its first byte, and that of the next byte, from which the following output can be read. */
  readonly from: number;
  readonly cursor: number;
  /** Says that bytes between the two were left out, here or for good. */
  readonly isCut: boolean;
}

/** Knows when the job has ended: then nothing more follows what was printed. */
export interface OutputEnd {
  hasEnded(): boolean;
  readonly ended: Promise<unknown>;
}

/** Reads the output of a job. Where it leaves something out, a note names the job and the call that shows it. */
export function createJobOutput(id: string, log: Log, end: OutputEnd): JobOutput {
  const leftOut = leftOutNote(id);
  return {
    path: log.path,
    size: log.size,
    summary: ({ chars, from = 0 }) =>
      summaryOf(log, { chars, from: Math.max(0, from), isLast: end.hasEnded(), leftOut }),
    read({ offset, lines = LIMITS.jobLogLines } = {}) {
      const isLast = end.hasEnded();
      return offset === undefined ? lastLines(log, lines, isLast) : pageOf(log, { offset, lines, isLast, leftOut });
    },
    async wait(cursor, { ms, forExit = false, signal }) {
      const deadline = Date.now() + ms;
      const isWaiting = (): boolean => !end.hasEnded() && (forExit || log.size() <= cursor);
      while (isWaiting()) {
        const left = deadline - Date.now();
        if (left <= 0 || signal?.aborted) return;
        await endOr(forExit ? left : Math.min(left, OUTPUT_POLL_MS), end.ended, signal);
      }
    },
  };
}

/** A look at the size of a file takes some microseconds: 20 a second cost nothing, and nobody notices the delay. */
const OUTPUT_POLL_MS = 50;

async function endOr(ms: number, ended: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  const over = new AbortController();
  const signals = signal ? AbortSignal.any([over.signal, signal]) : over.signal;
  const pause = setTimeout(ms, undefined, { signal: signals }).catch(() => {});
  await Promise.race([pause, ended]);
  over.abort();
}

interface Range {
  readonly from: number;
  readonly isLast: boolean;
}

/** Says what is missing between two offsets, and how to read it as far as it is kept. */
type LeftOutNote = (from: number, to: number, hole: number) => string;

interface SummaryRange extends Range {
  readonly chars: number;
  readonly leftOut: LeftOutNote;
}

function summaryOf(log: Log, { chars, from, isLast, leftOut }: SummaryRange): OutputText {
  const size = log.size();
  const start = Math.min(from, size);
  const hole = log.holeEnd();
  const isWhole = size - start <= chars && !(start < hole);
  if (isWhole) return wholeOf(log, { from: start, isLast }, chars);
  const headChars = Math.floor((chars - NOTE_CHARS) * HEAD_SHARE);
  const tailChars = Math.max(0, chars - NOTE_CHARS - headChars);
  const head = headBytes(log, start, headChars);
  const tail = tailBytes(log, Math.max(start + head.length, hole, size - tailChars), size);
  const { text, used } = readableOutput(tail.bytes, isLast);
  const parts = [
    endedLine(limited(readableOutput(head, true).text, headChars)),
    leftOut(start + head.length, tail.from, hole),
    limited(text, tailChars),
  ];
  return { text: parts.join(""), from: start, cursor: tail.from + used, isCut: true };
}

/** Reads all from an offset on. Escapes may make the text longer than its bytes. */
function wholeOf(log: Log, { from, isLast }: Range, chars: number): OutputText {
  const { text, used } = readableOutput(log.read(from, chars), isLast);
  const shown = limited(text, chars);
  return { text: shown, from, cursor: from + used, isCut: shown !== text };
}

const limited = (text: string, chars: number): string =>
  headAndTail(text, chars, (count) => noteOf(`${count} characters left out here`));

/** Reads the first lines; the start of a longer line where there is no whole one. */
function headBytes(log: Log, from: number, most: number): Buffer {
  const bytes = log.read(from, most);
  const lines = bytes.lastIndexOf(LF) + 1;
  return lines > 0 ? bytes.subarray(0, lines) : wholeCharacters(bytes);
}

/** Reads to the end, from a line start where there is one. */
function tailBytes(log: Log, from: number, size: number): { readonly from: number; readonly bytes: Buffer } {
  const bytes = log.read(from, size - from);
  const atLine = bytes.indexOf(LF) + 1;
  const skipped = atLine > 0 && atLine < bytes.length ? atLine : continuationBytes(bytes);
  return { from: from + skipped, bytes: bytes.subarray(skipped) };
}

const LF = 0x0a;

const wholeCharacters = (bytes: Buffer): Buffer => bytes.subarray(0, readableOutput(bytes, false).used);

/** Counts the bytes that continue a character which was cut before them. */
function continuationBytes(bytes: Buffer): number {
  const first = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, first);
}

const leftOutNote =
  (id: string): LeftOutNote =>
  (from, to, hole) => {
    if (to <= from) return "";
    const lostFrom = Math.max(from, LIMITS.jobLogHeadBytes);
    const lost = Math.max(0, Math.min(hole, to) - lostFrom);
    const kept = to - from - lost;
    const readable = from < lostFrom || lost === 0 ? from : hole;
    const call = `process with action "log", process_id "${id}" and offset ${readable}`;
    const more = kept > 0 ? `; ${call} shows them` : "";
    const gone = lost > 0 ? `; ${lost} of them are no longer kept` : "";
    return `${noteOf(`${to - from} bytes left out here${gone}${more}`)}\n`;
  };

interface Page {
  readonly offset: number;
  readonly lines: number;
  readonly isLast: boolean;
  readonly leftOut: LeftOutNote;
}

/** Reads lines from an offset on. One in the hole begins behind it. */
function pageOf(log: Log, { offset, lines, isLast, leftOut }: Page): OutputText {
  const hole = log.holeEnd();
  const isLost = offset >= LIMITS.jobLogHeadBytes && offset < hole;
  const from = Math.min(isLost ? hole : Math.max(0, offset), log.size());
  const bytes = firstLines(log.read(from, LIMITS.resultChars), lines);
  const isEnd = from + bytes.length >= log.size();
  const { text, used } = readableOutput(bytes, isEnd && isLast);
  const note = isLost ? leftOut(offset, from, hole) : "";
  const shown = limited(`${note}${text}`, LIMITS.resultChars);
  return { text: shown, from, cursor: from + used, isCut: isLost || !isEnd };
}

function firstLines(bytes: Buffer, lines: number): Buffer {
  let end = 0;
  for (let count = 0; count < lines; count += 1) {
    const at = bytes.indexOf(LF, end);
    if (at < 0) return bytes.length < LIMITS.resultChars || end === 0 ? bytes : bytes.subarray(0, end);
    end = at + 1;
  }
  return bytes.subarray(0, end);
}

/** Reads the last lines, as far as they fit into an answer. */
function lastLines(log: Log, lines: number, isLast: boolean): OutputText {
  const size = log.size();
  const hole = log.holeEnd();
  const start = Math.max(size - LIMITS.resultChars, hole, 0);
  const window = log.read(start, size - start);
  const first = lastLineStarts(window, lines);
  const bytes = window.subarray(first || (start > 0 ? continuationBytes(window) : 0));
  const { text, used } = readableOutput(bytes, isLast);
  const from = size - bytes.length;
  return { text: limited(text, LIMITS.resultChars), from, cursor: from + used, isCut: from > 0 };
}

function lastLineStarts(window: Buffer, lines: number): number {
  let at = window.length - 1;
  for (let count = 0; count < lines; count += 1) {
    at = at <= 0 ? -1 : window.lastIndexOf(LF, at - 1);
    if (at < 0) return 0;
  }
  return at + 1;
}
