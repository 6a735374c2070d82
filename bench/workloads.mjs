// Lists the workloads: the calls, the right answers and the bounds.
import { closeSync, openSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ARCHIVE } from "./archive.mjs";
import { apart } from "./apart.mjs";
import { COMMANDS } from "./commands.mjs";
import { hugeLine, hugeLines } from "./corpus.mjs";
import { firstCalls } from "./first-calls.mjs";
import { fromSpawn, inFlight, oneByOne } from "./measure.mjs";
import { JUDGING } from "./judging.mjs";
import { SEARCHING } from "./searching.mjs";
import { WATCHING } from "./watching.mjs";
import { HISTORY, WRITING } from "./writing.mjs";

const LINES = 100;
const STRETCH = 9600;
/** Steps through the file in an order that no cache can predict. */
const STRIDE = 104_729_003;

/**
 * `asks` returns the arguments of one call, which are translated for each server.
 * `bounds`: at most so many times a server's figure in the same round, our `own` figure for another workload, or so many
 * `milliseconds`; or at most so many milliseconds more, `plus`. One without `most` and `plus` is only shown.
 * `sharesMemoryOf`: the memory is measured with that workload, of which this one is a part.
 * `group`: measured only with the flag of that name, or when named, and only on servers of the group.
 * `needs`: a command that has to work, or the workload is not run.
 * `fresh`: a new process for every sample, because the first time is what counts.
 */
const WARM = [
  {
    id: "start",
    title: "cold start: spawn to the end of the first read",
    operation: "read",
    asks: ({ small }) => ({ path: small[0] }),
    isRight: (answer) => holds(answer, hugeLine(1)),
    measure: fromSpawn,
    isStart: true,
    fresh: true,
    rounds: 21,
    bounds: [
      { most: 2, server: "floor" },
      { most: 0.5, server: "reference" },
    ],
  },
  {
    id: "read",
    title: "read 4 KB, 1,000 one by one (p50)",
    ...smallCalls({ operation: "read", isRight: holdsSmallFile, measure: apart(oneByOne) }),
  },
  {
    id: "page",
    title: "read 50 KB of text that is not all ASCII (p50)",
    ...settings({ operation: "read", name: "settings.txt", title: "an ordinary value ›" }),
    bounds: [{ most: 4, server: "floor" }],
  },
  {
    id: "redacted",
    title: "read 50 KB of ASCII settings whose secrets are masked (p50)",
    ...settings({ operation: "settings", name: "settings.env", title: "an ordinary value, the" }),
    bounds: [{ most: 1.1, server: "unredacted" }],
  },
  {
    id: "redactedwide",
    title: "  the same where not all is ASCII",
    ...settings({ operation: "settings", name: "settings.env", title: "an ordinary value ›" }),
    bounds: [{ most: 1.1, server: "unredacted" }],
  },
  {
    id: "firstlook",
    title: "  files of ASCII settings that have to be looked through first",
    ...settings({ operation: "settings", name: "settings.env", title: "an ordinary value, the", files: 16 }),
    bounds: [{ most: 3, server: "unredacted" }],
  },
  {
    id: "inflight",
    title: "read 4 KB, 64 in flight (time per read)",
    ...smallCalls({ operation: "read", isRight: holdsSmallFile, measure: apart(inFlight) }),
    rounds: 15,
  },
  {
    id: "stat",
    title: "stat, 1,000 one by one (p50)",
    ...smallCalls({
      operation: "stat",
      isRight: (answer) => textOf(answer).includes("4096"),
      measure: apart(oneByOne),
    }),
  },
  {
    id: "head",
    title: "first 100 lines of 1 GiB",
    operation: "head",
    asks: ({ huge }) => ({ path: huge, lines: LINES }),
    isRight: (answer) => holdsLines(answer, 1),
    ...pages(200),
    bounds: [{ most: 3, server: "floor" }],
  },
  {
    id: "tail",
    title: "last 100 lines of 1 GiB",
    operation: "tail",
    asks: ({ huge }) => ({ path: huge, lines: LINES }),
    isRight: (answer, { hugeLineCount }) => holdsLines(answer, hugeLineCount - LINES + 1),
    ...pages(200),
    bounds: [{ most: 3, server: "floor" }],
  },
  {
    id: "middle",
    title: "100 lines from the middle of 1 GiB, the first time",
    operation: "range",
    asks: ({ huge, hugeLineCount }) => linesAfter(huge, hugeLineCount, 0),
    isRight: (answer, { hugeLineCount }) => holdsLines(answer, middleOf(hugeLineCount)),
    measure: oneByOne,
    fresh: true,
    warmUp: 0,
    repetitions: 1,
    rounds: 7,
    bounds: [{ most: 1.5, server: "floor" }],
  },
  {
    id: "next",
    title: "  the next pages, by line number",
    operation: "laterRange",
    asks: ({ huge, hugeLineCount }, index) => linesAfter(huge, hugeLineCount, index),
    isRight: holdsPageAfterMiddle,
    ...pages(100),
    bounds: [{ most: 5, own: "head" }],
  },
  {
    id: "cursor",
    title: "  the next pages, by cursor",
    operation: "goOn",
    asks: ({ huge, hugeLineCount }, index, previous) => ({ ...linesAfter(huge, hugeLineCount, index), previous }),
    isRight: holdsPageAfterMiddle,
    ...pages(100),
    bounds: [{ most: 5, own: "head" }],
  },
  {
    id: "bytes",
    title: "  pages anywhere, by byte offset",
    operation: "bytes",
    asks: ({ huge, hugeBytes }, index) => ({ path: huge, start: scatter(index, hugeBytes), length: STRETCH }),
    isRight: ({ texts }, { huge, hugeBytes }, index) => texts[0] === bytesOf(huge, scatter(index, hugeBytes), STRETCH),
    ...pages(100),
    bounds: [{ most: 5, own: "head" }],
  },
  {
    id: "longlines",
    title: "first page of a 200 MB log with 4 MB lines",
    operation: "page",
    asks: ({ log }) => ({ path: log }),
    isRight: (answer, { log }) => isFirstPage(answer, log),
    ...pages(100),
    bounds: [{ most: 3, own: "head" }],
  },
  {
    id: "oneline",
    title: "first page of a single line of 300 MB",
    operation: "page",
    asks: ({ single }) => ({ path: single }),
    isRight: (answer, { single }) => isFirstPage(answer, single),
    ...pages(100),
    bounds: [{ most: 3, own: "head" }],
  },
  {
    id: "ls",
    title: "list 10,000 entries",
    operation: "list",
    asks: ({ directory }) => ({ path: directory }),
    isRight: (answer, { entryCount }) => new Set(textOf(answer).match(/entry-\d{5}[.]txt/g)).size === entryCount,
    measure: apart(oneByOne),
    warmUp: 20,
    repetitions: 20,
    rounds: 7,
    bounds: [{ most: 2, server: "floor" }],
  },
  ...SEARCHING,
  ARCHIVE,
  ...WATCHING,
  ...WRITING,
  ...HISTORY,
];

