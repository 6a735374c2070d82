import { styleText } from "node:util";
import { createBatcher } from "../../base/batcher.ts";
import { LIMITS } from "../../base/limits.ts";
import { PRODUCT } from "../../base/product.ts";
import { plural } from "../../text/plural.ts";
import type { ApprovalRequest } from "../../runtime/approvals/approval.ts";
import { visible } from "../../text/quote.ts";

/** One line for the operator. Standard output belongs to the protocol. */
export const warn = (message: string): void => void process.stderr.write(lineOf(message));

/** The same in the words of another system: without our name in front, and one line whatever a name in it holds. */
export const warnVerbatim = (line: string): void =>
  void process.stderr.write(`${visible(line).replaceAll("\n", "\\n")}\n`);

const lineOf = (message: string): string => `${PRODUCT.name}: ${visible(message)}\n`;

/** The same for what happens often: many clients never read it, and what nobody reads must not pile up. */
function log(messages: readonly string[]): void {
  if (process.stderr.writableLength < LIMITS.unreadLogBytes) process.stderr.write(messages.map(lineOf).join(""));
}

/** The same soon, together with others: no call should wait for a line of ours. */
export const logSoon = (message: string): void => logBatcher.add(message);

const logBatcher = createBatcher(LIMITS.noticeMs, log);
process.on("exit", logBatcher.flush);

/** A question waits for somebody at the command line. */
export const reportPendingApproval = ({ tool, show = "" }: Pick<ApprovalRequest, "tool" | "show">): void =>
  log([`${tool} waits for a yes: ${show} shows it; replace show by approve or deny to answer`]);

/** Text for a person, on standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** What came from files: on a terminal nothing of it may act, elsewhere it stays as it is. */
export const printForeign = (text: string): void => print(process.stdout.isTTY ? visible(text) : text);

/** A client that closed our standard error has stopped listening; that is no reason to stop working. */
process.stderr.on("error", () => {});

/** What a piece of text means. Colours only on a terminal, and never against NO_COLOR. */
export type Tone = keyof typeof TONES;

const TONES = { good: "green", bad: "red", dim: "dim", strong: "bold", id: "yellow", place: "cyan" } as const;

export const toned = (tone: Tone, text: string): string => styleText(TONES[tone], text);

/** A piece of a line. */
export type Cell = string | readonly [tone: Tone, text: string];

/** Rows with their columns below each other. The last one is as long as it is. */
export function aligned(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [nth, cell] of row.slice(0, -1).entries()) widths[nth] = Math.max(widths[nth] ?? 0, textIn(cell).length);
  return rows.map((row) => row.map((cell, nth) => paddedCell(cell, widths[nth] ?? 0)).join("  ")).join("\n");
}

const textIn = (cell: Cell): string => (typeof cell === "string" ? cell : cell[1]);

const paddedCell = (cell: Cell, width: number): string =>
  typeof cell === "string"
    ? cell.padEnd(width)
    : toned(cell[0], cell[1]) + " ".repeat(Math.max(0, width - cell[1].length));

/** A moment on the clock of whoever reads it. */
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

/** A wrong command line: what is wrong, and how it is written. */
export function usage(command: string, problem: string, example: string): number {
  warn(`Cannot ${command}: ${problem}; example: ${example}`);
  return 2;
}
