import { withVisibleText } from "../output/neutralise.ts";
import type { ScreenSize } from "./terminal.ts";

/** Draws what a terminal shows. */
export interface Screen {
  /** Resolves when all of it is on the screen. */
  feed(bytes: Uint8Array): Promise<void>;
  /** Returns the lines of the screen, without blanks at their ends and empty ones at its end. */
  text(): string;
  resize(size: ScreenSize): void;
  close(): void;
}

/**
 * Creates a screen by the optional package, which is loaded now; returns undefined where it is not installed. `answer`
 * gets what a terminal answers to a program that asks where its cursor is, or what it can do.
 */
export async function createScreen(size: ScreenSize, answer: (bytes: Uint8Array) => void): Promise<Screen | undefined> {
  const xterm = await import("@xterm/headless").catch(() => undefined);
  if (!xterm) return undefined;
  // Node adds a default export to the package; in the bundle of the program there is none.
  const { Terminal } = xterm.default ?? xterm;
  const terminal = new Terminal({ cols: size.columns, rows: size.rows, scrollback: 0, allowProposedApi: true });
  terminal.onData((text) => {
    if (ANSWER.test(text)) answer(Buffer.from(text, "latin1"));
  });
  return {
    feed: (bytes) => new Promise((resolve) => terminal.write(bytes, resolve)),
    text: () => screenLines(terminal.buffer.active, terminal.rows).join("\n").trimEnd(),
    resize: ({ columns, rows }) => terminal.resize(columns, rows),
    close: () => terminal.dispose(),
  };
}

/** Matches reports of the cursor, the status and the kind of terminal: nothing that could hold text of the program. */
const ANSWER = new RegExp(String.raw`^\u001b\[[?>]?[\d;]*[Rcn]$`);

interface LineBuffer {
  readonly viewportY: number;
  getLine(at: number): { translateToString(trimRight: boolean): string } | undefined;
}

const screenLines = (buffer: LineBuffer, rows: number): readonly string[] =>
  Array.from({ length: rows }, (_, nth) =>
    withVisibleText(
      buffer
        .getLine(buffer.viewportY + nth)
        ?.translateToString(true)
        .trimEnd() ?? "",
    ),
  );
