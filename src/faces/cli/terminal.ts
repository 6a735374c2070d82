import { styleText } from "node:util";
import { createBatcher } from "../../base/batcher.ts";
import { errnoOf } from "../../base/errno.ts";
import { LIMITS } from "../../base/limits.ts";
import { PRODUCT } from "../../base/product.ts";
import { plural } from "../../text/plural.ts";
import type { ApprovalRequest } from "../../runtime/approvals/approval.ts";
import { visible } from "../../text/quote.ts";

/** Prints one line for the operator on standard error, because standard output is for the protocol. */
export const warn = (message: string): void => void process.stderr.write(lineOf(message));

/** Prints a line without our name in front, for messages that copy another system's. Line breaks are escaped. */
export const warnVerbatim = (line: string): void =>
  void process.stderr.write(`${visible(line).replaceAll("\n", "\\n")}\n`);

const lineOf = (message: string): string => `${PRODUCT.name}: ${visible(message)}\n`;

/** Prints frequent messages. Drops them while standard error is not read, so that they do not fill the memory. */
function log(messages: readonly string[]): void {
  if (process.stderr.writableLength < LIMITS.unreadLogBytes) process.stderr.write(messages.map(lineOf).join(""));
}

const logBatcher = createBatcher(LIMITS.noticeMs, log);
process.on("exit", logBatcher.flush);

/** Prints a message in the next batch, so that no call waits for it. */
export const logSoon = logBatcher.add;

/** Tells the operator that a call waits for an approval, and the command that shows it. */
export const reportPendingApproval = ({ tool, show = "" }: Pick<ApprovalRequest, "tool" | "show">): void =>
  log([`${tool} needs approval: ${show} shows it; replace show by approve or deny to answer`]);

/** Prints text on standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** Prints text of files. Control characters are escaped on a terminal and kept elsewhere. */
export const printForeign = (text: string): void => print(process.stdout.isTTY ? visible(text) : text);

/**
 * Ignores that standard output was closed: who did it, such as `head`, has read enough, and work that was begun is
 * finished. Other errors, such as that of a full disk, are told.
 */
process.stdout.on("error", (error) => {
  if (errnoOf(error) === "EPIPE") return;
  warn(`Cannot print the answer: ${error.message}`);
  process.on("exit", () => (process.exitCode = 1));
});

/** Ignores errors of standard error: a client may close it and still use the server. */
process.stderr.on("error", () => {});

/** Names the meaning of a piece of text. It is coloured only on a terminal and without NO_COLOR. */
export type Tone = keyof typeof TONES;

const TONES = { good: "green", bad: "red", dim: "dim", strong: "bold", id: "yellow", place: "cyan" } as const;

export const colored = (tone: Tone, text: string): string => styleText(TONES[tone], text);

/** One cell of a table, with or without a tone. */
export type Cell = string | readonly [tone: Tone, text: string];

/** Formats rows as a table. The last column is not padded. */
export function formatTable(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [nth, cell] of row.slice(0, -1).entries()) widths[nth] = Math.max(widths[nth] ?? 0, textIn(cell).length);
  return rows.map((row) => row.map((cell, nth) => paddedCell(cell, widths[nth] ?? 0)).join("  ")).join("\n");
}

const textIn = (cell: Cell): string => (typeof cell === "string" ? cell : cell[1]);

const paddedCell = (cell: Cell, width: number): string =>
  typeof cell === "string"
    ? cell.padEnd(width)
    : colored(cell[0], cell[1]) + " ".repeat(Math.max(0, width - cell[1].length));

/** Formats a time in the local time zone. */
export function localTime(iso: string): string {
  const date = new Date(iso);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 19).replace("T", " ");
}

const MINUTE_MS = 60_000;

export function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes < 1 ? 0 : Math.floor(Math.log2(bytes) / 10));
  return power === 0 ? plural(bytes, "byte") : `${(bytes / 1024 ** power).toFixed(1)} ${UNITS[power]}`;
}

const UNITS = ["byte", "KiB", "MiB", "GiB", "TiB"];

/** Reports a wrong command line with an example, and returns exit code 2. */
export function usage(command: string, problem: string, example: string): number {
  warn(`Cannot ${command}: ${problem}; example: ${example}`);
  return 2;
}