export const WORKLOADS = [...WARM, ...firstCalls(WARM), ...JUDGING, ...COMMANDS];

/** Makes thousands of calls of some microseconds each; no peer may be faster here. */
function smallCalls({ operation, isRight, measure }) {
  const bounds = [{ most: 3, server: "floor", beatsPeers: "all" }];
  return { operation, asks: smallFileInTurn, isRight, measure, warmUp: 300, repetitions: 1000, rounds: 9, bounds };
}

/**
 * Reads one page of assignments with ten secrets, which are shown or redacted. With more than eight files in turn, no
 * redacted copy is cached.
 */
function settings({ operation, name, title, files = 1 }) {
  const nameOf = (nth) => `${nth}-${name}`;
  return {
    operation,
    prepare(folder) {
      for (let nth = 0; nth < files; nth++)
        writeFileSync(join(folder, nameOf(nth)), `${settingsOf(title)}FILE=${nth}\n`);
    },
    asks: ({ folder }, index) => ({ path: join(folder, nameOf(index % files)) }),
    isRight({ texts }) {
      const isShown = texts[0].includes(`TOKEN=${SECRET}`);
      const isHidden = texts[0].includes("TOKEN=‹secret:");
      return texts[0].includes(`TITLE=${title}`) && isShown !== isHidden;
    },
    ...pages(500),
    measure: apart(oneByOne),
  };
}

const SECRET = "s3cr3t-value";

const settingsOf = (title) =>
  Array.from({ length: 1000 }, (_, index) =>
    index % 100 === 0
      ? `SERVICE_${index}_TOKEN=${SECRET}-${index}-aB3\n`
      : `SERVICE_${index}_TITLE=${title} number ${index}\n`,
  ).join("");

function smallFileInTurn({ small }, index) {
  return { path: small[index % small.length] };
}

/** Reads pages of a large file, in a session that has read some before. */
function pages(repetitions) {
  return { measure: oneByOne, warmUp: 300, repetitions, rounds: 9 };
}

function middleOf(lineCount) {
  return Math.floor(lineCount / 2);
}

function linesAfter(path, lineCount, page) {
  const from = middleOf(lineCount) + page * LINES;
  return { path, from, to: from + LINES - 1 };
}

function scatter(index, size) {
  return (index * STRIDE) % (size - STRETCH);
}

function textOf({ texts }) {
  return texts.join("\n");
}

/** Returns whether the text is there, as it is or inside JSON. The last line feed may be missing. */
function holds(answer, expected) {
  const text = textOf(answer);
  const wanted = expected.trimEnd();
  return text.includes(wanted) || text.includes(JSON.stringify(wanted).slice(1, -1));
}

function holdsSmallFile(answer, corpus, index) {
  return holds(answer, bytesOf(smallFileInTurn(corpus, index).path, 0, 4096));
}

/** Checks for a hundred lines from this one on, without the line before and the line after. */
function holdsLines(answer, from) {
  const numbers = textOf(answer).match(/L\d{8}/g) ?? [];
  return numbers.length === LINES && holds(answer, hugeLines(from, from + LINES - 1));
}

function holdsPageAfterMiddle(answer, { hugeLineCount }, index) {
  return holdsLines(answer, middleOf(hugeLineCount) + index * LINES);
}

/** Checks for the start of the file, no more than fits into a context window, and a note that there is more. */
function isFirstPage({ texts, data }, path) {
  const [page] = texts;
  const isBounded = page.length >= 1000 && page.length <= 64 * 1024;
  return isBounded && data.truncated && page === bytesOf(path, 0, page.length);
}

function bytesOf(path, start, length) {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(length);
  const read = readSync(file, bytes, 0, length, start);
  closeSync(file);
  return bytes.toString("latin1", 0, read);
}
