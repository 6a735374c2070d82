// Makes the files that every server reads: the same bytes on every machine, kept between runs.
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArchive } from "./archive.mjs";
import { openForest } from "./forest.mjs";
import { openGrove } from "./grove.mjs";

/** Change it whenever the files below change. */
const EDITION = 1;

const SMALL_FILES = 1000;
const SMALL_BYTES = 4096;
const ENTRIES = 10_000;
const GIB = 2 ** 30;
const LOG_BYTES = 200e6;
const LOG_SHORT_LINES = 400;
const LOG_LONG_LINE = 4e6;
const SINGLE_LINE = 300e6;
const BATCH_BYTES = 8e6;

const WORDS =
  "the keeper of the light writes down the wind, the tide and every ship that passes; at dusk he climbs the stair, ";
const PROSE = WORDS.repeat(4);

/** Returns the paths of the corpus and facts about its files. Makes it if it does not exist. */
export function openCorpus(say) {
  const root = join(tmpdir(), "holdfast-bench-corpus");
  const places = {
    root,
    small: Array.from({ length: SMALL_FILES }, (_, index) => join(root, "small", `file-${pad(index, 4)}.txt`)),
    directory: join(root, "directory"),
    entryCount: ENTRIES,
    huge: join(root, "huge.txt"),
    log: join(root, "long-lines.log"),
    single: join(root, "single-line.txt"),
  };
  const note = join(root, "complete.json");
  const known = readNote(note) ?? make(places, note, say);
  return {
    ...places,
    ...known,
    ...openForest(root, say),
    ...openArchive(root),
    ...openGrove(root, say),
    hugeBytes: statSync(places.huge).size,
  };
}

/** Returns a line of the huge file, counted from 1: it starts with its own number. */
export function hugeLine(number) {
  const scattered = Math.imul(number, 2654435761) >>> 0;
  const start = scattered % WORDS.length;
  return `L${pad(number, 8)} ${PROSE.slice(start, start + 50 + (scattered % 71))}\n`;
}

/** Returns several lines of the huge file, both ends included. */
export const hugeLines = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, index) => hugeLine(from + index)).join("");

function readNote(note) {
  try {
    const { edition, ...known } = JSON.parse(readFileSync(note, "utf8"));
    return edition === EDITION ? known : undefined;
  } catch {
    return undefined;
  }
}

function make(places, note, say) {
  say(`Making the corpus in ${places.root} (1.6 GB, once) …`);
  rmSync(places.root, { recursive: true, force: true });
  mkdirSync(join(places.root, "small"), { recursive: true });
  mkdirSync(places.directory);
  places.small.forEach((path, index) => writeFileSync(path, smallText(index)));
  for (let index = 0; index < ENTRIES; index++)
    writeFileSync(join(places.directory, `entry-${pad(index, 5)}.txt`), `entry ${index}\n`);
  writeLog(places.log);
  writeParts(places.single, SINGLE_LINE, (bytes) => WORDS.repeat(Math.ceil(bytes / WORDS.length)).slice(0, bytes));
  const hugeLineCount = writeHuge(places.huge);
  writeFileSync(note, JSON.stringify({ edition: EDITION, hugeLineCount }));
  return { hugeLineCount };
}

function smallText(index) {
  const first = 1 + index * 50;
  return hugeLines(first, first + 49).slice(0, SMALL_BYTES - 1) + "\n";
}

function writeHuge(path) {
  let number = 0;
  writeParts(path, GIB, (bytes) => {
    let batch = "";
    while (batch.length < bytes) batch += hugeLine(++number);
    return batch;
  });
  return number;
}

/** Alternates short lines for most of a page with one line that is too long for any page. */
function writeLog(path) {
  const long = `${"x".repeat(LOG_LONG_LINE)}\n`;
  let number = 1;
  writeParts(path, LOG_BYTES, () => {
    const short = hugeLines(number, number + LOG_SHORT_LINES - 1);
    number += LOG_SHORT_LINES;
    return short + long;
  });
}

function writeParts(path, size, nextPart) {
  const file = openSync(path, "w");
  for (let written = 0; written < size;)
    written += writeSync(file, nextPart(Math.min(BATCH_BYTES, size - written)), null, "latin1");
  closeSync(file);
}

function pad(number, width) {
  return String(number).padStart(width, "0");
}
